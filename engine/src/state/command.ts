// Every input of the engine: a command carries its sequence number, its time, who asked, and all that was decided outside.
import type { Lots, Pips, Usdt } from '@sibyl/money';
import type { ExcludeSelf, SetCompliance, SetOwnLimits } from '../compliance/commands.ts';
import type { CreditFees, PayPlatformFees } from '../fee/commands.ts';
import type {
  AdvanceWithdrawal,
  CancelWithdrawal,
  CorrectBalance,
  Deposit,
  ReportDeposit,
  Withdraw,
} from '../funds/commands.ts';
import type { PlaceOrder } from '../generated/order.ts';
import type { AccountId, MarketId, OrderId, OutcomeId, Side, TemplateId } from '../kit/identity.ts';
import type { ProposeVoid, ProposeVoidRounds } from '../resolution/commands.ts';
import type { TemplateDefinition } from '../template/template.ts';
import type {
  AttachChainData,
  ClarifyMarket,
  SetParameters,
  SetReadOnly,
  SetTickSize,
} from './operator-command.ts';

export type * from '../compliance/commands.ts';
export type * from '../fee/commands.ts';
export type * from '../funds/commands.ts';
export type { PlaceOrder, StpMode, TimeInForce } from '../generated/order.ts';
export type * from '../resolution/commands.ts';
export type * from './operator-command.ts';

export interface CommandHeader {
  /** The position in the total order: exactly one more than the one before. */
  readonly seq: number;
  /** Journal time. Earlier than the last command's, it counts as the last command's. */
  readonly atMs: number;
  readonly actor: Actor;
  /** Present on commands whose retry must give the recorded result. */
  readonly key?: CommandKey;
}

/** Who asked, for the record and for the checks that the engine repeats behind the gateway. */
export type Actor =
  | { readonly kind: 'account'; readonly accountId: AccountId; readonly keyId: string | null }
  | { readonly kind: 'operator'; readonly name: string; readonly reason: string }
  | { readonly kind: 'system' };

export interface CommandKey {
  /** Account, method and path, so that one client's key never finds another's result. */
  readonly scope: string;
  readonly key: string;
  /** Fingerprint of the request body: the same key with another body is refused. */
  readonly bodyHash: string;
}

export type Command = CommandHeader & CommandBody;

export type CommandBody =
  | OpenAccount
  | OpenSubaccount
  | ChangeSubaccount
  | FreezeAccount
  | Deposit
  | CorrectBalance
  | ReportDeposit
  | Withdraw
  | AdvanceWithdrawal
  | CancelWithdrawal
  | CreditFees
  | PayPlatformFees
  | Transfer
  | Faucet
  | ResetAccount
  | CloseAccount
  | RegisterDemo
  | MintSets
  | MergeSets
  | PublishTemplate
  | DeprecateTemplate
  | CreateMarket
  | ApproveMarket
  | HaltMarket
  | ResumeMarket
  | CancelMarket
  | SetTickSize
  | ClarifyMarket
  | AttachChainData
  | ProposeResolution
  | ProposeVoid
  | ProposeVoidRounds
  | DisputeResolution
  | RuleResolution
  | ReportReadings
  | MockOracle
  | PlaceOrder
  | SellMinted
  | AmendOrder
  | CancelOrder
  | CancelOrders
  | Heartbeat
  | Batch
  | SetReadOnly
  | SetCompliance
  | SetOwnLimits
  | ExcludeSelf
  | SetParameters
  | UpgradeEngine
  | Recover
  | Tick;

/** `bot`: one of the exchange's own accounts in the sandbox. */
export type AccountMode = 'live' | 'sandbox' | 'demo' | 'bot';

export interface OpenAccount {
  readonly type: 'open_account';
  readonly accountId: AccountId;
  readonly mode: AccountMode;
  /** The owner of a subaccount; self-trade prevention treats the family as one. */
  readonly parentId: AccountId | null;
  readonly referrerId: AccountId | null;
}

