// Reads a snapshot back into a state with the same hash and the same future.
import { pips } from '@sibyl/money';
import { restorePool } from '../amm/pool.ts';
import { type Amounts, LIMIT_KINDS, OwnLimits } from '../compliance/own-limits.ts';
import { unvestedAccount } from '../fee/unvested.ts';
import type { OrderRecord } from '../generated/order.ts';
import { assert, assertNever, present } from '../kit/assert.ts';
import { asOrderId, asTradeId } from '../kit/identity.ts';
import { type MarketAccounts, openMarketAccounts } from '../ledger/chart.ts';
import { NO_ACCOUNT } from '../ledger/ledger.ts';
import type { PriceMemory } from '../market/price-memory.ts';
import { copySlices } from '../market/price-slices.ts';
import { holdingOf } from '../position/holdings.ts';
import { Account, endSubaccount, holdIfFrozen } from '../state/account.ts';
import { rest } from '../state/book.ts';
import { dayOf } from '../state/cap-use.ts';
import { decodeValue } from '../state/codec.ts';
import { addCost, addKept, addRealized } from '../state/holding.ts';
import { isFinal, Market, type MarketTerms, outcomeIndex, type Proposal } from '../state/market.ts';
import {
  createOrder,
  noteResting,
  type Order,
  registerOpen,
  remainingLots,
  restsSince,
  take,
} from '../state/order.ts';
import { orderKind } from '../state/order-kind.ts';
import { packAnswer } from '../state/packed-answer.ts';
import { createState, type State } from '../state/state.ts';
import { outcomeIdsOf } from '../template/display.ts';
import { restoreBalances } from './balances.ts';
import {
  type AccountRecord,
  type ClosedOrderRecord,
  type HeaderRecord,
  type HoldingRecord,
  type MarketRecord,
  type OwnLimitsRecord,
  SNAPSHOT_FORMAT,
  type SnapshotRecord,
} from './record.ts';
import { armTimers } from './timers.ts';

/** Throws on anything that is not a whole snapshot of this format: a wrong start is worse than none. */
export function decodeSnapshot(lines: Iterable<string>): State {
  let state: State | null = null;
  let records = 0;
  let isComplete = false;
  const balances = new Map<string, bigint>();
  const orders: Order[] = [];
  for (const line of lines) {
    assert(!isComplete, 'a snapshot continues after its end');
    const record = decodeValue(line) as SnapshotRecord;
    if (record.is === 'state') {
      assert(state === null, 'a snapshot has one header');
      state = restoreHeader(record);
    } else if (record.is === 'end') {
      assert(record.records === records, `a snapshot of ${record.records} records has ${records}`);
      isComplete = true;
    } else if (record.is === 'balance') {
      balances.set(record.name, record.balance);
    } else if (record.is === 'order') {
      orders.push(restoreOrder(present(state, 'header of a snapshot'), record));
    } else {
      restore(present(state, 'header of a snapshot'), record);
    }
    records += 1;
  }
  assert(isComplete && state !== null, 'a snapshot is cut short');
  openInOrder(state, orders);
  restoreBalances(state, balances);
  armTimers(state);
  return state;
}

type BodyRecord = Exclude<SnapshotRecord, { is: 'state' | 'end' | 'balance' | 'order' }>;

function restore(state: State, record: BodyRecord): void {
  switch (record.is) {
    case 'template': {
      const { definition, version, schema, status } = record;
      const versions = state.templates.get(definition.id) ?? [];
      const outcomeIds = outcomeIdsOf(definition);
      versions.push({ definition, version, schema, outcomeIds, status });
      state.templates.set(definition.id, versions);
      return;
    }
    case 'account':
      restoreAccount(state, record);
      return;
    case 'market':
      restoreMarket(state, record);
      return;
    case 'holding':
      restoreHolding(state, record);
      return;
    default:
      restoreMemory(state, record);
  }
}

type MemoryRecord = Exclude<
  BodyRecord,
  { is: 'template' | 'account' | 'market' | 'holding' | 'order' }
