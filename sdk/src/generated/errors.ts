// Generated from the contract by sdk/emit/main.ts; edit the contract instead.

import { SibylError } from '../errors.ts';

/** 400 BAD_REQUEST: The request could not be read. */
export class BadRequestError extends SibylError {
  override readonly name = 'BadRequestError';
  declare readonly code: 'BAD_REQUEST';
}

/** 400 VALIDATION_FAILED: A field has a value that is not allowed. */
export class ValidationFailedError extends SibylError {
  override readonly name = 'ValidationFailedError';
  declare readonly code: 'VALIDATION_FAILED';
}

/** 400 MISSING_FIELD: A required field is absent. */
export class MissingFieldError extends SibylError {
  override readonly name = 'MissingFieldError';
  declare readonly code: 'MISSING_FIELD';
}

/** 400 IDEMPOTENCY_KEY_MISSING: This operation needs an Idempotency-Key header. */
export class IdempotencyKeyMissingError extends SibylError {
  override readonly name = 'IdempotencyKeyMissingError';
  declare readonly code: 'IDEMPOTENCY_KEY_MISSING';
}

/** 400 IDEMPOTENCY_KEY_MALFORMED: Idempotency-Key must be 8 to 128 characters of A-Z, a-z, 0-9, _ and -. */
export class IdempotencyKeyMalformedError extends SibylError {
  override readonly name = 'IdempotencyKeyMalformedError';
  declare readonly code: 'IDEMPOTENCY_KEY_MALFORMED';
}

/** 400 URN_MALFORMED: The urn is not of the form urn:pm:{domain}:{slug}. */
export class UrnMalformedError extends SibylError {
  override readonly name = 'UrnMalformedError';
  declare readonly code: 'URN_MALFORMED';
}

/** 400 URN_INVALID_DOMAIN: The urn names a domain that does not exist. */
export class UrnInvalidDomainError extends SibylError {
  override readonly name = 'UrnInvalidDomainError';
  declare readonly code: 'URN_INVALID_DOMAIN';
}

/** 400 URN_INVALID_SLUG: The slug of the urn has characters that are not allowed. */
export class UrnInvalidSlugError extends SibylError {
  override readonly name = 'UrnInvalidSlugError';
  declare readonly code: 'URN_INVALID_SLUG';
}

/** 400 URN_SLUG_TOO_LONG: The slug of the urn is longer than 128 characters. */
export class UrnSlugTooLongError extends SibylError {
  override readonly name = 'UrnSlugTooLongError';
  declare readonly code: 'URN_SLUG_TOO_LONG';
}

/** 400 ID_MALFORMED: The id is not an id of this service. */
export class IdMalformedError extends SibylError {
  override readonly name = 'IdMalformedError';
  declare readonly code: 'ID_MALFORMED';
}

/** 400 ID_INVALID_KIND: The id belongs to another kind of record. */
export class IdInvalidKindError extends SibylError {
  override readonly name = 'IdInvalidKindError';
  declare readonly code: 'ID_INVALID_KIND';
}

/** 400 PKCE_INVALID: The code_verifier does not match the challenge. */
export class PkceInvalidError extends SibylError {
  override readonly name = 'PkceInvalidError';
  declare readonly code: 'PKCE_INVALID';
}

/** 400 AUTH_CODE_EXPIRED: The authorization code has expired. */
export class AuthCodeExpiredError extends SibylError {
  override readonly name = 'AuthCodeExpiredError';
  declare readonly code: 'AUTH_CODE_EXPIRED';
}

/** 400 AUTH_CODE_CONSUMED: The authorization code was used before. */
export class AuthCodeConsumedError extends SibylError {
  override readonly name = 'AuthCodeConsumedError';
  declare readonly code: 'AUTH_CODE_CONSUMED';
}

/** 400 REDIRECT_URI_MISMATCH: redirect_uri differs from the one at authorize time. */
export class RedirectUriMismatchError extends SibylError {
  override readonly name = 'RedirectUriMismatchError';
  declare readonly code: 'REDIRECT_URI_MISMATCH';
}

/** 400 WEBHOOK_URL_INVALID: The webhook URL must be https at a public address, without userinfo and fragment. */
export class WebhookUrlInvalidError extends SibylError {
  override readonly name = 'WebhookUrlInvalidError';
  declare readonly code: 'WEBHOOK_URL_INVALID';
}

/** 400 WEBHOOK_SECRET_INVALID: The webhook secret is not valid. */
export class WebhookSecretInvalidError extends SibylError {
  override readonly name = 'WebhookSecretInvalidError';
  declare readonly code: 'WEBHOOK_SECRET_INVALID';
}