/** By its owner, or by an operator for it. */
export interface OpenSubaccount {
  readonly type: 'open_subaccount';
  /** The owner. */
  readonly accountId: AccountId;
  readonly subaccountId: AccountId;
  readonly label: string;
}

export interface ChangeSubaccount {
  readonly type: 'change_subaccount';
  /** The subaccount. */
  readonly accountId: AccountId;
  /** Null leaves it as it is. */
  readonly label: string | null;
  readonly status: SubaccountStatus | null;
}

export type SubaccountStatus = 'active' | 'frozen' | 'closed';

export interface FreezeAccount {
  readonly type: 'freeze_account';
  readonly accountId: AccountId;
  readonly frozen: boolean;
  /** What the owner is told. */
  readonly reason?: string;
}

export interface Transfer {
  readonly type: 'transfer';
  readonly fromId: AccountId;
  readonly toId: AccountId;
  readonly amount: Usdt;
}

export interface Faucet {
  readonly type: 'faucet';
  readonly accountId: AccountId;
  /** The key that asked, else null: the hourly limit counts per key and per family. */
  readonly keyId: string | null;
}

export interface ResetAccount {
  readonly type: 'reset_account';
  readonly accountId: AccountId;
}

/** For demo accounts and accounts of anonymous keys that are no longer used. */
export interface CloseAccount {
  readonly type: 'close_account';
  readonly accountId: AccountId;
}

/** The visitor of a demo account has registered: the account is theirs from now on. */
export interface RegisterDemo {
  readonly type: 'register_demo';
  readonly accountId: AccountId;
  readonly referrerId: AccountId | null;
}

export interface MintSets {
  readonly type: 'mint_sets';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly lots: Lots;
  readonly caps: TierCaps | null;
  readonly grant: GrantTerms | null;
}

export interface MergeSets {
  readonly type: 'merge_sets';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly lots: Lots;
}

export interface PublishTemplate {
  readonly type: 'publish_template';
  readonly template: TemplateDefinition;
}

export interface DeprecateTemplate {
  readonly type: 'deprecate_template';
  readonly templateId: TemplateId;
}

export type ParamValue = string | number | boolean;

export interface CreateMarket {
  readonly type: 'create_market';
  /** Whose free balance funds the deposit; a platform market names acc_platform. */
  readonly accountId: AccountId;
  readonly templateId: TemplateId;
  readonly params: Readonly<Record<string, ParamValue>>;
  readonly displayTitle: string | null;
  readonly displayImageUrl: string | null;
}

export interface ApproveMarket {
  readonly type: 'approve_market';
  readonly marketId: MarketId;
}

export interface HaltMarket {
  readonly type: 'halt_market';
  readonly marketId: MarketId;
  readonly untilMs: number | null;
  readonly reason: string;
}

export interface ResumeMarket {
  readonly type: 'resume_market';
  readonly marketId: MarketId;
}

/** Of a market without a trade: its deposit returns in full. A traded one is cancelled by `propose_void`. */
export interface CancelMarket {
  readonly type: 'cancel_market';
  readonly marketId: MarketId;
  readonly reason: string;
}

/** What a source, an arbiter or the mock oracle says of a market. */
export type ResolutionResult =
  | { readonly kind: 'outcome'; readonly outcomeId: OutcomeId }
  | { readonly kind: 'payout'; readonly payout: readonly Pips[] }
  /** Scalar markets: the exact decimal reading, mapped onto the bounds by ST3. */
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'void' };

export interface ProposeResolution {
  readonly type: 'propose_resolution';
  readonly marketId: MarketId;
  /** Null when the operator or an automatic source proposes: then no bond is taken. */
  readonly proposerId: AccountId | null;
  readonly result: ResolutionResult;
  readonly evidence: readonly string[];
  readonly bond: Usdt;
}

export interface DisputeResolution {
  readonly type: 'dispute_resolution';
  readonly marketId: MarketId;
  readonly accountId: AccountId;
  readonly evidence: readonly string[];
  readonly bond: Usdt;
}

/** `too_early` gives the market back: nothing was decided yet. */
export type Ruling = 'upheld' | 'overturned' | 'void' | 'too_early';