>;

function restoreName(state: State, record: Extract<MemoryRecord, { is: 'client_order_id' }>): void {
  const { accountId, clientOrderId, orderId, atMs } = record;
  state.clientOrderIds.put(accountOf(state, accountId), clientOrderId, orderId, atMs);
}

function restoreMemory(state: State, record: MemoryRecord): void {
  switch (record.is) {
    case 'closed_order':
      restoreClosed(state, record);
      return;
    case 'client_order_id':
      restoreName(state, record);
      return;
    case 'command_key':
      state.commandKeys.put(record.key, {
        ...record.value,
        answer: packAnswer(record.value.answer),
      });
      return;
    case 'deposit': {
      const { is: _is, ...deposit } = record;
      state.funds.putDeposit(deposit);
      return;
    }
    case 'withdrawal': {
      const { is: _is, ...withdrawal } = record;
      state.funds.putWithdrawal(withdrawal);
      return;
    }
    case 'unrecorded_funds':
      state.funds.unrecorded = record.amount;
      return;
    case 'faucet_use':
      state.faucetUses.put(record.key, { atMs: record.atMs, keyId: record.keyId });
      return;
    case 'cap_use':
      state.capUses.count(record.scope).restore(record.day, record.used);
      return;
    case 'compliance':
      state.compliance = { version: record.version, hash: record.hash };
      return;
    case 'own_limits':
      restoreOwnLimits(state, record);
      return;
    case 'heartbeat':
      state.heartbeats.set(record.key, record.value);
      return;
    case 'due_timer':
      state.timers.set(record.timer);
      return;
    default:
      assertNever(record);
  }
}

function restoreOwnLimits(state: State, record: OwnLimitsRecord): void {
  const limits = new OwnLimits();
  for (const kind of LIMIT_KINDS) limits.limits[kind] = [...record.limits[kind]];
  limits.excludedUntilMs = record.excludedUntilMs;
  limits.periods = record.periods;
  limits.deposited = [...record.deposited] as Amounts;
  limits.base = [...record.base] as Amounts;
  accountOf(state, record.accountId).family.limits = limits;
}

function restoreHeader(header: HeaderRecord): State {
  assert(header.format === SNAPSHOT_FORMAT, `snapshot format ${header.format} is not known`);
  const state = createState(header.lane, header.parameters);
  state.parameterChanges = header.parameterChanges;
  state.seq = header.seq;
  state.nowMs = header.nowMs;
  state.readOnly = header.readOnly;
  state.cancelOnly = header.cancelOnly;
  state.recoveredAtMs = header.recoveredAtMs;
  for (const span of header.idleSpans) state.idleSpans.push({ ...span });
  state.pausedMs = header.pausedMs;
  state.nextOrderId = asOrderId(header.nextOrderId);
  state.nextTradeId = asTradeId(header.nextTradeId);
  state.nextPriority = header.nextPriority;
  return state;
}

function restoreAccount(state: State, record: AccountRecord): void {
  const existing = record.id === state.house.id ? state.house : state.accounts.get(record.id);
  const parent = record.parentId === null ? undefined : accountOf(state, record.parentId);
  const account = existing ?? new Account(state.ledger, state.tallies, record, parent);
  account.frozenByOwner = record.frozenByOwner;
  account.frozenByOperator = record.frozenByOperator;
  account.frozenReason = record.frozenReason;
  account.chainData = record.chainData;
  account.netDeposits = record.netDeposits;
  account.realized = record.realized;
  account.staked = record.staked;
  if (record.closedAtMs !== null) endSubaccount(account, record.closedAtMs);
  holdIfFrozen(account);
  if (existing === undefined) state.accounts.set(account.id, account);
}

