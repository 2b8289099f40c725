// The closed list of refusals, in order of precedence: when several apply, the first is given.

/** Each code is the interface's error code of the same name. */
export const REJECT_CODES = [
  'IDEMPOTENCY_BODY_MISMATCH',
  'READ_ONLY_MODE',
  'VALIDATION_FAILED',
  'SANDBOX_ONLY',
  'PROD_ONLY',
  'NOT_FOUND',
  'DELEGATION_EXPIRED',
  'SUBACCOUNT_FROZEN',
  'COMPLIANCE_GATE_BLOCKED',
  'MARKET_TEMPLATE_UNKNOWN',
  'TEMPLATE_SCHEMA_INVALID',
  'TEMPLATE_DISPLAY_KEY_MISSING',
  'ORACLE_ADAPTER_UNKNOWN',
  'MARKET_TEMPLATE_PARAM_INVALID',
  'MARKET_NOT_FOUND',
  'ALREADY_EXISTS',
  'CONFLICT',
  'SUBACCOUNT_LABEL_TAKEN',
  'SUBACCOUNT_HAS_OPEN_ORDERS',
  'SUBACCOUNT_HAS_POSITIONS',
  'SUBACCOUNT_HAS_BALANCE',
  'MARKET_NOT_APPROVED',
  'MARKET_CLOSED',
  'MARKET_HALTED',
  'RESOLUTION_LOCKED',
  'PROPOSAL_STATE_INVALID',
  'STATE_CONFLICT',
  'RESOLUTION_EVIDENCE_MISSING',
  'ORACLE_DISAGREEMENT',
  'RESOLUTION_CHALLENGE_OPEN',
  'DISPUTE_ALREADY_OPEN',
  'ORACLE_BOND_INSUFFICIENT',
  'RATE_LIMITED',
  'TIER_LIMIT_EXCEEDED',
  'DELEGATION_DAILY_CAP_EXCEEDED',
  'RISK_LIMIT_BREACH',
  'BUILDER_FEE_ABOVE_CAP',
  'BALANCE_INSUFFICIENT',
] as const;

export type RejectCode = (typeof REJECT_CODES)[number];

export type RejectDetail = string | number | bigint | null;

export interface Rejection {
  readonly code: RejectCode;
  readonly details: Readonly<Record<string, RejectDetail>>;
}

export function reject(
  code: RejectCode,
  details: Readonly<Record<string, RejectDetail>> = {},
): Rejection {
  return { code, details };
}

/** A value that fails its check: names the field and what was expected of it. */
export function invalid(field: string, expected: string, nearest?: string): Rejection {
  return nearest === undefined
    ? { code: 'VALIDATION_FAILED', details: { field, expected } }
    : { code: 'VALIDATION_FAILED', details: { field, expected, nearest } };
}

const REASON_LENGTH_MAX = 256;

/** Why an operator did something, as those who are concerned read it. */
export function isReason(reason: unknown): boolean {
  return typeof reason === 'string' && reason.length > 0 && reason.length <= REASON_LENGTH_MAX;
}
