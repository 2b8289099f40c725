// Everything the engine says happened: past tense, and enough for a projection to need nothing else.
import type { Lots, Pips, Usdt } from '@sibyl/money';
import type { DepositRecord, WithdrawalRecord } from '../funds/funds.ts';
import type { CancelReason, FillVenue, OrderView } from '../generated/order.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, TemplateId } from '../kit/identity.ts';
import type { LedgerPosted } from '../ledger/tape.ts';
import type {
  MarketCancelled,
  ProposalOverdue,
  ResolutionDisputed,
  ResolutionProposed,
  ResolutionRuled,
  ResolutionWindowMoved,
  RulingOverdue,
} from '../resolution/events.ts';
import type { TradeExecuted } from '../route/trade-executed.ts';
import type { TemplateDefinition } from '../template/template.ts';
import type {
  AccountMode,
  ChainRecord,
  EarningActor,
  OwnLimitValues,
  ParameterPart,
  ParameterValue,
  PlatformFund,
} from './command.ts';
import type { MarketStatus } from './market.ts';

export type { FeeSplit } from '../fee/split.ts';
export type {
  DepositRecord,
  DepositState,
  WithdrawalRecord,
  WithdrawalState,
} from '../funds/funds.ts';
export type {
  CancelReason,
  FillVenue,
  OrderStatus,
  OrderView,
  RejectReason,
} from '../generated/order.ts';
export type { LedgerPosted } from '../ledger/tape.ts';
export type * from '../resolution/events.ts';
export type { MakerFill, SpelledTrade, TradeExecuted } from '../route/trade-executed.ts';

export type Event =
  | AccountOpened
  | AccountFrozen
  | SubaccountRenamed
  | SubaccountClosed
  | AccountReset
  | AccountClosed
  | DemoRegistered
  | LedgerPosted
  | DepositUpdated
  | WithdrawalUpdated
  | FeesCredited
  | TemplatePublished
  | TemplateDeprecated
  | MarketCreated
  | MarketApproved
  | MarketStatusChanged
  | MarketHalted
  | MarketResumed
  | MarketResolved
  | MarketCancelled
  | TickSizeChanged
  | MarketClarified
  | ChainDataAttached
  | ResolutionProposed
  | ResolutionDisputed
  | ResolutionRuled
  | ResolutionWindowMoved
  | RulingOverdue
  | ProposalOverdue
  | OrderPlaced
  | OrderAmended
  | OrderCancelled
  | TradeExecuted
  | SetsConverted
  | PositionSettled
  | HeartbeatArmed
  | DeadManTriggered
  | QualitySampled
  | ReadOnlyChanged
  | ComplianceSet
  | OwnLimitsSet
  | SelfExcluded
  | ParametersChanged;

export interface AccountOpened {
  readonly type: 'account_opened';
  readonly accountId: AccountId;
  readonly mode: AccountMode;
  readonly parentId: AccountId | null;
  readonly referrerId: AccountId | null;
  /** Of a subaccount, else null. */
  readonly label: string | null;
}

export interface AccountFrozen {
  readonly type: 'account_frozen';
  readonly accountId: AccountId;
  readonly frozen: boolean;
  /** Who did it; a freeze by an operator is none that the owner can lift. */
  readonly by: 'owner' | 'operator';
  readonly reason: string | null;
}

export interface SubaccountRenamed {
  readonly type: 'subaccount_renamed';
  readonly accountId: AccountId;
  readonly label: string;
}

export interface SubaccountClosed {
  readonly type: 'subaccount_closed';
  readonly accountId: AccountId;
}

/** A demo account is one of a registered user now. */
export interface DemoRegistered {
  readonly type: 'demo_registered';
  readonly accountId: AccountId;
  readonly referrerId: AccountId | null;
}

export interface AccountReset {
  readonly type: 'account_reset';
  readonly accountId: AccountId;
}

export interface AccountClosed {
  readonly type: 'account_closed';
  readonly accountId: AccountId;
}

/** A deposit became known or went a step further; its money follows in the next event. */
export interface DepositUpdated {
  readonly type: 'deposit_updated';
  readonly accountId: AccountId;
  readonly deposit: DepositRecord;
}

/** A withdrawal was asked for or went a step further; its money follows in the next event. */
export interface WithdrawalUpdated {
  readonly type: 'withdrawal_updated';
  readonly accountId: AccountId;
  readonly withdrawal: WithdrawalRecord;
}

/** Vested fees became free money of an account; the entry follows in the next event. */
export interface FeesCredited {
  readonly type: 'fees_credited';
  readonly accountId: AccountId;
  readonly actor: EarningActor | PlatformFund;
  /** The account of a creator or a referrer, the app of a builder; empty for the platform's own. */
  readonly id: string;
  readonly amount: Usdt;
}

export type LedgerReason =
  | 'deposit'
  | 'correction'
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
  | 'bond_award'
  | 'revenue';

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

/** Open orders stay as they are. */
export interface TickSizeChanged {
  readonly type: 'tick_size_changed';
  readonly marketId: MarketId;
  readonly fromPips: Pips;
  readonly toPips: Pips;
}

export interface MarketClarified {
  readonly type: 'market_clarified';
  readonly marketId: MarketId;
  readonly text: string;
}

export interface ChainDataAttached {
  readonly type: 'chain_data_attached';
  readonly record: ChainRecord;
  readonly data: string | null;
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
  /** Fees that a cancellation returns, on the first outcome held; 0 on the others and in settlements. */
  readonly feesReturned: Usdt;
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
  readonly cancelOnly: boolean;
  readonly reason: string;
}

export interface ComplianceSet {
  readonly type: 'compliance_set';
  readonly version: number;
  readonly hash: string;
}

/** What the owner of a family asked for; what is higher than before holds a day later. */
export interface OwnLimitsSet {
  readonly type: 'own_limits_set';
  readonly accountId: AccountId;
  readonly limits: OwnLimitValues;
}

export interface SelfExcluded {
  readonly type: 'self_excluded';
  readonly accountId: AccountId;
  readonly untilMs: number;
}

export interface ParametersChanged {
  readonly type: 'parameters_changed';
  readonly version: number;
  readonly part: ParameterPart;
  readonly values: Readonly<Record<string, ParameterValue>>;
}
