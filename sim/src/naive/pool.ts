// The reference's market maker: every quantity is recomputed from the vector q, nothing is remembered.
import { ceilDiv, expNeg, floorDiv, ln, lnRatio, logit, ONE } from './fixed.ts';
import type { PlainSide } from './plain.ts';

export const LOT = 10_000n;

export interface NaivePool {
  readonly b: bigint;
  readonly deposit: bigint;
  readonly initial: readonly bigint[];
  q: bigint[];
  /** Complete sets the pool has put in, net. */
  sets: bigint;
}

/** A resting price of another outcome that the walk presses against. */
export interface NaivePin {
  readonly outcome: number;
  readonly price: bigint;
}

export function costOf(q: readonly bigint[], b: bigint): bigint {
  const highest = maxOf(q);
  return highest + ceilDiv(b * ln(sumOf(q, highest, b)) + (1n << 64n), ONE);
}

/** Parameters from the deposit; null when the pool cannot be opened. */
export function openPool(
  deposit: bigint,
  outcomes: number,
  prior: readonly number[] | null,
): NaivePool | null {
  const b =
    prior === null
      ? ((deposit - 1n) * ONE) / (ln(BigInt(outcomes) * ONE) + 4n)
      : ((deposit - 2n) * ONE) / (lnRatio(10000n, BigInt(Math.min(...prior))) + 4n);
  if (b < 1_000_000n || b > 1n << 50n) return null;
  const initial =
    prior === null
      ? new Array<bigint>(outcomes).fill(0n)
      : prior.map((pips) => floorDiv(b * lnRatio(BigInt(pips), 10000n), ONE));
  if (deposit < costOf(initial, b) - minOf(initial)) return null;
  return { b, deposit, initial, q: [...initial], sets: deposit };
}

export function inventoryOf(pool: NaivePool, outcome: number): bigint {
  return pool.sets - (at(pool.q, outcome) - at(pool.initial, outcome));
}

/** floor(p × 10⁶) of one outcome. */
export function marginalMicro(q: readonly bigint[], b: bigint, outcome: number): bigint {
  const highest = maxOf(q);
  return (1_000_000n * weight(at(q, outcome), highest, b)) / sumOf(q, highest, b);
}

/** The price in whole pips, half to even, inside 1…9999. */
export function marginalPips(q: readonly bigint[], b: bigint, outcome: number): number {
  return clampPips(halfEven(marginalMicro(q, b, outcome), 100n));
}

export function halfEven(value: bigint, unit: bigint): bigint {
  const whole = value / unit;
  const twice = 2n * (value % unit);
  if (twice > unit || (twice === unit && whole % 2n === 1n)) return whole + 1n;
  return whole;
}

export function clampPips(pips: bigint): number {
  if (pips < 1n) return 1;
  return pips > 9999n ? 9999 : Number(pips);
}

/** Prices to six places that sum to exactly one: floors, then the missing units by largest remainder. */
export function displayedPrices(q: readonly bigint[], b: bigint): bigint[] {
  const highest = maxOf(q);
  const total = sumOf(q, highest, b);
  const scaled = q.map((each) => 1_000_000n * weight(each, highest, b));
  return shareOut(
    scaled.map((each) => each / total),
    scaled.map((each) => each % total),
    1_000_000n,
  );
}

/** Hands out what is missing from the goal one by one, largest remainder first, ties to the lower index. */
export function shareOut(
  floors: readonly bigint[],
  remainders: readonly bigint[],
  goal: bigint,
): bigint[] {
  const result = [...floors];
  let missing = goal;
  for (const each of floors) missing -= each;
  const ranked = remainders
    .map((remainder, index) => ({ remainder, index }))
    .sort((x, y) =>
      x.remainder === y.remainder ? x.index - y.index : x.remainder > y.remainder ? -1 : 1,
    );
  for (const { index } of ranked) {
    if (missing <= 0n) break;
    result[index] = at(result, index) + 1n;
    missing -= 1n;
  }
  return result;
}

