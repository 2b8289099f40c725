// Everything the engine says happened: past tense, and enough for a projection to need nothing else.
import type { Lots, Pips, Usdt } from '@sibyl/money';
import type { AccountMode, Ruling } from './command.ts';
import type { CancelReason, FillVenue, OrderView } from './generated/order.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, TemplateId } from './identity.ts';
import type { LedgerPosted } from './ledger/tape.ts';
import type { MarketStatus } from './market/market.ts';
import type { TradeExecuted } from './route/trade-executed.ts';
import type { TemplateDefinition } from './template/template.ts';

export type { FeeSplit } from './fee/split.ts';
export type {
  CancelReason,
  FillVenue,
  OrderStatus,
  OrderView,
  RejectReason,
} from './generated/order.ts';
export type { LedgerPosted } from './ledger/tape.ts';
export type { MakerFill, SpelledTrade, TradeExecuted } from './route/trade-executed.ts';

export type Event =
  | AccountOpened
  | AccountFrozen
  | AccountReset
  | AccountClosed
  | LedgerPosted
  | TemplatePublished
  | TemplateDeprecated
  | MarketCreated
  | MarketApproved
  | MarketStatusChanged
  | MarketHalted
  | MarketResumed
  | MarketResolved
  | MarketCancelled
  | ResolutionProposed
  | ResolutionDisputed
  | ResolutionRuled
  | ResolutionWindowMoved
  | RulingOverdue
  | OrderPlaced
  | OrderAmended
  | OrderCancelled
  | TradeExecuted
  | SetsConverted
  | PositionSettled
  | HeartbeatArmed
  | DeadManTriggered
  | QualitySampled
  | ReadOnlyChanged;

export interface AccountOpened {
  readonly type: 'account_opened';
  readonly accountId: AccountId;
  readonly mode: AccountMode;
  readonly parentId: AccountId | null;
  readonly referrerId: AccountId | null;
}

export interface AccountFrozen {
  readonly type: 'account_frozen';
  readonly accountId: AccountId;
  readonly frozen: boolean;
}

export interface AccountReset {
  readonly type: 'account_reset';
  readonly accountId: AccountId;
}

export interface AccountClosed {
  readonly type: 'account_closed';
  readonly accountId: AccountId;
}

export type LedgerReason =
  | 'deposit'
  | 'withdrawal'
  | 'transfer'
  | 'faucet'
  | 'reset'
  | 'house_top_up'
  | 'market_deposit'
  | 'reserve'
  | 'release'
  | 'fill'
  | 'mint'
  | 'merge'
  | 'settlement'
  | 'refund'
  | 'vesting'
  | 'bond'
  | 'bond_return'
  | 'bond_award';

export interface TemplatePublished {
  readonly type: 'template_published';
  readonly template: TemplateDefinition;
  readonly version: number;
}

export interface TemplateDeprecated {
  readonly type: 'template_deprecated';
  readonly templateId: TemplateId;
}

export interface MarketCreated {
  readonly type: 'market_created';
  readonly marketId: MarketId;
  readonly templateId: TemplateId;
  readonly templateVersion: number;
  readonly accountId: AccountId;
  readonly title: string;
  /** What the template makes of the params, whatever the market shows. */
  readonly renderedTitle: string;
  readonly imageUrl: string | null;
  readonly outcomes: readonly { readonly id: OutcomeId; readonly label: string }[];
  readonly status: MarketStatus;
  readonly approved: boolean;
  readonly opensAtMs: number;
  readonly locksAtMs: number;
  readonly closesAtMs: number;
  readonly deposit: Usdt;
}

export interface MarketApproved {
  readonly type: 'market_approved';
  readonly marketId: MarketId;
}

export interface MarketStatusChanged {
  readonly type: 'market_status_changed';
  readonly marketId: MarketId;
  readonly from: MarketStatus;
  readonly to: MarketStatus;
}

export interface MarketHalted {
  readonly type: 'market_halted';
  readonly marketId: MarketId;
  readonly reason: string;
  readonly untilMs: number | null;
}

export interface MarketResumed {
  readonly type: 'market_resumed';
  readonly marketId: MarketId;
}

export interface MarketResolved {
  readonly type: 'market_resolved';
  readonly marketId: MarketId;
  readonly payout: readonly Pips[];
  /** What the pool's inventory paid to the market's creator. */
  readonly poolPayout: Usdt;
  readonly dust: Usdt;
}

export interface MarketCancelled {
  readonly type: 'market_cancelled';
  readonly marketId: MarketId;
  readonly reason: string;
  /** What went back to the creator. */
  readonly returned: Usdt;
  readonly dust: Usdt;
}

export interface ResolutionProposed {
  readonly type: 'resolution_proposed';
  readonly marketId: MarketId;
  readonly proposerId: AccountId | null;
  readonly payout: readonly Pips[];
  readonly evidence: readonly string[];
  readonly bond: Usdt;
  readonly windowEndsAtMs: number;
}

export interface ResolutionDisputed {
  readonly type: 'resolution_disputed';
  readonly marketId: MarketId;
  readonly accountId: AccountId;
  readonly evidence: readonly string[];
  readonly bond: Usdt;
}

export interface ResolutionRuled {
  readonly type: 'resolution_ruled';
  readonly marketId: MarketId;
  readonly ruling: Ruling;
  readonly payout: readonly Pips[] | null;
}

/** The challenge window stood still for a while and ends later than it was said. */
export interface ResolutionWindowMoved {
  readonly type: 'resolution_window_moved';
  readonly marketId: MarketId;
  readonly windowEndsAtMs: number;
}

/** Nobody has ruled on a dispute for so long that somebody should be told. */
export interface RulingOverdue {
  readonly type: 'ruling_overdue';
  readonly marketId: MarketId;
  readonly disputedAtMs: number;
}

/** First event of a placement; it already shows how the order came out. */
export interface OrderPlaced {
  readonly type: 'order_placed';
  readonly order: OrderView;
  readonly fillVenue: FillVenue | null;
}

export interface OrderAmended {
  readonly type: 'order_amended';
  readonly order: OrderView;
  /** False when the order went to the back of its queue. */
  readonly keptPlace: boolean;
}

export interface OrderCancelled {
  readonly type: 'order_cancelled';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly filledLots: Lots;
  readonly remainingLots: Lots;
  readonly reason: CancelReason;
}

export interface SetsConverted {
  readonly type: 'sets_converted';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly action: 'mint' | 'merge';
  readonly lots: Lots;
  readonly fee: Usdt;
}

/** A holder's outcome closed by settlement or cancellation; one per outcome held. */
export interface PositionSettled {
  readonly type: 'position_settled';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly outcomeId: OutcomeId;
  readonly lots: Lots;
  readonly payout: Usdt;
  readonly settleFee: Usdt;
  readonly realizedPnl: Usdt;
}

export interface HeartbeatArmed {
  readonly type: 'heartbeat_armed';
  readonly accountId: AccountId;
  readonly marketId: MarketId | null;
  /** Null when disarmed. */
  readonly expiresAtMs: number | null;
}

export interface DeadManTriggered {
  readonly type: 'dead_man_triggered';
  readonly accountId: AccountId;
  readonly marketId: MarketId | null;
  readonly cancelledCount: number;
}

/** Makers whose quality score changed when their market was looked at. */
export interface QualitySampled {
  readonly type: 'quality_sampled';
  readonly marketId: MarketId;
  readonly scores: readonly { readonly accountId: AccountId; readonly quality: number }[];
}

export interface ReadOnlyChanged {
  readonly type: 'read_only_changed';
  readonly readOnly: boolean;
  readonly reason: string;
}
