// Writes the state as lines of text, sorted so that equal states give equal lines whatever their history.

import { orderRecord } from '../generated/order-forms.ts';
import type { AccountId } from '../kit/identity.ts';
import { NO_ROW, type Row } from '../kit/tallies.ts';
import { isBlank } from '../position/holdings.ts';
import type { Account } from '../state/account.ts';
import { dayOf } from '../state/cap-use.ts';
import { encodeValue } from '../state/codec.ts';
import { basisOf, type Holding, keptOf, realizedOf } from '../state/holding.ts';
import { madeOf } from '../state/made.ts';
import { isFinal, type Market } from '../state/market.ts';
import type { Order } from '../state/order.ts';
import { unpackAnswer } from '../state/packed-answer.ts';
import type { State } from '../state/state.ts';
import {
  type AccountRecord,
  type HeaderRecord,
  type HoldingRecord,
  type MarketRecord,
  SNAPSHOT_FORMAT,
  type SnapshotRecord,
  type StoredProposal,
} from './record.ts';

/** The last line counts the records before it: a snapshot cut short is recognised. */
export function* encodeSnapshot(state: State): Generator<string> {
  let records = 0;
  for (const record of snapshotRecords(state)) {
    records += 1;
    yield encodeValue(record);
  }
  yield encodeValue({ is: 'end', records } satisfies SnapshotRecord);
}

function* snapshotRecords(state: State): Generator<SnapshotRecord> {
  yield headerRecord(state);
  for (const id of sortedKeys(state.templates)) {
    for (const template of state.templates.get(id)!) {
      const { definition, version, schema, status } = template;
      yield { is: 'template', definition, version, schema, status };
    }
  }
  yield accountRecord(state.house);
  for (const account of parentsFirst(state)) yield accountRecord(account);
  for (const id of sortedKeys(state.markets)) {
    const market = state.markets.get(id)!;
    yield marketRecord(market);
    if (!isFinal(market))
      for (const holding of holdingsOf(market)) yield holdingRecord(state, holding);
  }
  for (const order of byPriority(state)) yield orderRecord(order);
  for (const account of nonZeroBalances(state)) yield account;
  yield* memoryRecords(state);
}

function headerRecord(state: State): HeaderRecord {
  return {
    is: 'state',
    format: SNAPSHOT_FORMAT,
    lane: state.lane,
    parameters: state.parameters,
    parameterChanges: state.parameterChanges,
    seq: state.seq,
    nowMs: state.nowMs,
    readOnly: state.readOnly,
    cancelOnly: state.cancelOnly,
    recoveredAtMs: state.recoveredAtMs,
    idleSpans: state.idleSpans,
    pausedMs: state.pausedMs,
    nextOrderId: state.nextOrderId,
    nextTradeId: state.nextTradeId,
    nextPriority: state.nextPriority,
  };
}

/** Those that traded in the order in which they did, then the others by account. */
function holdingsOf(market: Market): readonly Holding[] {
  const others = market.holdings
    .values()
    .filter((holding) => holding.row === NO_ROW && !isBlank(holding));
  others.sort((a, b) => (a.account.id < b.account.id ? -1 : 1));
  return [...market.holders.filter((holding) => holding !== null), ...others];
}

function parentsFirst(state: State): readonly Account[] {
  const accounts = sortedKeys(state.accounts).map((id) => state.accounts.get(id)!);
  const isParent = ({ parentId }: Account): boolean => parentId === null;
  return [...accounts.filter(isParent), ...accounts.filter((account) => !isParent(account))];
}

function accountRecord(account: Account): AccountRecord {
  return {
    is: 'account',
    id: account.id,
    mode: account.mode,
    parentId: account.parentId,
    referrerId: account.referrerId,
    openedAtMs: account.openedAtMs,
    label: account.label,
    closedAtMs: account.closedAtMs,
    frozenByOwner: account.frozenByOwner,
    frozenByOperator: account.frozenByOperator,
    frozenReason: account.frozenReason,
    chainData: account.chainData,
    netDeposits: account.netDeposits,
    realized: account.realized,
    staked: account.staked,
  };
}

function marketRecord(market: Market): MarketRecord {
  return {
    is: 'market',
    id: market.id,
    templateId: market.template.definition.id,
    templateVersion: market.template.version,
    params: sortedRecord(market.params),
    creatorId: market.creator.id,
    platform: market.platform,
    title: market.title,
    renderedTitle: market.renderedTitle,
    imageUrl: market.imageUrl,
    outcomes: market.outcomes,
    createdAtMs: market.createdAtMs,
    opensAtMs: market.opensAtMs,
    locksAtMs: market.locksAtMs,
    closesAtMs: market.closesAtMs,
    settledAtMs: market.settledAtMs,
    status: market.status,
    activeSinceMs: market.activeSinceMs,
    approved: market.approved,
    halted: market.halted,
    haltReason: market.haltReason,
    haltedUntilMs: market.haltedUntilMs,
    tickPips: market.tickPips,
    clarifications: market.clarifications,
    chainData: market.chainData,
    closing: market.closing,
    chunkDueMs: market.chunkDueMs,
    deadlineMs: market.deadlineMs,
    sampleDueMs: market.sampleDueMs,
    pool: market.pool === null ? null : market.pool.record(),
    deposit: market.deposit,
    totalVolume: market.totalVolume,
    memory: market.memory,
    deepMids: market.deepMids,
    proposal: storedProposal(market),
    fees: [...market.unvested.values()].map(({ actor, id }) => ({ actor, id })),
    payout: market.payout,
    cancellation: market.cancellation,
  };
}

