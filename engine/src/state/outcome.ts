// What one command came to: its events, and the answer its sender gets.
import type { Lots, Usdt } from '@sibyl/money';
import type { DepositRecord, WithdrawalRecord } from '../funds/funds.ts';
import type { AccountId, MarketId, OrderId } from '../kit/identity.ts';
import type { Event, FillVenue, OrderView } from './event.ts';
import type { Rejection } from './reject.ts';

export interface Outcome {
  readonly seq: number;
  readonly atMs: number;
  /** Those of timers that fell due come first and stand even when the command is rejected. */
  readonly events: readonly Event[];
  readonly answer: Answer;
  /** True when the answer was recorded by an earlier command with the same key. */
  readonly replayed: boolean;
}

export type Answer =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly rejection: Rejection };

export type Result =
  | { readonly kind: 'done' }
  | { readonly kind: 'account'; readonly accountId: AccountId }
  | { readonly kind: 'amount'; readonly accountId: AccountId; readonly amount: Usdt }
  | { readonly kind: 'deposit'; readonly deposit: DepositRecord }
  | { readonly kind: 'withdrawal'; readonly withdrawal: WithdrawalRecord }
  | { readonly kind: 'market'; readonly marketId: MarketId; readonly existed: boolean }
  | { readonly kind: 'converted'; readonly lots: Lots; readonly fee: Usdt }
  | {
      readonly kind: 'order';
      readonly order: OrderView;
      readonly fillVenue: FillVenue | null;
    }
  | {
      readonly kind: 'cancelled';
      readonly cancelled: readonly OrderId[];
      readonly notCancelled: readonly {
        readonly orderId: OrderId;
        readonly code: 'NOT_FOUND' | 'STATE_CONFLICT';
      }[];
    }
  | { readonly kind: 'batch'; readonly items: readonly Answer[] };

export const DONE: Result = { kind: 'done' };
