// What shares are worth to caps, what a sell gives away of it, and prices that are far from it (RK6, RK7).
import { bandOf } from './band.ts';
import { openingPrices, shownPrices } from './mid.ts';
import type { PlainSide } from './plain.ts';
import { at } from './pool.ts';
import type { Refusals } from './refusal.ts';
import { facing } from './sketch.ts';
import { gridOf, slicesOf } from './slices.ts';
import { type NaiveMarket, ordersOf, type World } from './world.ts';

const HOUR_MS = 3_600_000;

/** In µ; null where no price was ever shown. */
function shownWorth(world: World, market: NaiveMarket, outcome: number): bigint | null {
  return quotedWorth(world, market, outcome) ?? lastWorth(market, outcome);
}

function quotedWorth(world: World, market: NaiveMarket, outcome: number): bigint | null {
  if (market.pool !== null) {
    const mean = lastHour(world, market, outcome);
    const shown = at(shownPrices(world, market), outcome);
    return mean > shown ? mean : shown;
  }
  const found: bigint[] = [];
  const recent = market.deepMids.filter((each) => world.nowMs - each.atMs < HOUR_MS);
  if (recent.length > 0) {
    const sum = recent.reduce((total, { mids }) => total + at(mids, outcome), 0n);
    found.push(sum / BigInt(recent.length));
  }
  const now = deepMids(world, market);
  if (now !== null) found.push(at(now, outcome));
  return found.length === 0 ? null : found.reduce((most, each) => (each > most ? each : most));
}

function lastWorth(market: NaiveMarket, outcome: number): bigint | null {
  const [first, second] = [at(market.lastPrices, 0), at(market.lastPrices, 1)];
  if (first === null && second === null) return null;
  const last = first ?? 1_000_000n - (second ?? 0n);
  return outcome === 0 ? last : 1_000_000n - last;
}

/** Over the last hour that the market traded; what is missing of it counts at the opening price. */
function lastHour(world: World, market: NaiveMarket, outcome: number): bigint {
  const plannedMs = market.locksAtMs - Math.max(market.opensAtMs, market.createdAtMs);
  const gridMs = gridOf(plannedMs, world.parameters.fairValue);
  let first = market.runs.length;
  for (let ms = 0; first > 0 && ms < HOUR_MS + 2 * gridMs; ) {
    first -= 1;
    const run = at(market.runs, first);
    ms += run.toMs - run.fromMs;
  }
  let leftMs = HOUR_MS;
  let sum = 0n;
  for (const slice of slicesOf(market.runs.slice(first), gridMs).reverse()) {
    const ms = Math.min(leftMs, slice.ms);
    sum += BigInt(ms) * at(slice.prices, outcome);
    leftMs -= ms;
  }
  return (sum + BigInt(leftMs) * at(openingPrices(market), outcome)) / BigInt(HOUR_MS);
}

/** Writes down the mid that a check of the makers finds, if bids and asks are deep enough. */
export function noteDeepMids(world: World, market: NaiveMarket): void {
  const mids = deepMids(world, market);
  if (mids !== null) market.deepMids.push({ atMs: world.nowMs, mids });
}

/** Of both outcomes, between the prices at which a hundred shares are bid for and offered. */
function deepMids(world: World, market: NaiveMarket): readonly bigint[] | null {
  if (market.pool !== null) return null;
  const [bid, ask] = [depthPrice(world, market, 'sell'), depthPrice(world, market, 'buy')];
  if (bid === null || ask === null) return null;
  const first = BigInt(bid + ask) * 50n;
  return [first, 1_000_000n - first];
}

function depthPrice(world: World, market: NaiveMarket, taker: PlainSide): number | null {
  let lots = 0;
  for (const { order, price } of facing(market, ordersOf(world, market.id), 0, taker)) {
    lots += order.lots - order.filledLots;
    if (lots >= 100 * 100) return price;
  }
  return null;
}

export interface SellFacts {
  readonly outcome: number;
  readonly side: PlainSide;
  /** What trades now and what will rest. */
  readonly lots: number;
  readonly proceeds: bigint;
  readonly rest: bigint;
}

export function givenAway(world: World, market: NaiveMarket, sell: SellFacts): bigint {
  if (sell.side === 'buy') return 0n;
  const opening = at(openingPrices(market), sell.outcome);
  const last = lastWorth(market, sell.outcome) ?? 0n;
  const worth = quotedWorth(world, market, sell.outcome) ?? (last > opening ? last : opening);
  const given = (BigInt(sell.lots) * worth * 9n) / 1000n - sell.proceeds - sell.rest;
  return given > 0n ? given : 0n;
}

export interface PriceFacts {
  readonly outcome: number;
  readonly side: PlainSide;
  /** The worst that it trades at or rests at; null for an order that does neither. */
  readonly price: number | null;
  readonly isAccepted: boolean;
}

export function checkDistance(
  world: World,
  market: NaiveMarket,
  { outcome, side, price, isAccepted }: PriceFacts,
  refusals: Refusals,
): void {
  const band = bandOf(world, market);
  const worth = shownWorth(world, market, outcome);
  if (market.pool !== null || isAccepted || price === null || band === null || worth === null)
    return;
  const shown = BigInt(price) * 100n;
  if ((side === 'buy' ? shown - worth : worth - shown) > BigInt(band) * 100n)
    refusals.add('RISK_LIMIT_BREACH', { limit: 'far_from_price', reference: worth });
}
