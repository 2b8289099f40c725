// The error catalogue: every code of the interface with its one HTTP status, message and home.

/** The release from which something can return the code; `later` needs a group that is not built yet. */
export type ErrorSince = '0.2' | '0.3' | 'later';

/**
 * Who can emit the code: the service on its standard surface, a feature that is off unless an
 * operator enables it, or only the receiver of a webhook (the service itself never does).
 */
export type ErrorOrigin = 'service' | 'gated' | 'receiver';

export type ErrorDefinition = {
  readonly status: number;
  readonly message: string;
  /** The unchanged request may succeed if it is sent again after a pause. */
  readonly retryable: boolean;
  readonly origin: ErrorOrigin;
  readonly since: ErrorSince;
  /** Keys that `error.details` always carries with this code. */
  readonly details: readonly string[];
};

type Options = {
  readonly retryable?: boolean;
  readonly origin?: ErrorOrigin;
  readonly details?: readonly string[];
};

/** One entry of the catalogue that the service can return now. */
export function errorCode(status: number, message: string, options: Options = {}): ErrorDefinition {
  return Object.freeze({
    status,
    message,
    retryable: options.retryable ?? false,
    origin: options.origin ?? 'service',
    since: '0.2',
    details: Object.freeze([...(options.details ?? [])]),
  });
}

const retry: Options = { retryable: true };

/** One entry whose group is not built yet: reserved, so that clients know it beforehand. */
function laterCode(status: number, message: string, options: Options = {}): ErrorDefinition {
  return Object.freeze({ ...errorCode(status, message, options), since: 'later' });
}

/** One entry that came into force later than the first. */
function addedCode(status: number, message: string, options: Options = {}): ErrorDefinition {
  return Object.freeze({ ...errorCode(status, message, options), since: '0.3' });
}

function gatedCode(status: number, message: string): ErrorDefinition {
  return laterCode(status, message, { origin: 'gated' });
}

/** One entry of a feature that operators enable for a key, in force where they have. */
function enabledCode(status: number, message: string): ErrorDefinition {
  return Object.freeze({ ...gatedCode(status, message), since: '0.3' });
}

function receiverCode(status: number, message: string): ErrorDefinition {
  return laterCode(status, message, { origin: 'receiver' });
}

const badRequest = {
  BAD_REQUEST: errorCode(400, 'The request could not be read.'),
  VALIDATION_FAILED: errorCode(400, 'A field has a value that is not allowed.', {
    details: ['field'],
  }),
  MISSING_FIELD: errorCode(400, 'A required field is absent.', { details: ['field'] }),
  IDEMPOTENCY_KEY_MISSING: errorCode(400, 'This operation needs an Idempotency-Key header.'),
  IDEMPOTENCY_KEY_MALFORMED: errorCode(
    400,
    'Idempotency-Key must be 8 to 128 characters of A-Z, a-z, 0-9, _ and -.',
  ),
  URN_MALFORMED: laterCode(400, 'The urn is not of the form urn:pm:{domain}:{slug}.'),
  URN_INVALID_DOMAIN: laterCode(400, 'The urn names a domain that does not exist.'),
  URN_INVALID_SLUG: laterCode(400, 'The slug of the urn has characters that are not allowed.'),
  URN_SLUG_TOO_LONG: laterCode(400, 'The slug of the urn is longer than 128 characters.'),
  ID_MALFORMED: errorCode(400, 'The id is not an id of this service.', {
    details: ['parameter', 'expected'],
  }),
  ID_INVALID_KIND: errorCode(400, 'The id belongs to another kind of record.', {
    details: ['parameter', 'expected'],
  }),
  PKCE_INVALID: addedCode(400, 'The code_verifier does not match the challenge.'),
  AUTH_CODE_EXPIRED: addedCode(400, 'The authorization code has expired.'),
  AUTH_CODE_CONSUMED: addedCode(400, 'The authorization code was used before.'),
  REDIRECT_URI_MISMATCH: addedCode(400, 'redirect_uri differs from the one at authorize time.'),
  WEBHOOK_URL_INVALID: addedCode(
    400,
    'The webhook URL must be https at a public address, without userinfo and fragment.',
  ),
  WEBHOOK_SECRET_INVALID: receiverCode(400, 'The webhook secret is not valid.'),
  TEMPLATE_SCHEMA_INVALID: errorCode(400, 'params_schema is not an accepted JSON Schema.'),
  TEMPLATE_DISPLAY_KEY_MISSING: errorCode(
    400,
    'display_defaults uses a key that params_schema does not have.',
  ),
  QUOTE_EXPIRED_IN_PAST: laterCode(400, 'expires_at_ms of the quote must be in the future.'),
  QUOTE_SIZE_INVALID: laterCode(400, 'The size of the quote must be above 0.'),
};