/** 400 TEMPLATE_SCHEMA_INVALID: params_schema is not an accepted JSON Schema. */
export class TemplateSchemaInvalidError extends SibylError {
  override readonly name = 'TemplateSchemaInvalidError';
  declare readonly code: 'TEMPLATE_SCHEMA_INVALID';
}

/** 400 TEMPLATE_DISPLAY_KEY_MISSING: display_defaults uses a key that params_schema does not have. */
export class TemplateDisplayKeyMissingError extends SibylError {
  override readonly name = 'TemplateDisplayKeyMissingError';
  declare readonly code: 'TEMPLATE_DISPLAY_KEY_MISSING';
}

/** 400 QUOTE_EXPIRED_IN_PAST: expires_at_ms of the quote must be in the future. */
export class QuoteExpiredInPastError extends SibylError {
  override readonly name = 'QuoteExpiredInPastError';
  declare readonly code: 'QUOTE_EXPIRED_IN_PAST';
}

/** 400 QUOTE_SIZE_INVALID: The size of the quote must be above 0. */
export class QuoteSizeInvalidError extends SibylError {
  override readonly name = 'QuoteSizeInvalidError';
  declare readonly code: 'QUOTE_SIZE_INVALID';
}

/** 401 AUTH_REQUIRED: This operation needs a credential. */
export class AuthRequiredError extends SibylError {
  override readonly name = 'AuthRequiredError';
  declare readonly code: 'AUTH_REQUIRED';
}

/** 401 AUTH_INVALID: The credential was rejected. */
export class AuthInvalidError extends SibylError {
  override readonly name = 'AuthInvalidError';
  declare readonly code: 'AUTH_INVALID';
}

/** 401 WRONG_ENV_KEY: The credential belongs to the other environment. */
export class WrongEnvKeyError extends SibylError {
  override readonly name = 'WrongEnvKeyError';
  declare readonly code: 'WRONG_ENV_KEY';
}

/** 401 TIMESTAMP_SKEW: The timestamp is more than 300 seconds off. */
export class TimestampSkewError extends SibylError {
  override readonly name = 'TimestampSkewError';
  declare readonly code: 'TIMESTAMP_SKEW';
}

/** 401 NONCE_REUSED: The nonce was used before. */
export class NonceReusedError extends SibylError {
  override readonly name = 'NonceReusedError';
  declare readonly code: 'NONCE_REUSED';
}

/** 401 SIGNATURE_INVALID: The request signature does not match. */
export class SignatureInvalidError extends SibylError {
  override readonly name = 'SignatureInvalidError';
  declare readonly code: 'SIGNATURE_INVALID';
}

/** 401 TOKEN_EXPIRED: The token has expired. */
export class TokenExpiredError extends SibylError {
  override readonly name = 'TokenExpiredError';
  declare readonly code: 'TOKEN_EXPIRED';
}

/** 401 TOKEN_REVOKED: The token was revoked. */
export class TokenRevokedError extends SibylError {
  override readonly name = 'TokenRevokedError';
  declare readonly code: 'TOKEN_REVOKED';
}

/** 401 TOKEN_INVALID: The token cannot be verified. */
export class TokenInvalidError extends SibylError {
  override readonly name = 'TokenInvalidError';
  declare readonly code: 'TOKEN_INVALID';
}

/** 401 REFRESH_TOKEN_REUSED: The refresh token was used before; its whole family is revoked. */
export class RefreshTokenReusedError extends SibylError {
  override readonly name = 'RefreshTokenReusedError';
  declare readonly code: 'REFRESH_TOKEN_REUSED';
}

/** 401 PASSWORD_INCORRECT: Email or password is wrong. */
export class PasswordIncorrectError extends SibylError {
  override readonly name = 'PasswordIncorrectError';
  declare readonly code: 'PASSWORD_INCORRECT';
}

/** 401 WEBHOOK_TIMESTAMP_SKEW: The timestamp of the delivery is too far off. */
export class WebhookTimestampSkewError extends SibylError {
  override readonly name = 'WebhookTimestampSkewError';
  declare readonly code: 'WEBHOOK_TIMESTAMP_SKEW';
}

/** 401 WEBHOOK_SIGNATURE_INVALID: The signature of the delivery does not match. */
export class WebhookSignatureInvalidError extends SibylError {
  override readonly name = 'WebhookSignatureInvalidError';
  declare readonly code: 'WEBHOOK_SIGNATURE_INVALID';
}

/** 403 SCOPE_MISSING: The credential lacks the permission this operation needs. */
export class ScopeMissingError extends SibylError {
  override readonly name = 'ScopeMissingError';
  declare readonly code: 'SCOPE_MISSING';
}

