// The whole state of one lane: what apply changes and what a snapshot holds.

import type { ComplianceRules } from '../compliance/rules.ts';
import { Funds } from '../funds/funds.ts';
import { encodeUtf8 } from '../kit/canonical.ts';
import { ExpiringMap } from '../kit/expiring-map.ts';
import { HmacSha256 } from '../kit/hmac.ts';
import type { AccountId, LaneName, MarketId, OrderId, TemplateId } from '../kit/identity.ts';
import { asAccountId, asOrderId, asTradeId, type TradeId } from '../kit/identity.ts';
import { safeBound } from '../kit/micro.ts';
import { Tallies } from '../kit/tallies.ts';
import { CONTRA_NAMES, HOUSE_NAME, INSURANCE_NAME } from '../ledger/chart.ts';
import { type AccountIndex, Ledger } from '../ledger/ledger.ts';
import type { Template } from '../template/template.ts';
import { TimerQueue } from '../timer/timer-queue.ts';
import { ACCOUNT_AMOUNTS, Account, PLATFORM_ACCOUNT } from './account.ts';
import { CapUses } from './cap-use.ts';
import type { CommandKey } from './command.ts';
import { HoldingTable } from './holding-table.ts';
import type { Market } from './market.ts';
import { ClientOrderIds } from './orders/client-order-ids.ts';
import { OrderLists } from './orders/order-lists.ts';
import { OrderRegistry } from './orders/order-registry.ts';
import type { Answer } from './outcome.ts';
import type { PackedBatch } from './packed-answer.ts';
import type { ParameterChange } from './parameter-change.ts';
import { DEFAULT_PARAMETERS, type Parameters } from './parameters.ts';

export interface State {
  readonly lane: LaneName;
  parameters: Parameters;
  /** What made each version of them but the first, oldest first. */
  parameterChanges: readonly ParameterChange[];
  /** The limit of `parameters.risk` as a safe integer: every order that rests is held against it. */
  openNotionalMax: number;
  seq: number;
  /** Journal time: never goes back. */
  nowMs: number;
  /** The time of the command at hand: journal time comes there once its timers have rung. Not kept. */
  commandMs: number;
  readOnly: boolean;
  /** The rules that gateways go by; null before any were set. */
  compliance: ComplianceRules | null;
  /** Halted: never without `readOnly`. */
  cancelOnly: boolean;
  recoveredAtMs: number;
  /** Spans of journal time in which the lane was down or read-only, oldest first; see CM12. */
  readonly idleSpans: IdleSpan[];
  /** How long it was so, with the hours after recoveries. */
  pausedMs: number;
  nextOrderId: OrderId;
  nextTradeId: TradeId;
  /** Counts orders as they come to rest; decides who was first at a price. */
  nextPriority: number;
  readonly ledger: Ledger;
  /** Where the lane's money comes from: `external:bank` in live, `external:faucet` in the sandbox. */
  readonly contra: AccountIndex;
  readonly insurance: AccountIndex;
  /** Fee accounts that have vested, by `actor` or `actor:id`. */
  readonly vested: Map<string, AccountIndex>;
  /** The simulated counterparty of SF1; present in both lanes, used in the sandbox only. */
  readonly house: Account;
  readonly accounts: Map<AccountId, Account>;
  /** What every fill adds to, of all accounts. */
  readonly tallies: Tallies;
  readonly templates: Map<TemplateId, Template[]>;
  readonly markets: Map<MarketId, Market>;
  readonly holdings: HoldingTable;
  /** The open ones, and what became of the latest that closed. */
  readonly orders: OrderRegistry;
  readonly orderLists: OrderLists;
  readonly timers: TimerQueue;
  readonly clientOrderIds: ClientOrderIds;
  /** `scope|key`, oldest first. */
  readonly commandKeys: ExpiringMap<RememberedCommand>;
  /** What capped credentials have used of their day, and how often resets freed the faucet. */
  readonly capUses: CapUses;
  /** By faucet scope (`key:…`, `account:…`): its use within the faucet's interval. */
  readonly faucetUses: ExpiringMap<FaucetUse>;
  readonly funds: Funds;
  readonly heartbeats: Map<string, ArmedHeartbeat>;
  /** Markets that ended with holdings that say nothing: these are given up little by little. */
  readonly leftovers: Market[];
  /** Draws the times of the checks of QS4 under the lane's secret. */
  readonly checkTimes: HmacSha256;
}

export interface IdleSpan {
  readonly fromMs: number;
  toMs: number;
}

export interface RememberedCommand {
  readonly bodyHash: CommandKey['bodyHash'];
  readonly atMs: number;
  readonly seq: number;
  /** See packAnswer. */
  readonly answer: Answer | PackedBatch;
}

export interface FaucetUse {
  readonly atMs: number;
  /** The key that used it; null for a session. */
  readonly keyId: string | null;
}

export interface ArmedHeartbeat {
  readonly accountId: AccountId;
  readonly marketId: MarketId | null;
  readonly expiresAtMs: number;
}

export function createState(lane: LaneName, parameters: Parameters = DEFAULT_PARAMETERS): State {
  const ledger = new Ledger();
  const holdings = new HoldingTable();
  const contra = ledger.openUsdt(CONTRA_NAMES[lane], 'contra');
  const insurance = ledger.openUsdt(INSURANCE_NAME);
  const tallies = new Tallies(ACCOUNT_AMOUNTS);
  const house = new Account(ledger, tallies, { id: asAccountId(HOUSE_NAME), mode: 'sandbox' });
  const platform = new Account(ledger, tallies, { id: asAccountId(PLATFORM_ACCOUNT), mode: lane });
  const orders = new OrderRegistry(parameters.closedOrdersKept);
  return {
    lane,
    parameters,
    parameterChanges: [],
    openNotionalMax: safeBound(parameters.risk.openNotionalMax),
    seq: 0,
    nowMs: 0,
    commandMs: 0,
    readOnly: false,
    compliance: null,
    cancelOnly: false,
    recoveredAtMs: 0,
    idleSpans: [],
    pausedMs: 0,
    nextOrderId: asOrderId(1),
    nextTradeId: asTradeId(1),
    nextPriority: 1,
    ledger,
    contra,
    insurance,
    vested: new Map(),
    house,
    accounts: new Map([[platform.id, platform]]),
    tallies,
    templates: new Map(),
    markets: new Map(),
    holdings,
    orders,
    orderLists: new OrderLists(orders),
    timers: new TimerQueue(),
    clientOrderIds: new ClientOrderIds(),
    commandKeys: new ExpiringMap(),
    capUses: new CapUses(),
    faucetUses: new ExpiringMap(),
    funds: new Funds(),
    heartbeats: new Map(),
    leftovers: [],
    checkTimes: new HmacSha256(encodeUtf8(parameters.quality.lookSecret)),
  };
}
