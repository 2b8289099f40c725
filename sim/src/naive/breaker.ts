// The circuit breaker: prices seen lately, and the halt when one has moved too far.
import { shownPrices } from './mid.ts';
import { at } from './pool.ts';
import type { NaiveMarket, World } from './world.ts';

/** Starts the watch afresh with the prices of this moment. */
export function startWatch(world: World, market: NaiveMarket): void {
  market.seen =
    market.pool === null ? [] : [{ atMs: world.nowMs, prices: shownPrices(world, market) }];
}

export function watchBreaker(world: World, market: NaiveMarket): void {
  if (market.pool === null || market.halted || market.status !== 'active') return;
  const { movePips, windowMs, haltMs } = world.parameters.breaker;
  const prices = shownPrices(world, market);
  market.seen.push({ atMs: world.nowMs, prices });
  const enabled =
    market.template.breaker ?? (world.lane === 'live' && market.template.marketType !== 'fast');
  if (!enabled) {
    market.seen = market.seen.slice(-1);
    return;
  }
  const since = world.nowMs - windowMs;
  const inForce = market.seen.filter((each, index) => {
    const next = market.seen[index + 1];
    return each.atMs >= since || next === undefined || next.atMs > since;
  });
  const moved = inForce.some((each) =>
    prices.some((price, index) => {
      const change = price - at(each.prices, index);
      return (change < 0n ? -change : change) >= BigInt(movePips) * 100n;
    }),
  );
  market.seen = inForce;
  if (!moved) return;
  const untilMs = world.nowMs + haltMs;
  market.halted = true;
  market.haltedUntilMs = untilMs;
  world.timers.push({ dueMs: untilMs, kind: 'market_resume', subject: market.id });
  world.events.push({
    type: 'market_halted',
    marketId: market.id,
    reason: 'circuit_breaker',
    untilMs,
  });
}