/** 403 SCOPE_NOT_ALLOWED: A requested scope or permission may not be granted here. */
export class ScopeNotAllowedError extends SibylError {
  override readonly name = 'ScopeNotAllowedError';
  declare readonly code: 'SCOPE_NOT_ALLOWED';
}

/** 403 STEP_UP_MFA_REQUIRED: This needs a fresh second factor. */
export class StepUpMfaRequiredError extends SibylError {
  override readonly name = 'StepUpMfaRequiredError';
  declare readonly code: 'STEP_UP_MFA_REQUIRED';
}

/** 403 BUILDER_NOT_APPROVED: The builder profile is not approved. */
export class BuilderNotApprovedError extends SibylError {
  override readonly name = 'BuilderNotApprovedError';
  declare readonly code: 'BUILDER_NOT_APPROVED';
}

/** 403 APP_NOT_APPROVED: The app is not approved. */
export class AppNotApprovedError extends SibylError {
  override readonly name = 'AppNotApprovedError';
  declare readonly code: 'APP_NOT_APPROVED';
}

/** 403 APP_DISABLED: The app is disabled. */
export class AppDisabledError extends SibylError {
  override readonly name = 'AppDisabledError';
  declare readonly code: 'APP_DISABLED';
}

/** 403 DELEGATION_MISSING: There is no delegation grant for this account. */
export class DelegationMissingError extends SibylError {
  override readonly name = 'DelegationMissingError';
  declare readonly code: 'DELEGATION_MISSING';
}

/** 403 DELEGATION_EXPIRED: The delegation grant has expired. */
export class DelegationExpiredError extends SibylError {
  override readonly name = 'DelegationExpiredError';
  declare readonly code: 'DELEGATION_EXPIRED';
}

/** 403 DELEGATION_SCOPE_MISMATCH: The delegation grant does not cover this act. */
export class DelegationScopeMismatchError extends SibylError {
  override readonly name = 'DelegationScopeMismatchError';
  declare readonly code: 'DELEGATION_SCOPE_MISMATCH';
}

/** 403 JURISDICTION_BLOCKED: This is not offered in your jurisdiction. */
export class JurisdictionBlockedError extends SibylError {
  override readonly name = 'JurisdictionBlockedError';
  declare readonly code: 'JURISDICTION_BLOCKED';
}

/** 403 SANCTIONS_HIT: The account is blocked by sanctions screening. */
export class SanctionsHitError extends SibylError {
  override readonly name = 'SanctionsHitError';
  declare readonly code: 'SANCTIONS_HIT';
}

/** 403 COMPLIANCE_GATE_BLOCKED: A compliance check stands against this act. */
export class ComplianceGateBlockedError extends SibylError {
  override readonly name = 'ComplianceGateBlockedError';
  declare readonly code: 'COMPLIANCE_GATE_BLOCKED';
}

/** 403 TIER_UPGRADE_REQUIRED: The tier of the credential is too low for this. */
export class TierUpgradeRequiredError extends SibylError {
  override readonly name = 'TierUpgradeRequiredError';
  declare readonly code: 'TIER_UPGRADE_REQUIRED';
}

/** 403 SUBACCOUNT_FROZEN: The subaccount is frozen. */
export class SubaccountFrozenError extends SibylError {
  override readonly name = 'SubaccountFrozenError';
  declare readonly code: 'SUBACCOUNT_FROZEN';
}

/** 403 MCP_SCOPE_MISSING: The credential lacks the scope of this tool. */
export class McpScopeMissingError extends SibylError {
  override readonly name = 'McpScopeMissingError';
  declare readonly code: 'MCP_SCOPE_MISSING';
}

/** 403 WIDGET_ORIGIN_BLOCKED: The widget key is not allowed on this origin. */
export class WidgetOriginBlockedError extends SibylError {
  override readonly name = 'WidgetOriginBlockedError';
  declare readonly code: 'WIDGET_ORIGIN_BLOCKED';
}

/** 403 DATA_TIER_EXCEEDED: The data set is above your data tier. */
export class DataTierExceededError extends SibylError {
  override readonly name = 'DataTierExceededError';
  declare readonly code: 'DATA_TIER_EXCEEDED';
}

/** 403 ORACLE_BOND_INSUFFICIENT: The bond is below the minimum. */
export class OracleBondInsufficientError extends SibylError {
  override readonly name = 'OracleBondInsufficientError';
  declare readonly code: 'ORACLE_BOND_INSUFFICIENT';
}

/** 403 LISTING_NOT_APPROVED: The listing is not approved. */
export class ListingNotApprovedError extends SibylError {
  override readonly name = 'ListingNotApprovedError';
  declare readonly code: 'LISTING_NOT_APPROVED';
}

/** 404 SANDBOX_ONLY: This operation exists only in the sandbox. */
export class SandboxOnlyError extends SibylError {
  override readonly name = 'SandboxOnlyError';
  declare readonly code: 'SANDBOX_ONLY';
}