function storedProposal(market: Market): StoredProposal | null {
  if (market.proposal === null) return null;
  const { bondAccount: _bond, dispute, ...proposal } = market.proposal;
  if (dispute === null) return { ...proposal, dispute };
  const { bondAccount: _disputeBond, ...stored } = dispute;
  return { ...proposal, dispute: stored };
}

function holdingRecord(state: State, holding: Holding): HoldingRecord {
  const { today, before } = madeOf(state, holding);
  return {
    is: 'holding',
    marketId: holding.market.id,
    accountId: holding.account.id,
    hasTraded: holding.row !== NO_ROW,
    cost: holding.market.outcomes.map((_, outcome) => basisOf(holding, outcome)),
    realized: holding.market.outcomes.map((_, outcome) => realizedOf(holding, outcome)),
    kept: keptOf(holding),
    quality: holding.quality,
    samples: holding.samples ?? [],
    ...(today + before > 0 ? { made: [today, before] as const } : {}),
  };
}

function* memoryRecords(state: State): Generator<SnapshotRecord> {
  const ids = new Map<Row, AccountId>();
  for (const { row, id } of state.accounts.values()) ids.set(row, id);
  yield* closedRecords(state, ids);
  for (const { account, ...named } of state.clientOrderIds.entries()) {
    const accountId = ids.get(account);
    // Nobody can use the names of an account that was closed.
    if (accountId !== undefined) yield { is: 'client_order_id', accountId, ...named };
  }
  for (const [key, known] of state.commandKeys.entries()) {
    yield { is: 'command_key', key, value: { ...known, answer: unpackAnswer(known.answer) } };
  }
  yield* fundsRecords(state);
  for (const [key, use] of state.faucetUses.entries()) {
    yield { is: 'faucet_use', key, ...use };
  }
  yield* capRecords(state);
  if (state.compliance !== null) yield { is: 'compliance', ...state.compliance };
  yield* ownLimitRecords(state);
  for (const key of sortedKeys(state.heartbeats)) {
    yield { is: 'heartbeat', key, value: state.heartbeats.get(key)! };
  }
  for (const timer of state.timers.due(state.nowMs)) yield { is: 'due_timer', timer };
}

function* fundsRecords({ funds }: State): Generator<SnapshotRecord> {
  for (const deposit of funds.deposits()) yield { is: 'deposit', ...deposit };
  for (const withdrawal of funds.withdrawals()) yield { is: 'withdrawal', ...withdrawal };
  const { unrecorded: amount } = funds;
  if (amount !== 0n) yield { is: 'unrecorded_funds', amount };
}

/** In the order they closed; those of accounts that were closed keep their places, under the house's name. */
function* closedRecords(state: State, ids: ReadonlyMap<Row, AccountId>): Generator<SnapshotRecord> {
  for (const { orderId, account, status } of state.orders.closed()) {
    const accountId = ids.get(account) ?? state.house.id;
    yield { is: 'closed_order', orderId, accountId, status };
  }
}

/** Yesterday's counts are never read again; what rests follows from the orders. */
function* capRecords(state: State): Generator<SnapshotRecord> {
  const day = dayOf(state.nowMs);
  const { counts } = state.capUses;
  for (const scope of sortedKeys(counts)) {
    const used = counts.get(scope)!.usedOn(day);
    if (used > 0n) yield { is: 'cap_use', scope, day, used };
  }
}

function* ownLimitRecords(state: State): Generator<SnapshotRecord> {
  for (const accountId of sortedKeys(state.accounts)) {
    const { id, limits: own } = state.accounts.get(accountId)!.family;
    if (own === null || id !== accountId) continue;
    const { limits, excludedUntilMs, periods, deposited, base } = own;
    yield { is: 'own_limits', accountId, limits, excludedUntilMs, periods, deposited, base };
  }
}

/** Restoring in this order puts each order behind those that were before it in its queue. */
function byPriority(state: State): readonly Order[] {
  return [...state.orders.values()].sort((a, b) => a.priority - b.priority);
}

function nonZeroBalances(state: State): readonly SnapshotRecord[] {
  const records: { is: 'balance'; name: string; balance: bigint }[] = [];
  for (const { name, balance } of state.ledger.accounts()) {
    if (balance !== 0n) records.push({ is: 'balance', name, balance });
  }
  return records.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sortedRecord<V>(record: Readonly<Record<string, V>>): Record<string, V> {
  const sorted: Record<string, V> = {};
  for (const key of Object.keys(record).sort()) sorted[key] = record[key]!;
  return sorted;
}

function sortedKeys<K extends string>(map: ReadonlyMap<K, unknown>): readonly K[] {
  return [...map.keys()].sort();
}
