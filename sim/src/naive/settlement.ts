// Paying out: each holder, the pool, the fees; by payout vector or by net cost.
import { at, inventoryOf, LOT } from './pool.ts';
import {
  ammName,
  balance,
  Entry,
  escrowName,
  freeName,
  freeShares,
  freeSharesName,
  HOUSE,
  issueName,
  type NaiveHolder,
  type NaiveMarket,
  type World,
} from './world.ts';

interface Held {
  readonly outcome: number;
  readonly shares: bigint;
}

function heldBy(world: World, market: NaiveMarket, accountId: string): Held[] {
  return market.outcomes
    .map((_, outcome) => ({ outcome, shares: freeShares(world, accountId, market.id, outcome) }))
    .filter((held) => held.shares > 0n);
}

export function payHolder(
  world: World,
  market: NaiveMarket,
  holder: NaiveHolder,
  payout: readonly number[],
  reason: 'settlement' | 'refund',
): void {
  const { accountId } = holder;
  const settleBps =
    reason === 'refund' || accountId === HOUSE ? 0n : BigInt(market.template.feeSchedule.settleBps);
  const entry = new Entry(world);
  const settled: { readonly held: Held; readonly paid: bigint; readonly fee: bigint }[] = [];
  for (const held of heldBy(world, market, accountId)) {
    const paid = (held.shares * BigInt(at(payout, held.outcome))) / 10000n;
    const fee = (paid * settleBps) / 10000n;
    entry.move(
      freeSharesName(accountId, market.id, held.outcome),
      issueName(market.id, held.outcome),
      held.shares,
    );
    entry.move(escrowName(market.id), freeName(accountId), paid);
    entry.move(freeName(accountId), 'fees:treasury', fee);
    settled.push({ held, paid, fee });
  }
  entry.commit(reason, market.id);
  for (const { held, paid, fee } of settled)
    positionSettled(world, market, holder, held, paid, fee);
}

export function refundHolder(world: World, market: NaiveMarket, holder: NaiveHolder): void {
  const { accountId } = holder;
  const owed = holder.net > 0n ? holder.net : 0n;
  const entry = new Entry(world);
  const holdings = heldBy(world, market, accountId);
  for (const { outcome, shares } of holdings) {
    entry.move(
      freeSharesName(accountId, market.id, outcome),
      issueName(market.id, outcome),
      shares,
    );
  }
  entry.move(escrowName(market.id), freeName(accountId), owed);
  entry.commit('refund', market.id);
  let paid = owed;
  for (const held of holdings) {
    positionSettled(world, market, holder, held, paid, 0n);
    paid = 0n;
  }
}

function positionSettled(
  world: World,
  market: NaiveMarket,
  holder: NaiveHolder,
  held: Held,
  payout: bigint,
  settleFee: bigint,
): void {
  world.events.push({
    type: 'position_settled',
    accountId: holder.accountId,
    marketId: market.id,
    outcomeId: at(market.outcomes, held.outcome).id,
    lots: Number(held.shares / LOT),
    payout,
    settleFee,
    realizedPnl:
      at(holder.realized, held.outcome) + payout - settleFee - at(holder.cost, held.outcome),
  });
}

/** The pool's inventory by payout vector: the creator's part and the dust. */
export function payPool(
  world: World,
  market: NaiveMarket,
  payout: readonly number[],
  reason: 'settlement' | 'refund',
): { readonly poolPayout: bigint; readonly dust: bigint } {
  const entry = new Entry(world);
  let poolPayout = 0n;
  for (let index = 0; index < market.outcomes.length; index += 1) {
    const inventory = takeInventory(entry, market, index);
    poolPayout += (inventory * BigInt(at(payout, index))) / 10000n;
  }
  const rest = balance(world, escrowName(market.id));
  entry.add(escrowName(market.id), -rest);
  entry.add(freeName(market.creatorId), poolPayout);
  entry.add('insurance', rest - poolPayout);
  entry.commit(reason, market.id);
  return { poolPayout, dust: rest - poolPayout };
}

/** What is left after the claims goes back to the creator. */
export function refundPool(world: World, market: NaiveMarket): bigint {
  const entry = new Entry(world);
  for (let index = 0; index < market.outcomes.length; index += 1)
    takeInventory(entry, market, index);
  const rest = balance(world, escrowName(market.id));
  entry.move(escrowName(market.id), freeName(market.creatorId), rest);
  entry.commit('refund', market.id);
  return rest;
}

function takeInventory(entry: Entry, market: NaiveMarket, outcome: number): bigint {
  const inventory = market.pool === null ? 0n : inventoryOf(market.pool, outcome);
  entry.move(ammName(market.id, outcome), issueName(market.id, outcome), inventory);
  return inventory;
}

export interface Unvested {
  readonly key: string;
  readonly name: string;
  readonly amount: bigint;
}

/** Fee accounts of the market with a balance, by ascending key. */
export function unvestedOf(world: World, market: NaiveMarket): Unvested[] {
  const prefix = `market:${market.id}:fees:`;
  const found: Unvested[] = [];
  for (const [name, amount] of world.ledger) {
    if (amount !== 0n && name.startsWith(prefix))
      found.push({ key: name.slice(prefix.length), name, amount });
  }
  return found.sort((x, y) => (x.key < y.key ? -1 : 1));
}

export function vestFees(world: World, market: NaiveMarket): void {
  const entry = new Entry(world);
  for (const { key, name, amount } of unvestedOf(world, market)) {
    entry.move(name, key === 'insurance' ? 'insurance' : `fees:${key}`, amount);
  }
  entry.commit('vesting', market.id);
}

export function returnFees(world: World, market: NaiveMarket, to: string): void {
  const entry = new Entry(world);
  for (const { name, amount } of unvestedOf(world, market)) entry.move(name, to, amount);
  entry.commit('refund', market.id);
}