export interface RuleResolution {
  readonly type: 'rule_resolution';
  readonly marketId: MarketId;
  readonly ruling: Ruling;
  /** The new result of an overturned proposal, else null. */
  readonly result: ResolutionResult | null;
  /** Only one operator is able to act: then the proposer of a cancellation may confirm it. */
  readonly alone?: boolean;
}

export interface ReportReadings {
  readonly type: 'report_readings';
  readonly marketId: MarketId;
  /** One reading per automatic source; all must agree to the digit. */
  readonly readings: readonly { readonly source: string; readonly value: string }[];
}

export interface MockOracle {
  readonly type: 'mock_oracle';
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly winningOutcomeId: OutcomeId;
}

/** The ceilings of the credential that sent the command; null means none. */
export interface TierCaps {
  readonly tier: string;
  readonly keyId: string;
  readonly orderMax: Usdt | null;
  readonly dayMax: Usdt | null;
}

/** The grant that the command is sent under, and what its giver allows; null where nobody acts for another. */
export interface GrantTerms {
  readonly grantId: string;
  /** What all commands under it may come to on one UTC day; null means no limit. */
  readonly dayMax: Usdt | null;
  /** From then on it allows nothing. */
  readonly expiresAtMs: number;
}

export interface BuilderFee {
  readonly appId: string;
  readonly feeBps: number;
  /** The app's own cap, at most the global one. */
  readonly capBps: number;
  /** The app is of the user that trades: its part of the fee is the treasury's. */
  readonly isOwn?: boolean;
}

/** A fok sell of as many shares as complete sets are minted for it: bought is every other outcome. */
export interface SellMinted {
  readonly type: 'sell_minted';
  readonly accountId: AccountId;
  readonly order: PlaceOrder;
}

export interface AmendOrder {
  readonly type: 'amend_order';
  readonly accountId: AccountId;
  readonly orderId: OrderId;
  /** Null keeps what the order has. */
  readonly price: Pips | null;
  /** The new total size, what has filled included. */
  readonly lots: Lots | null;
  readonly acceptPrice?: boolean;
  readonly caps: TierCaps | null;
  readonly grant: GrantTerms | null;
}

export interface CancelOrder {
  readonly type: 'cancel_order';
  readonly accountId: AccountId;
  readonly orderId: OrderId;
  /** Present if only orders of this grant are meant. */
  readonly grantId?: string;
}

export interface CancelOrders {
  readonly type: 'cancel_orders';
  readonly accountId: AccountId;
  readonly marketId: MarketId | null;
  readonly outcomeId: OutcomeId | null;
  readonly side: Side | null;
  readonly orderIds: readonly OrderId[] | null;
  readonly grantId?: string;
  /** Present if the owner's connection was lost or the grant has ended; by default the actor is the reason. */
  readonly reason?: 'disconnect' | 'grant_ended';
}

export interface Heartbeat {
  readonly type: 'heartbeat';
  readonly accountId: AccountId;
  /** 0 disarms; otherwise 5,000 to 300,000. */
  readonly timeoutMs: number;
  /** Null covers every market. */
  readonly marketId: MarketId | null;
}

export type BatchItem = PlaceOrder | AmendOrder | CancelOrder;

export interface Batch {
  readonly type: 'batch';
  readonly accountId: AccountId;
  readonly items: readonly BatchItem[];
  /** Refuse the whole batch when one item fails the checks on the state before the batch. */
  readonly allOrNone: boolean;
}

/**
 * First command of an engine that goes on with the state of the one before it; the state was carried over when it is
 * applied. The hashes are of the state as the former engine left it and as this one took it over.
 */
export interface UpgradeEngine {
  readonly type: 'upgrade_engine';
  readonly fromLogic: number;
  readonly toLogic: number;
  readonly hashBefore: string;
  readonly hashAfter: string;
}

/** First command after a start: no market is voided for want of a proposal within the hour after. */
export interface Recover {
  readonly type: 'recover';
}

/** Lets due timers run; changes nothing of its own. */
export interface Tick {
  readonly type: 'tick';
}
