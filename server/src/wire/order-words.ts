// Why orders end, in the words of the interface.
import type { cancelReasons, rejectReasons } from '@sibyl/contract';
import type { CancelReason, RejectReason } from '@sibyl/engine';

export type WireRejectReason = (typeof rejectReasons)[number];
export type WireCancelReason = (typeof cancelReasons)[number];

export const REJECT_REASONS: Readonly<Record<RejectReason, WireRejectReason>> = {
  fok_unfilled: 'fok_unfillable',
  post_only_would_take: 'post_only_would_cross',
  late: 'late',
  nothing_to_reduce: 'nothing_to_reduce',
};

export const CANCEL_REASONS: Readonly<Record<CancelReason, WireCancelReason>> = {
  user: 'user',
  ioc_remainder: 'ioc_remainder',
  self_trade_prevented: 'self_trade_prevented',
  expired: 'expired',
  market_locked: 'market_locked',
  market_cancelled: 'market_cancelled',
  dead_man: 'dead_man',
  reset: 'reset',
  account_frozen: 'admin',
  admin: 'admin',
  price_band: 'price_band',
  too_many_steps: 'too_many_steps',
  disconnect: 'disconnect',
  grant_ended: 'grant_ended',
};