const unauthorized = {
  AUTH_REQUIRED: errorCode(401, 'This operation needs a credential.'),
  AUTH_INVALID: errorCode(401, 'The credential was rejected.', { details: ['reason'] }),
  WRONG_ENV_KEY: errorCode(401, 'The credential belongs to the other environment.', {
    details: ['credential_environment', 'requested_environment'],
  }),
  TIMESTAMP_SKEW: enabledCode(401, 'The timestamp is more than 300 seconds off.'),
  NONCE_REUSED: enabledCode(401, 'The nonce was used before.'),
  SIGNATURE_INVALID: enabledCode(401, 'The request signature does not match.'),
  // Of access tokens; keys and sessions that are over are AUTH_INVALID and say why.
  TOKEN_EXPIRED: addedCode(401, 'The token has expired.'),
  TOKEN_REVOKED: addedCode(401, 'The token was revoked.'),
  TOKEN_INVALID: errorCode(401, 'The token cannot be verified.'),
  REFRESH_TOKEN_REUSED: addedCode(
    401,
    'The refresh token was used before; its whole family is revoked.',
  ),
  PASSWORD_INCORRECT: errorCode(401, 'Email or password is wrong.'),
  WEBHOOK_TIMESTAMP_SKEW: receiverCode(401, 'The timestamp of the delivery is too far off.'),
  WEBHOOK_SIGNATURE_INVALID: receiverCode(401, 'The signature of the delivery does not match.'),
};

/** Which rule it was, and what would lift it. */
const ruled: Options = { details: ['rule_id', 'lifted_by'] };

const forbidden = {
  SCOPE_MISSING: errorCode(403, 'The credential lacks the permission this operation needs.', {
    details: ['required'],
  }),
  SCOPE_NOT_ALLOWED: errorCode(403, 'A requested scope or permission may not be granted here.'),
  STEP_UP_MFA_REQUIRED: errorCode(403, 'This needs a fresh second factor.', {
    details: ['factors'],
  }),
  BUILDER_NOT_APPROVED: addedCode(403, 'The builder profile is not approved.'),
  APP_NOT_APPROVED: addedCode(403, 'The app is not approved.'),
  APP_DISABLED: addedCode(403, 'The app is disabled.'),
  DELEGATION_MISSING: addedCode(403, 'There is no delegation grant for this account.'),
  DELEGATION_EXPIRED: addedCode(403, 'The delegation grant has expired.'),
  DELEGATION_SCOPE_MISMATCH: addedCode(403, 'The delegation grant does not cover this act.'),
  JURISDICTION_BLOCKED: errorCode(403, 'This is not offered in your jurisdiction.', ruled),
  SANCTIONS_HIT: errorCode(403, 'The account is blocked by sanctions screening.', ruled),
  COMPLIANCE_GATE_BLOCKED: errorCode(403, 'A compliance check stands against this act.', ruled),
  TIER_UPGRADE_REQUIRED: errorCode(403, 'The tier of the credential is too low for this.', {
    details: ['tier', 'required_tier'],
  }),
  SUBACCOUNT_FROZEN: addedCode(403, 'The subaccount is frozen.'),
  MCP_SCOPE_MISSING: gatedCode(403, 'The credential lacks the scope of this tool.'),
  WIDGET_ORIGIN_BLOCKED: addedCode(403, 'The widget key is not allowed on this origin.'),
  DATA_TIER_EXCEEDED: laterCode(403, 'The data set is above your data tier.'),
  ORACLE_BOND_INSUFFICIENT: laterCode(403, 'The bond is below the minimum.'),
  LISTING_NOT_APPROVED: laterCode(403, 'The listing is not approved.'),
};

const notFound = {
  SANDBOX_ONLY: errorCode(404, 'This operation exists only in the sandbox.'),
  PROD_ONLY: addedCode(404, 'This operation is switched off in the sandbox.'),
  NOT_FOUND: errorCode(404, 'There is nothing here.'),
  MARKET_NOT_FOUND: errorCode(404, 'No such market.'),
  MCP_TOOL_UNKNOWN: gatedCode(404, 'No such tool.'),
};

const conflict = {
  IDEMPOTENCY_BODY_MISMATCH: errorCode(409, 'The Idempotency-Key was used with another request.'),
  IDEMPOTENCY_IN_FLIGHT: errorCode(409, 'The first request with this key is still running.'),
  ALREADY_EXISTS: errorCode(409, 'There is already such a record.'),
  CONFLICT: errorCode(409, 'A value that must be unique is taken.'),
  STATE_CONFLICT: errorCode(409, 'The record is not in a state that allows this.'),
  SUBACCOUNT_LABEL_TAKEN: addedCode(409, 'Another subaccount has this label.'),
  SUBACCOUNT_HAS_BALANCE: addedCode(409, 'The subaccount still has a balance.'),
  SUBACCOUNT_HAS_POSITIONS: addedCode(409, 'The subaccount still has positions.'),
  SUBACCOUNT_HAS_OPEN_ORDERS: addedCode(409, 'The subaccount still has open orders.'),
  PROPOSAL_STATE_INVALID: errorCode(409, 'The proposal is not in a state that allows this.'),
  RFQ_NOT_OPEN: laterCode(409, 'The request for quotes is not open.'),
  RESOLUTION_CHALLENGE_OPEN: errorCode(409, 'The challenge window is still open.'),
  BOUNTY_ALREADY_CLAIMED: laterCode(409, 'The bounty was claimed before.'),
};

