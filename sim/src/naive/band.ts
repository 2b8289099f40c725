// Price bands: how far an order may trade from the price of a moment ago, and the halt when too many try (PB1-PB4).
import { ceilDiv, floorDiv } from './fixed.ts';
import { pricesBefore, shownPrices } from './mid.ts';
import type { PlainSide } from './plain.ts';
import { at, clampPips } from './pool.ts';
import type { NaiveMarket, World } from './world.ts';

export function bandOf(world: World, market: NaiveMarket): number | null {
  if (market.template.marketType === 'fast') return null;
  return market.template.bandPips ?? world.parameters.band.pips;
}

/** The last price in pips that an order may trade at; null where nothing bounds it but its limit. */
export function boundOf(
  world: World,
  market: NaiveMarket,
  outcome: number,
  side: PlainSide,
): number | null {
  const band = bandOf(world, market);
  if (market.pool === null || band === null) return null;
  const reference = at(referencePrices(world, market), outcome);
  const width = BigInt(band) * 100n;
  return clampPips(
    side === 'buy' ? floorDiv(reference + width, 100n) : ceilDiv(reference - width, 100n),
  );
}

/** Of each outcome where its band ends if the order moves it the other way; with two outcomes one band says it all. */
export function otherBoundsOf(
  world: World,
  market: NaiveMarket,
  side: PlainSide,
): readonly (number | null)[] {
  const band = bandOf(world, market);
  if (market.pool === null || band === null || market.outcomes.length === 2) return [];
  const width = BigInt(band);
  return referencePrices(world, market).map((price) => {
    const end = side === 'buy' ? ceilDiv(price, 100n) - width : price / 100n + width;
    return end < 1n || end > 9999n ? null : Number(end);
  });
}

function referencePrices(world: World, market: NaiveMarket): readonly bigint[] {
  const { delayMs, stepMs } = world.parameters.band;
  const momentMs = world.nowMs - (world.nowMs % stepMs) - delayMs;
  return market.base.atMs >= momentMs ? market.base.prices : pricesBefore(market, momentMs);
}

/** Begins anew with the prices of this moment. */
export function startBand(world: World, market: NaiveMarket): void {
  market.base = { atMs: world.nowMs, prices: shownPrices(world, market) };
}

/** A halt begins the count of windows anew. */
export function haltNow(
  world: World,
  market: NaiveMarket,
  reason: string,
  untilMs: number | null,
): void {
  market.halted = true;
  market.haltedUntilMs = untilMs;
  market.bandHits.count = 0;
  world.events.push({ type: 'market_halted', marketId: market.id, reason, untilMs });
  if (untilMs !== null)
    world.timers.push({ dueMs: untilMs, kind: 'market_resume', subject: market.id });
}

/** An order traded and then met its band; too many windows in a row with one halt the market. */
export function hitBand(world: World, market: NaiveMarket): void {
  if (market.pool === null) return;
  const { delayMs, windows, haltMs, haltEveryMs } = world.parameters.band;
  const hits = market.bandHits;
  const window = Math.floor(world.nowMs / delayMs);
  if (hits.count === 0 || window > hits.window + 1) hits.count = 1;
  else if (window === hits.window + 1) hits.count += 1;
  hits.window = window;
  if (hits.count < windows) return;
  if (hits.haltedAtMs !== null && world.nowMs - hits.haltedAtMs < haltEveryMs) return;
  hits.haltedAtMs = world.nowMs;
  haltNow(world, market, 'circuit_breaker', world.nowMs + haltMs);
}
