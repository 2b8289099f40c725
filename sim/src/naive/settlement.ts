// Paying out by payout vector: each holder, the pool, the fees.

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
  isVoid: boolean,
): void {
  const { accountId } = holder;
  const isFree = isVoid || accountId === HOUSE;
  const settleBps = isFree ? 0n : BigInt(market.template.feeSchedule.settleBps);
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
  let returned = isVoid ? holder.kept : 0n;
  entry.move(escrowName(market.id), freeName(accountId), returned);
  entry.commit('settlement', market.id);
  for (const { held, paid, fee } of settled) {
    positionSettled(world, market, holder, held, paid, fee, returned);
    returned = 0n;
  }
}

function positionSettled(
  world: World,
  market: NaiveMarket,
  holder: NaiveHolder,
  held: Held,
  payout: bigint,
  settleFee: bigint,
  feesReturned: bigint,
): void {
  world.events.push({
    type: 'position_settled',
    accountId: holder.accountId,
    marketId: market.id,
    outcomeId: at(market.outcomes, held.outcome).id,
    lots: Number(held.shares / LOT),
    payout,
    settleFee,
    feesReturned,
    realizedPnl:
      at(holder.realized, held.outcome) +
      payout -
      settleFee +
      feesReturned -
      at(holder.cost, held.outcome),
  });
}

/** The pool's inventory by payout vector: the creator's part and the dust. */
export function payPool(
  world: World,
  market: NaiveMarket,
  payout: readonly number[],
): { readonly poolPayout: bigint; readonly dust: bigint } {
  let poolPayout = 0n;
  for (let index = 0; index < market.outcomes.length; index += 1)
    poolPayout += (inventoryIn(market, index) * BigInt(at(payout, index))) / 10000n;
  return { poolPayout, dust: emptyEscrow(world, market, poolPayout) };
}

/** A cancelled market's: all that is left, or at most so much of it. */
export function payVoidPool(
  world: World,
  market: NaiveMarket,
  most: bigint | null,
): { readonly poolPaid: bigint; readonly excess: bigint } {
  const rest = balance(world, escrowName(market.id));
  const poolPaid = most !== null && rest > most ? most : rest;
  return { poolPaid, excess: emptyEscrow(world, market, poolPaid) };
}

/** So much to the creator and what is left to insurance, which is given. */
function emptyEscrow(world: World, market: NaiveMarket, toCreator: bigint): bigint {
  const entry = new Entry(world);
  for (let index = 0; index < market.outcomes.length; index += 1)
    entry.move(ammName(market.id, index), issueName(market.id, index), inventoryIn(market, index));
  const rest = balance(world, escrowName(market.id));
  entry.add(escrowName(market.id), -rest);
  entry.add(freeName(market.creatorId), toCreator);
  entry.add('insurance', rest - toCreator);
  entry.commit('settlement', market.id);
  return rest - toCreator;
}

function inventoryIn(market: NaiveMarket, outcome: number): bigint {
  return market.pool === null ? 0n : inventoryOf(market.pool, outcome);
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