/** 404 PROD_ONLY: This operation is switched off in the sandbox. */
export class ProdOnlyError extends SibylError {
  override readonly name = 'ProdOnlyError';
  declare readonly code: 'PROD_ONLY';
}

/** 404 NOT_FOUND: There is nothing here. */
export class NotFoundError extends SibylError {
  override readonly name = 'NotFoundError';
  declare readonly code: 'NOT_FOUND';
}

/** 404 MARKET_NOT_FOUND: No such market. */
export class MarketNotFoundError extends SibylError {
  override readonly name = 'MarketNotFoundError';
  declare readonly code: 'MARKET_NOT_FOUND';
}

/** 404 MCP_TOOL_UNKNOWN: No such tool. */
export class McpToolUnknownError extends SibylError {
  override readonly name = 'McpToolUnknownError';
  declare readonly code: 'MCP_TOOL_UNKNOWN';
}

/** 409 IDEMPOTENCY_BODY_MISMATCH: The Idempotency-Key was used with another request. */
export class IdempotencyBodyMismatchError extends SibylError {
  override readonly name = 'IdempotencyBodyMismatchError';
  declare readonly code: 'IDEMPOTENCY_BODY_MISMATCH';
}

/** 409 IDEMPOTENCY_IN_FLIGHT: The first request with this key is still running. */
export class IdempotencyInFlightError extends SibylError {
  override readonly name = 'IdempotencyInFlightError';
  declare readonly code: 'IDEMPOTENCY_IN_FLIGHT';
}

/** 409 ALREADY_EXISTS: There is already such a record. */
export class AlreadyExistsError extends SibylError {
  override readonly name = 'AlreadyExistsError';
  declare readonly code: 'ALREADY_EXISTS';
}

/** 409 CONFLICT: A value that must be unique is taken. */
export class ConflictError extends SibylError {
  override readonly name = 'ConflictError';
  declare readonly code: 'CONFLICT';
}

/** 409 STATE_CONFLICT: The record is not in a state that allows this. */
export class StateConflictError extends SibylError {
  override readonly name = 'StateConflictError';
  declare readonly code: 'STATE_CONFLICT';
}

/** 409 SUBACCOUNT_LABEL_TAKEN: Another subaccount has this label. */
export class SubaccountLabelTakenError extends SibylError {
  override readonly name = 'SubaccountLabelTakenError';
  declare readonly code: 'SUBACCOUNT_LABEL_TAKEN';
}

/** 409 SUBACCOUNT_HAS_BALANCE: The subaccount still has a balance. */
export class SubaccountHasBalanceError extends SibylError {
  override readonly name = 'SubaccountHasBalanceError';
  declare readonly code: 'SUBACCOUNT_HAS_BALANCE';
}

/** 409 SUBACCOUNT_HAS_POSITIONS: The subaccount still has positions. */
export class SubaccountHasPositionsError extends SibylError {
  override readonly name = 'SubaccountHasPositionsError';
  declare readonly code: 'SUBACCOUNT_HAS_POSITIONS';
}

/** 409 SUBACCOUNT_HAS_OPEN_ORDERS: The subaccount still has open orders. */
export class SubaccountHasOpenOrdersError extends SibylError {
  override readonly name = 'SubaccountHasOpenOrdersError';
  declare readonly code: 'SUBACCOUNT_HAS_OPEN_ORDERS';
}

/** 409 PROPOSAL_STATE_INVALID: The proposal is not in a state that allows this. */
export class ProposalStateInvalidError extends SibylError {
  override readonly name = 'ProposalStateInvalidError';
  declare readonly code: 'PROPOSAL_STATE_INVALID';
}

/** 409 RFQ_NOT_OPEN: The request for quotes is not open. */
export class RfqNotOpenError extends SibylError {
  override readonly name = 'RfqNotOpenError';
  declare readonly code: 'RFQ_NOT_OPEN';
}

/** 409 RESOLUTION_CHALLENGE_OPEN: The challenge window is still open. */
export class ResolutionChallengeOpenError extends SibylError {
  override readonly name = 'ResolutionChallengeOpenError';
  declare readonly code: 'RESOLUTION_CHALLENGE_OPEN';
}

/** 409 BOUNTY_ALREADY_CLAIMED: The bounty was claimed before. */
export class BountyAlreadyClaimedError extends SibylError {
  override readonly name = 'BountyAlreadyClaimedError';
  declare readonly code: 'BOUNTY_ALREADY_CLAIMED';
}

/** 422 RISK_LIMIT_BREACH: A risk limit of the account would be exceeded. */
export class RiskLimitBreachError extends SibylError {
  override readonly name = 'RiskLimitBreachError';
  declare readonly code: 'RISK_LIMIT_BREACH';
}

