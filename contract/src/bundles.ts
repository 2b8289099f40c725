// Bundles of error codes that many operations share, named after what brings them.

import type { ErrorCode } from './errors.ts';

/** Every operation; of those that no maintenance stops, health and the operator plane, these are all. */
export const unstoppable = [
  'BAD_REQUEST',
  'VALIDATION_FAILED',
  'MISSING_FIELD',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'UPSTREAM_TIMEOUT',
] as const satisfies readonly ErrorCode[];

/** Every operation that maintenance may stop. */
export const common = [...unstoppable, 'MAINTENANCE'] as const satisfies readonly ErrorCode[];

/** Operations that need a credential. */
export const credentialed = [
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'WRONG_ENV_KEY',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
  'TOKEN_INVALID',
  'SCOPE_MISSING',
  'APP_DISABLED',
] as const satisfies readonly ErrorCode[];

/** Public operations that look at a credential when one is sent: a bad one is told, not ignored. */
export const presented = [
  'AUTH_INVALID',
  'WRONG_ENV_KEY',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
  'TOKEN_INVALID',
] as const satisfies readonly ErrorCode[];

/** Operations that read an Idempotency-Key if there is one. */
export const replayable = [
  'IDEMPOTENCY_KEY_MALFORMED',
  'IDEMPOTENCY_BODY_MISMATCH',
  'IDEMPOTENCY_IN_FLIGHT',
] as const satisfies readonly ErrorCode[];

/** Writes that read-only mode stops. */
export const write = [...replayable, 'READ_ONLY_MODE'] as const satisfies readonly ErrorCode[];

/** Writes that move money and are new here: the Idempotency-Key is required. */
export const keyedWrite = [
  ...write,
  'IDEMPOTENCY_KEY_MISSING',
] as const satisfies readonly ErrorCode[];

/** An id in the path. */
export const identified = [
  'ID_MALFORMED',
  'ID_INVALID_KIND',
  'NOT_FOUND',
] as const satisfies readonly ErrorCode[];

/** The id of a market in the path: an unknown one is MARKET_NOT_FOUND, never NOT_FOUND. */
export const marketIdentified = [
  'ID_MALFORMED',
  'ID_INVALID_KIND',
  'MARKET_NOT_FOUND',
] as const satisfies readonly ErrorCode[];

/** A new secret in the place of the one before, of what the path names. */
export const newSecret = [
  ...common,
  ...credentialed,
  ...write,
  ...identified,
  'STATE_CONFLICT',
  'STEP_UP_MFA_REQUIRED',
] as const satisfies readonly ErrorCode[];

/** Money or market access. */
export const compliance = [
  'JURISDICTION_BLOCKED',
  'SANCTIONS_HIT',
  'COMPLIANCE_GATE_BLOCKED',
  'ANTI_ABUSE_BLOCKED',
] as const satisfies readonly ErrorCode[];

/** Requests on behalf of somebody else. */
export const delegated = [
  'DELEGATION_MISSING',
  'DELEGATION_EXPIRED',
  'DELEGATION_SCOPE_MISMATCH',
] as const satisfies readonly ErrorCode[];

/** The same where it spends something: then the grant's day may be used up, an app's too. */
const delegatedSpending = [
  ...delegated,
  'DELEGATION_DAILY_CAP_EXCEEDED',
] as const satisfies readonly ErrorCode[];

/** Orders, by whoever may send them. */
export const ordering = [
  ...common,
  ...credentialed,
  ...write,
  ...compliance,
  ...delegatedSpending,
] as const satisfies readonly ErrorCode[];

/** Spending in one piece, by whoever may: many orders at once, or one position turned into another. */
export const keyedSpending = [
  ...common,
  ...credentialed,
  ...keyedWrite,
  ...compliance,
  ...delegatedSpending,
] as const satisfies readonly ErrorCode[];

/** Requests with the publishable key of a widget. */
export const embedded = ['WIDGET_ORIGIN_BLOCKED'] as const satisfies readonly ErrorCode[];