const unprocessable = {
  RISK_LIMIT_BREACH: errorCode(422, 'A risk limit of the account would be exceeded.', {
    details: ['limit'],
  }),
  BUILDER_FEE_ABOVE_CAP: addedCode(422, 'builder_fee_bps is above the cap of the app.'),
  MARKET_HALTED: errorCode(422, 'Trading in this market is halted; cancels still work.'),
  MARKET_CLOSED: errorCode(422, 'The market is not open for trading.', { details: ['status'] }),
  MARKET_NOT_APPROVED: errorCode(422, 'The market still waits for approval.'),
  MARKET_TEMPLATE_UNKNOWN: errorCode(422, 'No active template has this id.'),
  MARKET_TEMPLATE_PARAM_INVALID: errorCode(422, 'params do not satisfy the template.', {
    details: ['field'],
  }),
  ORACLE_ADAPTER_UNKNOWN: errorCode(422, 'No oracle adapter has this name.'),
  ORACLE_DISAGREEMENT: laterCode(422, 'The oracle sources disagree.'),
  RESOLUTION_LOCKED: errorCode(422, 'The resolution is final.'),
  DISPUTE_ALREADY_OPEN: laterCode(422, 'The proposal is disputed already.'),
  ANTI_ABUSE_BLOCKED: errorCode(422, 'The request was stopped by abuse protection.', ruled),
  OPERATOR_AGREEMENT_MISSING: addedCode(422, 'The builder agreement is not accepted.', {
    details: ['version'],
  }),
  PASSWORD_TOO_WEAK: errorCode(422, 'The password is too weak.', { details: ['reason'] }),
  DELEGATION_DAILY_CAP_EXCEEDED: addedCode(422, 'The daily cap of the delegation is exceeded.'),
  BALANCE_INSUFFICIENT: errorCode(422, 'The balance is too small.', {
    details: ['required', 'free', 'reserved'],
  }),
  COMBO_COMPONENT_HALTED: laterCode(422, 'A leg of the combo is halted or closed.'),
  RFQ_QUOTE_OUT_OF_BOUNDS: laterCode(422, 'The quote lies outside of the allowed prices.'),
  INCENTIVE_BUDGET_EXCEEDED: laterCode(422, 'The budget of the programme is exceeded.'),
  DATA_RANGE_TOO_LARGE_FOR_TIER: laterCode(422, 'The range is too large for your data tier.'),
  RESOLUTION_EVIDENCE_MISSING: errorCode(422, 'A resolution needs evidence.'),
  WEBHOOK_EVENT_UNKNOWN: addedCode(422, 'No event type has this name.'),
};

const tooMany = {
  RATE_LIMITED: errorCode(429, 'Too many requests; wait for the seconds in Retry-After.', {
    retryable: true,
    details: ['category', 'retry_after_sec'],
  }),
  TIER_LIMIT_EXCEEDED: errorCode(429, 'The order is above the cap of the tier.', {
    details: ['tier', 'cap', 'limit'],
  }),
  SANDBOX_KEY_DAILY_LIMIT: errorCode(
    429,
    'One sandbox key per address and day: use the one you have, or register for more.',
  ),
};

const serverSide = {
  INTERNAL_ERROR: errorCode(500, 'Something failed on our side.', retry),
  MCP_NOT_IMPLEMENTED: gatedCode(501, 'The tool interface is switched off.'),
  UPSTREAM_ERROR: addedCode(502, 'A service we depend on failed.', retry),
  ORACLE_ADAPTER_ERROR: laterCode(502, 'The oracle source failed.', retry),
  SERVICE_UNAVAILABLE: errorCode(503, 'A part of the service is switched off.', retry),
  MAINTENANCE: errorCode(503, 'The service is under maintenance.', retry),
  READ_ONLY_MODE: errorCode(503, 'Trading is paused; reads and cancels still work.', retry),
  UPSTREAM_TIMEOUT: errorCode(504, 'No answer in time.', retry),
};

export const errors = Object.freeze({
  ...badRequest,
  ...unauthorized,
  ...forbidden,
  ...notFound,
  ...conflict,
  ...unprocessable,
  ...tooMany,
  ...serverSide,
});

export type ErrorCode = keyof typeof errors;

export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errors, value);
}

/** Every code in the order of the catalogue. */
export const errorCodes: readonly ErrorCode[] = Object.freeze(
  Object.keys(errors).filter(isErrorCode),
);
