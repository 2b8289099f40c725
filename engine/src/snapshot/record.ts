// The lines of a snapshot: one tagged record each, in an order that depends on the state alone.
import type { PoolRecord } from '../amm/pool.ts';
import type { Limit, LimitKind } from '../compliance/own-limits.ts';
import type { DepositRecord, WithdrawalRecord } from '../funds/funds.ts';
import type { OrderRecord } from '../generated/order.ts';
import type { AccountId, LaneName, MarketId, OrderId, TemplateId } from '../kit/identity.ts';
import type { AccountMode } from '../state/command.ts';
import type { OrderStatus } from '../state/event.ts';
import type { QualityRun } from '../state/holding.ts';
import type { Dispute, MarketTerms, Proposal, UnvestedFee } from '../state/market.ts';
import type { Answer } from '../state/outcome.ts';
import type { ParameterChange } from '../state/parameter-change.ts';
import type { Parameters } from '../state/parameters.ts';
import type { ArmedHeartbeat, FaucetUse, IdleSpan, RememberedCommand } from '../state/state.ts';
import type { Template, TemplateDefinition } from '../template/template.ts';
import type { Timer } from '../timer/timer-queue.ts';

/** Raised when a record's meaning changes; a reader refuses what it does not know. */
export const SNAPSHOT_FORMAT = 1;

export type SnapshotRecord =
  | HeaderRecord
  | TemplateRecord
  | AccountRecord
  | MarketRecord
  | HoldingRecord
  | OrderRecord
  | BalanceRecord
  | ClosedOrderRecord
  | {
      readonly is: 'client_order_id';
      readonly accountId: AccountId;
      readonly clientOrderId: string;
      readonly orderId: OrderId;
      readonly atMs: number;
    }
  | {
      readonly is: 'command_key';
      readonly key: string;
      readonly value: RememberedCommand & { readonly answer: Answer };
    }
  | ({ readonly is: 'deposit' } & DepositRecord)
  | ({ readonly is: 'withdrawal' } & WithdrawalRecord)
  /** What had come in before deposits were recorded; left out where it is nothing. */
  | { readonly is: 'unrecorded_funds'; readonly amount: bigint }
  | ({ readonly is: 'faucet_use'; readonly key: string } & FaucetUse)
  | {
      readonly is: 'cap_use';
      readonly scope: string;
      readonly day: number;
      readonly used: bigint;
    }
  | OwnLimitsRecord
  /** Only once rules were set. */
  | { readonly is: 'compliance'; readonly version: number; readonly hash: string }
  | { readonly is: 'heartbeat'; readonly key: string; readonly value: ArmedHeartbeat }
  /** Due already: a tick stopped before it rang. What is due later follows from what it is for. */
  | { readonly is: 'due_timer'; readonly timer: Timer }
  | { readonly is: 'end'; readonly records: number };

export interface ClosedOrderRecord {
  readonly is: 'closed_order';
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly status: OrderStatus;
}

/** Of a family whose owner has set some, by the id of its owner. */
export interface OwnLimitsRecord {
  readonly is: 'own_limits';
  readonly accountId: AccountId;
  readonly limits: Readonly<Record<LimitKind, readonly Limit[]>>;
  readonly excludedUntilMs: number;
  readonly periods: readonly number[];
  readonly deposited: readonly bigint[];
  readonly base: readonly bigint[];
}

export interface HeaderRecord {
  readonly is: 'state';
  readonly format: number;
  readonly lane: LaneName;
  readonly parameters: Parameters;
  readonly parameterChanges: readonly ParameterChange[];
  readonly seq: number;
  readonly nowMs: number;
  readonly readOnly: boolean;
  readonly cancelOnly: boolean;
  readonly recoveredAtMs: number;
  readonly idleSpans: readonly IdleSpan[];
  readonly pausedMs: number;
  readonly nextOrderId: number;
  readonly nextTradeId: number;
  readonly nextPriority: number;
}

export interface TemplateRecord {
  readonly is: 'template';
  readonly definition: TemplateDefinition;
  readonly version: number;
  readonly schema: Template['schema'];
  readonly status: Template['status'];
}

export interface AccountRecord {
  readonly is: 'account';
  readonly id: AccountId;
  readonly mode: AccountMode;
  readonly parentId: AccountId | null;
  readonly referrerId: AccountId | null;
  readonly openedAtMs: number;
  readonly label: string | null;
  readonly closedAtMs: number | null;
  readonly frozenByOwner: boolean;
  readonly frozenByOperator: boolean;
  readonly frozenReason: string | null;
  readonly chainData: string | null;
  readonly netDeposits: bigint;
  readonly realized: bigint;
  readonly staked: bigint;
}

/** Where its bonds stand in the ledger follows from the balances. */
export type StoredProposal = Omit<Proposal, 'bondAccount' | 'dispute'> & {
  readonly dispute: Omit<Dispute, 'bondAccount'> | null;
};

export interface MarketRecord
  extends Omit<MarketTerms, 'template' | 'creator' | 'pool' | 'proposal'> {
  readonly is: 'market';
  readonly templateId: TemplateId;
  readonly templateVersion: number;
  readonly creatorId: AccountId;
  readonly pool: PoolRecord | null;
  readonly proposal: StoredProposal | null;
  /** Whose fees wait in it, in the order in which they were first kept. */
  readonly fees: readonly Pick<UnvestedFee, 'actor' | 'id'>[];
}

export interface HoldingRecord {
  readonly is: 'holding';
  readonly marketId: MarketId;
  readonly accountId: AccountId;
  /** Those that have traded come first, in the order in which they did. */
  readonly hasTraded: boolean;
  readonly cost: readonly bigint[];
  readonly realized: readonly bigint[];
  readonly kept: bigint;
  readonly quality: number;
  readonly samples: readonly QualityRun[];
  /** Lots filled as a maker today and yesterday, and not used; left out where there are none. */
  readonly made?: readonly [today: number, before: number];
}

/** Only balances other than zero: an account opened and emptied leaves no trace. */
export interface BalanceRecord {
  readonly is: 'balance';
  readonly name: string;
  readonly balance: bigint;
}