function restoreMarket(state: State, record: MarketRecord): void {
  const versions = present(state.templates.get(record.templateId), 'template of a market');
  const template = present(versions[record.templateVersion - 1], 'template version of a market');
  const { pool, proposal: _proposal, fees, ...rest } = record;
  const terms: MarketTerms = {
    ...rest,
    template,
    creator: accountOf(state, record.creatorId),
    outcomes: record.outcomes.map((outcome) => ({ ...outcome })),
    pool: pool === null ? null : restorePool(pool),
    closing: record.closing === null ? null : { ...record.closing },
    memory: restorePrices(record),
    proposal: restoreProposal(record),
  };
  const market = new Market(terms, marketAccounts(state, record));
  market.creator.family.markets += 1;
  if (!isFinal(market)) market.creator.family.openMarkets += 1;
  state.markets.set(market.id, market);
  for (const { actor, id } of fees) unvestedAccount(state, market, actor, id);
}

function restorePrices({ memory }: MarketRecord): PriceMemory {
  const { recent, slices, book } = memory;
  return { ...memory, recent: [...recent], slices: copySlices(slices), book: { ...book } };
}

/** A market that has ended has given its ledger accounts back. */
function marketAccounts(state: State, record: MarketRecord): MarketAccounts {
  const outcomes = record.outcomes.length;
  if (!isFinal(record)) return openMarketAccounts(state.ledger, record.id, outcomes);
  const none = record.outcomes.map(() => NO_ACCOUNT);
  return { number: 0, escrow: NO_ACCOUNT, issue: none, inventory: none };
}

/** Bonds still posted find their accounts again when the balances are restored. */
function restoreProposal(record: MarketRecord): Proposal | null {
  const { proposal } = record;
  if (proposal === null) return null;
  const dispute = proposal.dispute && { ...proposal.dispute, bondAccount: NO_ACCOUNT };
  return { ...proposal, bondAccount: NO_ACCOUNT, dispute };
}

function restoreHolding(state: State, record: HoldingRecord): void {
  const market = present(state.markets.get(record.marketId), 'market of a holding');
  const holding = holdingOf(state, accountOf(state, record.accountId), market);
  if (record.hasTraded) {
    for (let outcome = 0; outcome < record.cost.length; outcome += 1) {
      addCost(holding, outcome, record.cost[outcome]!);
      addRealized(holding, outcome, record.realized[outcome]!);
    }
    addKept(holding, record.kept);
  }
  holding.quality = record.quality;
  const [today, before] = record.made ?? [0, 0];
  if (today + before > 0) holding.made = { day: dayOf(state.nowMs), today, before };
  if (record.samples.length === 0) return;
  holding.samples = record.samples.map((run) => ({ ...run }));
  market.rated.push(holding);
}

/** Rests in its queue, behind those before it in the snapshot. */
function restoreOrder(state: State, record: OrderRecord): Order {
  const account = accountOf(state, record.accountId);
  const market = present(state.markets.get(record.marketId), 'market of an order');
  const grant = record.grantId === null ? null : { grantId: record.grantId };
  const order = createOrder({
    ...record,
    id: record.orderId,
    holding: holdingOf(state, account, market),
    outcome: outcomeIndex(market, record.outcomeId),
    credential: state.capUses.credentialOf(account, record.credential, grant),
    kind: orderKind(record),
    price: pips(present(record.price, 'limit of an open order')),
  });
  const cost = Number(record.filledCost); // exact: see Order
  const fees = Number(record.feesPaid); // exact: see Order
  take(order, record.filledLots, cost, fees);
  order.status = record.status;
  restsSince(order, record.restingSinceMs);
  order.priority = record.priority;
  rest(order);
  noteResting(order, remainingLots(order));
  return order;
}

/** Enters restored orders by id, as they once opened: the snapshot has them in order of priority. */
function openInOrder(state: State, orders: Order[]): void {
  orders.sort((a, b) => a.id - b.id);
  for (const order of orders) registerOpen(state, order);
}

function restoreClosed(state: State, record: ClosedOrderRecord): void {
  const { row } = accountOf(state, record.accountId);
  state.orders.remember(record.orderId, row, record.status);
}

function accountOf(state: State, id: Account['id']): Account {
  if (id === state.house.id) return state.house;
  return present(state.accounts.get(id), `account ${id} of a snapshot`);
}
