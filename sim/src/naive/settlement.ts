// Paying out: each holder, the pool, the fees; by payout vector or by rank.

import { Entry } from './entry.ts';
import { at, inventoryOf, LOT } from './pool.ts';
import {
  ammName,
  balance,
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
): void {
  const { accountId } = holder;
  const settleBps = accountId === HOUSE ? 0n : BigInt(market.template.feeSchedule.settleBps);
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
  entry.commit('settlement', market.id);
  for (const { held, paid, fee } of settled)
    positionSettled(world, market, holder, held, paid, fee);
}

export function refundHolder(
  world: World,
  market: NaiveMarket,
  holder: NaiveHolder,
  refund: bigint,
): void {
  const { accountId } = holder;
  const entry = new Entry(world);
  const holdings = heldBy(world, market, accountId);
  for (const { outcome, shares } of holdings) {
    entry.move(
      freeSharesName(accountId, market.id, outcome),
      issueName(market.id, outcome),
      shares,
    );
  }
  entry.move(escrowName(market.id), freeName(accountId), refund);
  entry.commit('refund', market.id);
  let paid = refund;
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
    feesReturned: 0n,
    realizedPnl:
      at(holder.realized, held.outcome) + payout - settleFee - at(holder.cost, held.outcome),
  });
}

/** The pool's inventory by payout vector: the creator's part and the dust. */
export function payPool(
  world: World,
  market: NaiveMarket,
  payout: readonly number[],
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
  entry.commit('settlement', market.id);
  return { poolPayout, dust: rest - poolPayout };
}

/** The creator's part of a cancelled market; says what rounding left for insurance. */
export function refundPool(world: World, market: NaiveMarket, returned: bigint): bigint {
  const entry = new Entry(world);
  for (let index = 0; index < market.outcomes.length; index += 1)
    takeInventory(entry, market, index);
  const rest = balance(world, escrowName(market.id));
  entry.add(escrowName(market.id), -rest);
  entry.add(freeName(market.creatorId), returned);
  entry.add('insurance', rest - returned);
  entry.commit('refund', market.id);
  return rest - returned;
}

function takeInventory(entry: Entry, market: NaiveMarket, outcome: number): bigint {
  const inventory = market.pool === null ? 0n : inventoryOf(market.pool, outcome);
  entry.move(ammName(market.id, outcome), issueName(market.id, outcome), inventory);
  return inventory;
}

interface Unvested {
  readonly key: string;
  readonly name: string;
  readonly amount: bigint;
}

/** Fee accounts of the market with a balance, in the order in which they first had one. */
function unvestedOf(world: World, market: NaiveMarket): Unvested[] {
  const prefix = `market:${market.id}:fees:`;
  const found: Unvested[] = [];
  for (const [name, amount] of world.ledger) {
    if (amount !== 0n && name.startsWith(prefix))
      found.push({ key: name.slice(prefix.length), name, amount });
  }
  return found;
}

/** Whether so many postings are left, which are then used. */
export type Spend = (postings: number) => boolean;

/** One entry for as many accounts as there are postings; false when some are left. */
export function vestFees(world: World, market: NaiveMarket, spend: Spend): boolean {
  const to = (key: string): string => (key === 'insurance' ? 'insurance' : `fees:${key}`);
  return moveFees(world, market, spend, 'vesting', to);
}

export function returnFees(world: World, market: NaiveMarket, spend: Spend): boolean {
  return moveFees(world, market, spend, 'refund', () => escrowName(market.id));
}

function moveFees(
  world: World,
  market: NaiveMarket,
  spend: Spend,
  reason: 'vesting' | 'refund',
  to: (key: string) => string,
): boolean {
  const entry = new Entry(world);
  const fees = unvestedOf(world, market);
  const paid = fees.findIndex(() => !spend(1));
  for (const { key, name, amount } of paid < 0 ? fees : fees.slice(0, paid)) {
    entry.move(name, to(key), amount);
  }
  entry.commit(reason, market.id);
  return paid < 0;
}
