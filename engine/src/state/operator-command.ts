// Commands by which operators act on a lane, its markets and its records.
import type { Pips } from '@sibyl/money';
import type { AccountId, MarketId, TradeId } from '../kit/identity.ts';

export interface SetReadOnly {
  readonly type: 'set_read_only';
  readonly readOnly: boolean;
  /** The lane is halted: nobody trades, the system neither (CM14). Absent: it is not. */
  readonly cancelOnly?: boolean;
  readonly reason: string;
}

/** To a finer one that divides the one before, so that every open order stays where it is. */
export interface SetTickSize {
  readonly type: 'set_tick_size';
  readonly marketId: MarketId;
  readonly tickPips: Pips;
}

export interface ClarifyMarket {
  readonly type: 'clarify_market';
  readonly marketId: MarketId;
  readonly text: string;
}

/** What settlement metadata can be attached to. */
export type ChainRecord =
  | { readonly kind: 'market'; readonly id: MarketId }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'trade'; readonly id: TradeId };

export interface AttachChainData {
  readonly type: 'attach_chain_data';
  readonly record: ChainRecord;
  /** An object as JSON; null takes it off again. */
  readonly data: string | null;
}

/** Those of the lane's parameters that an operator may change while it runs. */
export type ParameterPart = 'fee' | 'quality' | 'band' | 'risk' | 'resolution';
export type ParameterValue = number | boolean | bigint;

export interface SetParameters {
  readonly type: 'set_parameters';
  readonly part: ParameterPart;
  /** What is not named stays as it is. */
  readonly values: Readonly<Record<string, ParameterValue>>;
}
