// Why an order ended, as a number that rows of history hold for good.
import type { CancelReason, RejectReason } from '@sibyl/engine';

export type EndReason = RejectReason | CancelReason;

/** A number is never given to another reason, whatever is added. */
const CODES: Readonly<Record<EndReason, number>> = {
  fok_unfilled: 0,
  post_only_would_take: 1,
  late: 2,
  nothing_to_reduce: 3,
  user: 4,
  expired: 5,
  ioc_remainder: 6,
  self_trade_prevented: 7,
  market_locked: 8,
  market_cancelled: 9,
  dead_man: 10,
  reset: 11,
  admin: 12,
  price_band: 13,
  too_many_steps: 14,
  disconnect: 15,
  account_frozen: 16,
};

const REASONS = new Map(Object.entries(CODES).map(([reason, code]) => [code, reason as EndReason]));

export const NO_REASON = -1;

export function reasonCode(reject: RejectReason | null, cancel: CancelReason | null): number {
  const reason = reject ?? cancel;
  return reason === null ? NO_REASON : CODES[reason];
}

/** Null for an order that has not ended, or was filled. */
export function reasonOf(code: number): EndReason | null {
  return REASONS.get(code) ?? null;
}
