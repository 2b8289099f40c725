import { floorDiv, LOT_MICRO, lots, MAX_LOTS, pips, sharesOf } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liquidity } from '../../test/pool-states.ts';
import type { Side } from '../kit/identity.ts';
import { largest, sumRelativeTo, weightRelativeTo } from './cost.ts';
import {
  createPinning,
  legTarget,
  lotsToMeeting,
  lotsToPricePinned,
  type Meeting,
  type Pin,
} from './cross.ts';
import { logOfPips } from './estimate.ts';
import { lnRatio, naturalLog, ONE } from './fixed-point.ts';
import { comparePrice } from './price.ts';
import { wholeLots } from './target.ts';
import { PoolView } from './view.ts';

/** One of the other outcomes: where it stands among them and the order it is on its way to, in shares of the scene's. */
interface Other {
  readonly at: number;
  readonly price: number;
  /** Has none below a tenth, pins above the scene's bound. */
  readonly order: number;
  readonly left: number;
}

interface Scene {
  readonly b: bigint;
  /** How far all others lie below the outcome, in units of b: weights vanish between 60 and 90. */
  readonly below: number;
  /** How far they lie from each other, in thousandths of b. */
  readonly spread: number;
  /** The highest price of an order. */
  readonly priceMax: number;
  /** The smallest and the largest order, in thousandths of b. */
  readonly depths: readonly [number, number];
  readonly pinsAbove: number;
  readonly others: readonly Other[];
  readonly side: Side;
  /** How far the outcome travels before it comes back, in units of b: moves what cached weights are relative to. */
  readonly detour: number;
}

const share = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);
const ratio = fc.oneof(fc.constantFrom(0, 0, 1), share);

const other: fc.Arbitrary<Other> = fc.record({
  at: ratio,
  price: ratio,
  order: share,
  left: ratio,
});

const scene: fc.Arbitrary<Scene> = fc.record({
  b: liquidity,
  below: fc.oneof(fc.constantFrom(-70, 0, 3, 87, 89), fc.integer({ min: 0, max: 95 })),
  spread: fc.constantFrom(0, 100, 3000, 20_000),
  priceMax: fc.constantFrom(2, 20, 140),
  depths: fc.constantFrom([0, 1], [0, 1000], [0, 60_000], [40_000, 43_000], [0, 200_000]),
  pinsAbove: fc.constantFrom(0, 0.5, 1),
  others: fc.array(other, { minLength: 2, maxLength: 63, size: 'max' }),
  side: fc.constantFrom<Side>('buy', 'sell'),
  detour: fc.constantFrom(0, 0, -90, -30, 17, 60),
});

/** The view of a scene; outcome 1 is never pinned, so that the pool always has one to move. */
function stage({ b, below, spread, priceMax, depths, pinsAbove, others, side, detour }: Scene) {
  const times = (thousandths: number): bigint => (BigInt(Math.round(thousandths)) * b) / 1000n;
  const q = [0n, ...others.map(({ at }) => times(at * spread - 1000 * below))];
  const view = new PoolView(b, q);
  view.move(0, BigInt(detour) * b);
  view.move(0, 0n);
  const pins: Pin[] = [];
  const meetings: Meeting[] = [];
  others.forEach(({ price, order, left }, index) => {
    const outcome = index + 1;
    const isPinned = order > pinsAbove;
    if (order < 0.1 || (index === 0 && isPinned)) return;
    const pin = { outcome, price: pips(1 + Math.round(price * (priceMax - 1))) };
    if (isPinned) pins.push(pin);
    const shares = isPinned ? LOT_MICRO + times(depths[0] + left * (depths[1] - depths[0])) : 0n;
    const end = q[outcome]! + (side === 'buy' ? shares : -shares);
    meetings.push({ ...pin, q: end, weight: view.weightAt(end) });
  });
  const pinning = createPinning(view, 0, pins);
  const unpinned = pinning.unpinned.outcomes.map((outcome) => q[outcome]!);
  return { view, q, pins, pinning, meetings, unpinned };
}

/** The target of a group in the words of the specification. */
function definedTarget(q: readonly bigint[], b: bigint, offset: bigint): bigint {
  const most = largest(q);
  return most + floorDiv(b * (offset + naturalLog(sumRelativeTo(q, b, most))), ONE);
}