/** Whole lots that end at or inside the price when nothing is pinned. */
export function lotsToPrice(
  q: readonly bigint[],
  b: bigint,
  outcome: number,
  pips: bigint,
  side: PlainSide,
): bigint {
  const others = q.filter((_, index) => index !== outcome);
  const highest = maxOf(others);
  const target = highest + floorDiv(b * (logit(pips) + ln(sumOf(others, highest, b))), ONE);
  return lotsToward(at(q, outcome), target, side);
}

/** The pinned form: the open part of the price is shared with the unpinned others only. */
export function lotsToPricePinned(
  q: readonly bigint[],
  b: bigint,
  outcome: number,
  pins: readonly NaivePin[],
  pips: bigint,
  side: PlainSide,
): bigint | null {
  const open = openPips(pins);
  if (pips >= open) return null;
  const others = unpinned(q, outcome, pins);
  const highest = maxOf(others);
  const target =
    highest + floorDiv(b * (lnRatio(pips, open - pips) + ln(sumOf(others, highest, b))), ONE);
  return lotsToward(at(q, outcome), target, side);
}

function lotsToward(q: bigint, target: bigint, side: PlainSide): bigint {
  const lots = side === 'buy' ? floorDiv(target - 1n - q, LOT) : floorDiv(q - target - 2n, LOT);
  return lots > 0n ? lots : 0n;
}

export function isPinned(
  q: readonly bigint[],
  b: bigint,
  pin: NaivePin,
  side: PlainSide,
  strict: boolean,
): boolean {
  const highest = maxOf(q);
  const own = weight(at(q, pin.outcome), highest, b);
  const others = sumOf(q, highest, b) - own;
  const slack = strict ? 0n : 2n * LOT;
  // Odds against odds: own : others beside price : rest.
  const met = others * pin.price * b;
  const rest = 10000n - pin.price;
  return side === 'buy' ? own * rest * (b - slack) <= met : own * rest * (b + slack) >= met;
}

/** The q of the traded outcome at which another, holding `otherQ`, stands at the price; null when there is none. */
export function targetAtPin(
  q: readonly bigint[],
  b: bigint,
  outcome: number,
  pins: readonly NaivePin[],
  otherQ: bigint,
  pips: bigint,
): bigint | null {
  const rest = unpinned(q, outcome, pins);
  const highest = maxOf([...rest, otherQ]);
  const restSum = rest.length === 0 ? 0n : sumOf(rest, highest, b);
  const x = floorDiv(openPips(pins) * weight(otherQ, highest, b), pips) - restSum;
  if (x <= 0n) return null;
  return highest + floorDiv(b * lnRatio(x, ONE), ONE);
}

/** The q at which a pinned outcome keeps its price once the traded one is at `outcomeQ`. */
export function legTarget(
  q: readonly bigint[],
  b: bigint,
  outcome: number,
  pins: readonly NaivePin[],
  outcomeQ: bigint,
  pin: NaivePin,
): bigint {
  const moving = [...unpinned(q, outcome, pins), outcomeQ];
  const highest = maxOf(moving);
  const logarithm = ln(sumOf(moving, highest, b)) + lnRatio(pin.price, openPips(pins));
  return highest + floorDiv(b * logarithm, ONE);
}

export function openPips(pins: readonly NaivePin[]): bigint {
  let open = 10000n;
  for (const pin of pins) open -= pin.price;
  return open;
}

function unpinned(q: readonly bigint[], outcome: number, pins: readonly NaivePin[]): bigint[] {
  return q.filter((_, index) => index !== outcome && !pins.some((pin) => pin.outcome === index));
}

function weight(q: bigint, highest: bigint, b: bigint): bigint {
  return expNeg(((highest - q) * ONE) / b);
}

function sumOf(q: readonly bigint[], highest: bigint, b: bigint): bigint {
  let sum = 0n;
  for (const each of q) sum += weight(each, highest, b);
  return sum;
}

function maxOf(values: readonly bigint[]): bigint {
  let best = at(values, 0);
  for (const value of values) if (value > best) best = value;
  return best;
}

function minOf(values: readonly bigint[]): bigint {
  let best = at(values, 0);
  for (const value of values) if (value < best) best = value;
  return best;
}

/** An element that must be there. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`no element ${index} of ${items.length}`);
  return item;
}
