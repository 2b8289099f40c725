// Cost basis, realised results and kept fees of a holder, per the rules of positions.
import { at } from './pool.ts';
import { heldShares, holderOf, type NaiveMarket, type World } from './world.ts';

export function recordBought(
  market: NaiveMarket,
  accountId: string,
  outcome: number,
  cost: bigint,
): void {
  const holder = holderOf(market, accountId);
  holder.cost[outcome] = at(holder.cost, outcome) + cost;
}

/** Before the shares leave: `minted` counts shares that the same entry is about to bring in. */
export function recordSold(
  world: World,
  market: NaiveMarket,
  accountId: string,
  outcome: number,
  shares: bigint,
  proceeds: bigint,
  minted = 0n,
): void {
  const holder = holderOf(market, accountId);
  const held = heldShares(world, accountId, market.id, outcome) + minted;
  const basis = at(holder.cost, outcome);
  const out = (basis * shares) / held;
  holder.cost[outcome] = basis - out;
  holder.realized[outcome] = at(holder.realized, outcome) + proceeds - out;
}

/** `paid` leaves the holder, `kept` of it stays in the market. */
export function recordFees(
  market: NaiveMarket,
  accountId: string,
  outcome: number,
  paid: bigint,
  kept: bigint,
): void {
  const holder = holderOf(market, accountId);
  holder.realized[outcome] = at(holder.realized, outcome) - paid;
  holder.kept += kept;
}

export function recordRebate(
  market: NaiveMarket,
  accountId: string,
  outcome: number,
  amount: bigint,
): void {
  const holder = holderOf(market, accountId);
  holder.realized[outcome] = at(holder.realized, outcome) + amount;
}

/** Splits an amount evenly over the outcomes, the remainder on the first. */
export function spread(amount: bigint, outcomes: number): bigint[] {
  const each = amount / BigInt(outcomes);
  const parts = new Array<bigint>(outcomes).fill(each);
  parts[0] = amount - each * BigInt(outcomes - 1);
  return parts;
}
