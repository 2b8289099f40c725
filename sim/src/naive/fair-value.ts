// What a cancellation pays for shares now, by the default window or by a named one (VD4 to VD8).

import { openingPrices } from './mid.ts';
import { lastOf, middleHalves, payoutBy } from './middle-half.ts';
import { at } from './pool.ts';
import type { NaiveCancellation } from './proposal.ts';
import { gridOf, type Slice, slicesOf } from './slices.ts';
import type { NaiveMarket, World } from './world.ts';

type Window = NaiveCancellation['window'];

/** The payout, or what is wrong with what was asked. */
export type NaiveValue = readonly number[] | 'window' | 'excluded';

export function fairPayout(
  world: World,
  market: NaiveMarket,
  window: Window,
  excluded: readonly number[],
): NaiveValue {
  const { windowMs } = world.parameters.fairValue;
  if (window === null) return payoutOfLast(world, market, windowMs, excluded);
  const inside = slicesWithin(world, market, window);
  const lengthMs = lengthOf(inside);
  const afterMs = market.runs.reduce(
    (sum, { fromMs, toMs }) => sum + Math.max(0, toMs - Math.max(fromMs, window.toMs)),
    0,
  );
  const isTooShort = lengthMs < lastDayMs(world, market);
  if (isTooShort || lengthMs > windowMs || afterMs > windowMs) return 'window';
  return payoutOfSlices(market, inside, excluded);
}

/** Whether operators must name a window: the book was thin, or the last day is another price (VD8). */
export function mustName(world: World, market: NaiveMarket, excluded: readonly number[]): boolean {
  const { windowMs, movedPips } = world.parameters.fairValue;
  const slices = slicesIn(world, market);
  const window = lastOf(slices, thirdOf(market, windowMs));
  // The oldest one may be cut: of its depth as much counts as of its time.
  const whole = slices.slice(slices.length - window.length);
  const deepMs = window.reduce(
    (sum, { ms }, index) => sum + Math.floor((at(whole, index).deepMs * ms) / at(whole, index).ms),
    0,
  );
  if (market.pool === null && 2 * deepMs < lengthOf(window)) return true;
  const usual = payoutOfLast(world, market, windowMs, excluded);
  const lastDay = payoutOfLast(world, market, lastDayMs(world, market), excluded);
  if (usual === 'excluded' || lastDay === 'excluded') return false;
  return usual.some((pips, outcome) => Math.abs(pips - at(lastDay, outcome)) > movedPips);
}

function payoutOfLast(
  world: World,
  market: NaiveMarket,
  mostMs: number,
  excluded: readonly number[],
): readonly number[] | 'excluded' {
  const slices = lastOf(slicesIn(world, market), thirdOf(market, mostMs));
  return payoutOfSlices(market, slices, excluded);
}

/** Where nothing was traded yet, opening prices. */
function payoutOfSlices(
  market: NaiveMarket,
  slices: readonly Slice[],
  excluded: readonly number[],
): readonly number[] | 'excluded' {
  const weights =
    lengthOf(slices) === 0 ? openingPrices(market) : middleHalves(slices, market.outcomes.length);
  return payoutBy(weights, excluded) ?? 'excluded';
}

function lastDayMs(world: World, market: NaiveMarket): number {
  return thirdOf(market, world.parameters.fairValue.shortWindowMs);
}

function thirdOf({ tradedMs }: NaiveMarket, mostMs: number): number {
  return Math.min(mostMs, Math.floor(tradedMs / 3));
}

function lengthOf(slices: readonly Slice[]): number {
  return slices.reduce((sum, { ms }) => sum + ms, 0);
}

function slicesIn(world: World, market: NaiveMarket): Slice[] {
  const plannedMs = market.locksAtMs - Math.max(market.opensAtMs, market.createdAtMs);
  return slicesOf(market.runs, gridOf(plannedMs, world.parameters.fairValue));
}

/** Of a round in a batch, whose window may be shorter than any other, but holds a slice (VD17). */
export function roundPayout(
  world: World,
  market: NaiveMarket,
  window: NonNullable<Window>,
): NaiveValue {
  const inside = slicesWithin(world, market, window);
  if (inside.length === 0) return 'window';
  return payoutBy(middleHalves(inside, market.outcomes.length), []) ?? 'excluded';
}

function slicesWithin(world: World, market: NaiveMarket, window: NonNullable<Window>): Slice[] {
  return slicesIn(world, market).filter(
    ({ atMs, ms }) => atMs >= window.fromMs && atMs + ms <= window.toMs,
  );
}