/** 422 BUILDER_FEE_ABOVE_CAP: builder_fee_bps is above the cap of the app. */
export class BuilderFeeAboveCapError extends SibylError {
  override readonly name = 'BuilderFeeAboveCapError';
  declare readonly code: 'BUILDER_FEE_ABOVE_CAP';
}

/** 422 MARKET_HALTED: Trading in this market is halted; cancels still work. */
export class MarketHaltedError extends SibylError {
  override readonly name = 'MarketHaltedError';
  declare readonly code: 'MARKET_HALTED';
}

/** 422 MARKET_CLOSED: The market is not open for trading. */
export class MarketClosedError extends SibylError {
  override readonly name = 'MarketClosedError';
  declare readonly code: 'MARKET_CLOSED';
}

/** 422 MARKET_NOT_APPROVED: The market still waits for approval. */
export class MarketNotApprovedError extends SibylError {
  override readonly name = 'MarketNotApprovedError';
  declare readonly code: 'MARKET_NOT_APPROVED';
}

/** 422 MARKET_TEMPLATE_UNKNOWN: No active template has this id. */
export class MarketTemplateUnknownError extends SibylError {
  override readonly name = 'MarketTemplateUnknownError';
  declare readonly code: 'MARKET_TEMPLATE_UNKNOWN';
}

/** 422 MARKET_TEMPLATE_PARAM_INVALID: params do not satisfy the template. */
export class MarketTemplateParamInvalidError extends SibylError {
  override readonly name = 'MarketTemplateParamInvalidError';
  declare readonly code: 'MARKET_TEMPLATE_PARAM_INVALID';
}

/** 422 ORACLE_ADAPTER_UNKNOWN: No oracle adapter has this name. */
export class OracleAdapterUnknownError extends SibylError {
  override readonly name = 'OracleAdapterUnknownError';
  declare readonly code: 'ORACLE_ADAPTER_UNKNOWN';
}

/** 422 ORACLE_DISAGREEMENT: The oracle sources disagree. */
export class OracleDisagreementError extends SibylError {
  override readonly name = 'OracleDisagreementError';
  declare readonly code: 'ORACLE_DISAGREEMENT';
}

/** 422 RESOLUTION_LOCKED: The resolution is final. */
export class ResolutionLockedError extends SibylError {
  override readonly name = 'ResolutionLockedError';
  declare readonly code: 'RESOLUTION_LOCKED';
}

/** 422 DISPUTE_ALREADY_OPEN: The proposal is disputed already. */
export class DisputeAlreadyOpenError extends SibylError {
  override readonly name = 'DisputeAlreadyOpenError';
  declare readonly code: 'DISPUTE_ALREADY_OPEN';
}

/** 422 ANTI_ABUSE_BLOCKED: The request was stopped by abuse protection. */
export class AntiAbuseBlockedError extends SibylError {
  override readonly name = 'AntiAbuseBlockedError';
  declare readonly code: 'ANTI_ABUSE_BLOCKED';
}

/** 422 OPERATOR_AGREEMENT_MISSING: The builder agreement is not accepted. */
export class OperatorAgreementMissingError extends SibylError {
  override readonly name = 'OperatorAgreementMissingError';
  declare readonly code: 'OPERATOR_AGREEMENT_MISSING';
}

/** 422 PASSWORD_TOO_WEAK: The password is too weak. */
export class PasswordTooWeakError extends SibylError {
  override readonly name = 'PasswordTooWeakError';
  declare readonly code: 'PASSWORD_TOO_WEAK';
}

/** 422 DELEGATION_DAILY_CAP_EXCEEDED: The daily cap of the delegation is exceeded. */
export class DelegationDailyCapExceededError extends SibylError {
  override readonly name = 'DelegationDailyCapExceededError';
  declare readonly code: 'DELEGATION_DAILY_CAP_EXCEEDED';
}

/** 422 BALANCE_INSUFFICIENT: The balance is too small. */
export class BalanceInsufficientError extends SibylError {
  override readonly name = 'BalanceInsufficientError';
  declare readonly code: 'BALANCE_INSUFFICIENT';
}

/** 422 COMBO_COMPONENT_HALTED: A leg of the combo is halted or closed. */
export class ComboComponentHaltedError extends SibylError {
  override readonly name = 'ComboComponentHaltedError';
  declare readonly code: 'COMBO_COMPONENT_HALTED';
}

/** 422 RFQ_QUOTE_OUT_OF_BOUNDS: The quote lies outside of the allowed prices. */
export class RfqQuoteOutOfBoundsError extends SibylError {
  override readonly name = 'RfqQuoteOutOfBoundsError';
  declare readonly code: 'RFQ_QUOTE_OUT_OF_BOUNDS';
}