/** Lots until one meeting in the words of the specification; null if it never comes. */
function definedLots(staged: ReturnType<typeof stage>, meeting: Meeting, side: Side) {
  const { view, q, pinning, unpinned } = staged;
  const most = largest([meeting.q, ...unpinned]);
  const own = weightRelativeTo(meeting.q, view.b, most) * BigInt(pinning.openPips);
  const x = floorDiv(own, BigInt(meeting.price)) - sumRelativeTo(unpinned, view.b, most);
  if (x <= 0n) return side === 'buy' ? 1n : null;
  const target = most + floorDiv(view.b * lnRatio(x, ONE), ONE);
  const distance = side === 'buy' ? target - q[0]! : q[0]! - target;
  const whole = distance <= LOT_MICRO ? 1n : (distance + LOT_MICRO - 1n) / LOT_MICRO;
  return whole > BigInt(MAX_LOTS) ? null : whole;
}

function expectFirst(drawn: Scene): void {
  const staged = stage(drawn);
  let least: bigint | null = null;
  for (const meeting of staged.meetings) {
    const size = definedLots(staged, meeting, drawn.side);
    if (size !== null && (least === null || size < least)) least = size;
  }
  const { view, pinning, meetings } = staged;
  const found = lotsToMeeting(view, pinning, meetings, drawn.side);
  expect(BigInt(found)).toBe(least ?? BigInt(MAX_LOTS));
}

describe('groups of outcomes', () => {
  it('[AM10] the first meeting of many is the least by definition, however far the weights lie apart', () => {
    fc.assert(
      fc.property(scene, (drawn) => expectFirst(drawn)),
      { numRuns: 800 },
    );
  });

  it('[AM10] weights of a unit or two do not tell which meeting is the first', () => {
    const scale = { b: 2n ** 30n, below: 89, spread: 2000, priceMax: 3, pinsAbove: 1 };
    const side = 'sell';
    for (let at = 0; at <= 1; at += 0.05) {
      for (let ahead = 0; ahead <= 0.3; ahead += 0.01) {
        const cheaper = { at, price: 0.5, order: 0.5, left: 0 };
        const dearer = { at: at + ahead, price: 1, order: 0.5, left: 0 };
        expectFirst({ ...scale, depths: [0, 0], others: [cheaper, dearer], side, detour: 0 });
      }
    }
  });

  it('[AM10] bounds and legs are the defined ones, in any order and however far the weights lie apart', () => {
    fc.assert(
      fc.property(scene, fc.integer({ min: 1, max: 9999 }), fc.nat(9999), (drawn, t, size) => {
        const { view, q, pins, pinning, unpinned } = stage(drawn);
        const open = pinning.openPips - t;
        if (open > 0) {
          const bound = definedTarget(unpinned, view.b, lnRatio(BigInt(t), BigInt(open)));
          const distance = drawn.side === 'buy' ? bound - 1n - q[0]! : q[0]! - bound - 2n;
          const found = lotsToPricePinned(view, pinning, pips(t), drawn.side);
          expect(found).toBe(wholeLots(distance));
        }
        const moved = q[0]! + sharesOf(lots(size));
        for (const pin of [...pins, ...pins.slice(0, 2)]) {
          const offset = lnRatio(BigInt(pin.price), BigInt(pinning.openPips));
          const defined = definedTarget([...unpinned, moved], view.b, offset);
          expect(legTarget(view, pinning, moved, pin)).toBe(defined);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('[AM10] a price that is a whole number of pips is equal to it after shifts, copies and moves', () => {
    const b = 2n ** 45n;
    const view = new PoolView(b, [7n, 7n, 7n, 7n]);
    const compare = (of: PoolView, price: number): readonly number[] =>
      [0, 1, 2, 3].map((outcome) => comparePrice(of, outcome, pips(price)));
    expect(compare(view, 2500)).toEqual([0, 0, 0, 0]);
    view.shift(12_345n);
    const copy = view.copy();
    expect(compare(copy, 2500)).toEqual([0, 0, 0, 0]);
    copy.moveAll([2, 3].map((outcome) => ({ outcome, q: -200n * b })));
    expect(compare(copy, 5000)).toEqual([0, 0, -1, -1]);
    expect(compare(view, 2500)).toEqual([0, 0, 0, 0]);
  });

  it('[AM10] differences of estimated logarithms of pips are within 2^-91 of the defined ones of their ratio', () => {
    const whole = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        const defined = lnRatio(BigInt(a), BigInt(b)) << 32n;
        const distance = logOfPips(a) - logOfPips(b) - defined;
        expect(distance > -(2n ** 37n) && distance < 2n ** 37n).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
