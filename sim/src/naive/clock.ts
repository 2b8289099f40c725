// Time passes: journal time always, trading time and window time only while they may (CM12).
import { bookPricesInForce } from './book-price.ts';
import { shownPrices } from './mid.ts';
import type { NaiveMarket, World } from './world.ts';

/** Moves the world to a later moment; what happens then happens at that moment. */
export function passTime(world: World, toMs: number): void {
  const fromMs = world.nowMs;
  world.nowMs = toMs;
  if (world.readOnly) return;
  world.windowClockMs += between(Math.max(fromMs, graceEndMs(world)), toMs);
  const tradedMs = between(Math.max(fromMs, world.recoveredAtMs), toMs);
  if (tradedMs === 0) return;
  for (const market of world.markets) if (trades(market)) addRun(world, market, tradedMs);
}

/** Until when nothing is held against anybody for want of time. */
export function graceEndMs(world: World): number {
  return world.recoveredAtMs + world.parameters.resolution.recoveryGraceMs;
}

function between(fromMs: number, toMs: number): number {
  return Math.max(0, toMs - fromMs);
}

export function trades(market: NaiveMarket): boolean {
  return market.status === 'active' && !market.halted && market.closing === null;
}

function addRun(world: World, market: NaiveMarket, ms: number): void {
  const prices = market.pool === null ? bookPricesInForce(market) : shownPrices(world, market);
  const toMs = world.nowMs;
  const fromMs = toMs - ms;
  market.tradedMs += ms;
  const isDeep = market.pool === null && market.book.isDeep;
  const last = market.runs[market.runs.length - 1];
  const begins = last === undefined || last.toMs !== fromMs;
  if (!begins && last.prices === prices && last.isDeep === isDeep)
    market.runs[market.runs.length - 1] = { ...last, toMs };
  else market.runs.push({ fromMs, toMs, prices, isDeep, begins });
}