/** 422 INCENTIVE_BUDGET_EXCEEDED: The budget of the programme is exceeded. */
export class IncentiveBudgetExceededError extends SibylError {
  override readonly name = 'IncentiveBudgetExceededError';
  declare readonly code: 'INCENTIVE_BUDGET_EXCEEDED';
}

/** 422 DATA_RANGE_TOO_LARGE_FOR_TIER: The range is too large for your data tier. */
export class DataRangeTooLargeForTierError extends SibylError {
  override readonly name = 'DataRangeTooLargeForTierError';
  declare readonly code: 'DATA_RANGE_TOO_LARGE_FOR_TIER';
}

/** 422 RESOLUTION_EVIDENCE_MISSING: A resolution needs evidence. */
export class ResolutionEvidenceMissingError extends SibylError {
  override readonly name = 'ResolutionEvidenceMissingError';
  declare readonly code: 'RESOLUTION_EVIDENCE_MISSING';
}

/** 422 WEBHOOK_EVENT_UNKNOWN: No event type has this name. */
export class WebhookEventUnknownError extends SibylError {
  override readonly name = 'WebhookEventUnknownError';
  declare readonly code: 'WEBHOOK_EVENT_UNKNOWN';
}

/** 429 RATE_LIMITED: Too many requests; wait for the seconds in Retry-After. */
export class RateLimitedError extends SibylError {
  override readonly name = 'RateLimitedError';
  declare readonly code: 'RATE_LIMITED';
}

/** 429 TIER_LIMIT_EXCEEDED: The order is above the cap of the tier. */
export class TierLimitExceededError extends SibylError {
  override readonly name = 'TierLimitExceededError';
  declare readonly code: 'TIER_LIMIT_EXCEEDED';
}

/** 429 SANDBOX_KEY_DAILY_LIMIT: One sandbox key per address and day: use the one you have, or register for more. */
export class SandboxKeyDailyLimitError extends SibylError {
  override readonly name = 'SandboxKeyDailyLimitError';
  declare readonly code: 'SANDBOX_KEY_DAILY_LIMIT';
}

/** 500 INTERNAL_ERROR: Something failed on our side. */
export class InternalError extends SibylError {
  override readonly name = 'InternalError';
  declare readonly code: 'INTERNAL_ERROR';
}

/** 501 MCP_NOT_IMPLEMENTED: The tool interface is switched off. */
export class McpNotImplementedError extends SibylError {
  override readonly name = 'McpNotImplementedError';
  declare readonly code: 'MCP_NOT_IMPLEMENTED';
}

/** 502 UPSTREAM_ERROR: A service we depend on failed. */
export class UpstreamError extends SibylError {
  override readonly name = 'UpstreamError';
  declare readonly code: 'UPSTREAM_ERROR';
}

/** 502 ORACLE_ADAPTER_ERROR: The oracle source failed. */
export class OracleAdapterError extends SibylError {
  override readonly name = 'OracleAdapterError';
  declare readonly code: 'ORACLE_ADAPTER_ERROR';
}

/** 503 SERVICE_UNAVAILABLE: A part of the service is switched off. */
export class ServiceUnavailableError extends SibylError {
  override readonly name = 'ServiceUnavailableError';
  declare readonly code: 'SERVICE_UNAVAILABLE';
}

/** 503 MAINTENANCE: The service is under maintenance. */
export class MaintenanceError extends SibylError {
  override readonly name = 'MaintenanceError';
  declare readonly code: 'MAINTENANCE';
}

/** 503 READ_ONLY_MODE: Trading is paused; reads and cancels still work. */
export class ReadOnlyModeError extends SibylError {
  override readonly name = 'ReadOnlyModeError';
  declare readonly code: 'READ_ONLY_MODE';
}

/** 504 UPSTREAM_TIMEOUT: No answer in time. */
export class UpstreamTimeoutError extends SibylError {
  override readonly name = 'UpstreamTimeoutError';
  declare readonly code: 'UPSTREAM_TIMEOUT';
}

/** The class of each code, and whether the unchanged request may succeed later. */
export const errorTable = {
  BAD_REQUEST: { make: BadRequestError, retryable: false },
  VALIDATION_FAILED: { make: ValidationFailedError, retryable: false },
  MISSING_FIELD: { make: MissingFieldError, retryable: false },
  IDEMPOTENCY_KEY_MISSING: { make: IdempotencyKeyMissingError, retryable: false },
  IDEMPOTENCY_KEY_MALFORMED: { make: IdempotencyKeyMalformedError, retryable: false },
  URN_MALFORMED: { make: UrnMalformedError, retryable: false },
  URN_INVALID_DOMAIN: { make: UrnInvalidDomainError, retryable: false },
  URN_INVALID_SLUG: { make: UrnInvalidSlugError, retryable: false },
  URN_SLUG_TOO_LONG: { make: UrnSlugTooLongError, retryable: false },
  ID_MALFORMED: { make: IdMalformedError, retryable: false },
  ID_INVALID_KIND: { make: IdInvalidKindError, retryable: false },
  PKCE_INVALID: { make: PkceInvalidError, retryable: false },
  AUTH_CODE_EXPIRED: { make: AuthCodeExpiredError, retryable: false },
  AUTH_CODE_CONSUMED: { make: AuthCodeConsumedError, retryable: false },
  REDIRECT_URI_MISMATCH: { make: RedirectUriMismatchError, retryable: false },
  WEBHOOK_URL_INVALID: { make: WebhookUrlInvalidError, retryable: false },
  WEBHOOK_SECRET_INVALID: { make: WebhookSecretInvalidError, retryable: false },
  TEMPLATE_SCHEMA_INVALID: { make: TemplateSchemaInvalidError, retryable: false },
  TEMPLATE_DISPLAY_KEY_MISSING: { make: TemplateDisplayKeyMissingError, retryable: false },
  QUOTE_EXPIRED_IN_PAST: { make: QuoteExpiredInPastError, retryable: false },
  QUOTE_SIZE_INVALID: { make: QuoteSizeInvalidError, retryable: false },
  AUTH_REQUIRED: { make: AuthRequiredError, retryable: false },
  AUTH_INVALID: { make: AuthInvalidError, retryable: false },
  WRONG_ENV_KEY: { make: WrongEnvKeyError, retryable: false },
  TIMESTAMP_SKEW: { make: TimestampSkewError, retryable: false },
  NONCE_REUSED: { make: NonceReusedError, retryable: false },
  SIGNATURE_INVALID: { make: SignatureInvalidError, retryable: false },
  TOKEN_EXPIRED: { make: TokenExpiredError, retryable: false },
  TOKEN_REVOKED: { make: TokenRevokedError, retryable: false },
  TOKEN_INVALID: { make: TokenInvalidError, retryable: false },
  REFRESH_TOKEN_REUSED: { make: RefreshTokenReusedError, retryable: false },
  PASSWORD_INCORRECT: { make: PasswordIncorrectError, retryable: false },
  WEBHOOK_TIMESTAMP_SKEW: { make: WebhookTimestampSkewError, retryable: false },
  WEBHOOK_SIGNATURE_INVALID: { make: WebhookSignatureInvalidError, retryable: false },
  SCOPE_MISSING: { make: ScopeMissingError, retryable: false },
  SCOPE_NOT_ALLOWED: { make: ScopeNotAllowedError, retryable: false },
  STEP_UP_MFA_REQUIRED: { make: StepUpMfaRequiredError, retryable: false },
  BUILDER_NOT_APPROVED: { make: BuilderNotApprovedError, retryable: false },
  APP_NOT_APPROVED: { make: AppNotApprovedError, retryable: false },
  APP_DISABLED: { make: AppDisabledError, retryable: false },
  DELEGATION_MISSING: { make: DelegationMissingError, retryable: false },
  DELEGATION_EXPIRED: { make: DelegationExpiredError, retryable: false },
  DELEGATION_SCOPE_MISMATCH: { make: DelegationScopeMismatchError, retryable: false },
  JURISDICTION_BLOCKED: { make: JurisdictionBlockedError, retryable: false },
  SANCTIONS_HIT: { make: SanctionsHitError, retryable: false },
  COMPLIANCE_GATE_BLOCKED: { make: ComplianceGateBlockedError, retryable: false },
  TIER_UPGRADE_REQUIRED: { make: TierUpgradeRequiredError, retryable: false },
  SUBACCOUNT_FROZEN: { make: SubaccountFrozenError, retryable: false },
  MCP_SCOPE_MISSING: { make: McpScopeMissingError, retryable: false },
  WIDGET_ORIGIN_BLOCKED: { make: WidgetOriginBlockedError, retryable: false },
  DATA_TIER_EXCEEDED: { make: DataTierExceededError, retryable: false },
  ORACLE_BOND_INSUFFICIENT: { make: OracleBondInsufficientError, retryable: false },
  LISTING_NOT_APPROVED: { make: ListingNotApprovedError, retryable: false },
  SANDBOX_ONLY: { make: SandboxOnlyError, retryable: false },
  PROD_ONLY: { make: ProdOnlyError, retryable: false },
  NOT_FOUND: { make: NotFoundError, retryable: false },
  MARKET_NOT_FOUND: { make: MarketNotFoundError, retryable: false },
  MCP_TOOL_UNKNOWN: { make: McpToolUnknownError, retryable: false },
  IDEMPOTENCY_BODY_MISMATCH: { make: IdempotencyBodyMismatchError, retryable: false },
  IDEMPOTENCY_IN_FLIGHT: { make: IdempotencyInFlightError, retryable: false },
  ALREADY_EXISTS: { make: AlreadyExistsError, retryable: false },
  CONFLICT: { make: ConflictError, retryable: false },
  STATE_CONFLICT: { make: StateConflictError, retryable: false },
  SUBACCOUNT_LABEL_TAKEN: { make: SubaccountLabelTakenError, retryable: false },
  SUBACCOUNT_HAS_BALANCE: { make: SubaccountHasBalanceError, retryable: false },
  SUBACCOUNT_HAS_POSITIONS: { make: SubaccountHasPositionsError, retryable: false },
  SUBACCOUNT_HAS_OPEN_ORDERS: { make: SubaccountHasOpenOrdersError, retryable: false },
  PROPOSAL_STATE_INVALID: { make: ProposalStateInvalidError, retryable: false },
  RFQ_NOT_OPEN: { make: RfqNotOpenError, retryable: false },
  RESOLUTION_CHALLENGE_OPEN: { make: ResolutionChallengeOpenError, retryable: false },
  BOUNTY_ALREADY_CLAIMED: { make: BountyAlreadyClaimedError, retryable: false },
  RISK_LIMIT_BREACH: { make: RiskLimitBreachError, retryable: false },
  BUILDER_FEE_ABOVE_CAP: { make: BuilderFeeAboveCapError, retryable: false },
  MARKET_HALTED: { make: MarketHaltedError, retryable: false },
  MARKET_CLOSED: { make: MarketClosedError, retryable: false },
  MARKET_NOT_APPROVED: { make: MarketNotApprovedError, retryable: false },
  MARKET_TEMPLATE_UNKNOWN: { make: MarketTemplateUnknownError, retryable: false },
  MARKET_TEMPLATE_PARAM_INVALID: { make: MarketTemplateParamInvalidError, retryable: false },
  ORACLE_ADAPTER_UNKNOWN: { make: OracleAdapterUnknownError, retryable: false },
  ORACLE_DISAGREEMENT: { make: OracleDisagreementError, retryable: false },
  RESOLUTION_LOCKED: { make: ResolutionLockedError, retryable: false },
  DISPUTE_ALREADY_OPEN: { make: DisputeAlreadyOpenError, retryable: false },
  ANTI_ABUSE_BLOCKED: { make: AntiAbuseBlockedError, retryable: false },
  OPERATOR_AGREEMENT_MISSING: { make: OperatorAgreementMissingError, retryable: false },
  PASSWORD_TOO_WEAK: { make: PasswordTooWeakError, retryable: false },
  DELEGATION_DAILY_CAP_EXCEEDED: { make: DelegationDailyCapExceededError, retryable: false },
  BALANCE_INSUFFICIENT: { make: BalanceInsufficientError, retryable: false },
  COMBO_COMPONENT_HALTED: { make: ComboComponentHaltedError, retryable: false },
  RFQ_QUOTE_OUT_OF_BOUNDS: { make: RfqQuoteOutOfBoundsError, retryable: false },
  INCENTIVE_BUDGET_EXCEEDED: { make: IncentiveBudgetExceededError, retryable: false },
  DATA_RANGE_TOO_LARGE_FOR_TIER: { make: DataRangeTooLargeForTierError, retryable: false },
  RESOLUTION_EVIDENCE_MISSING: { make: ResolutionEvidenceMissingError, retryable: false },
  WEBHOOK_EVENT_UNKNOWN: { make: WebhookEventUnknownError, retryable: false },
  RATE_LIMITED: { make: RateLimitedError, retryable: true },
  TIER_LIMIT_EXCEEDED: { make: TierLimitExceededError, retryable: false },
  SANDBOX_KEY_DAILY_LIMIT: { make: SandboxKeyDailyLimitError, retryable: false },
  INTERNAL_ERROR: { make: InternalError, retryable: true },
  MCP_NOT_IMPLEMENTED: { make: McpNotImplementedError, retryable: false },
  UPSTREAM_ERROR: { make: UpstreamError, retryable: true },
  ORACLE_ADAPTER_ERROR: { make: OracleAdapterError, retryable: true },
  SERVICE_UNAVAILABLE: { make: ServiceUnavailableError, retryable: true },
  MAINTENANCE: { make: MaintenanceError, retryable: true },
  READ_ONLY_MODE: { make: ReadOnlyModeError, retryable: true },
  UPSTREAM_TIMEOUT: { make: UpstreamTimeoutError, retryable: true },
} as const;
