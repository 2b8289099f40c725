import { floorDiv, lots, MAX_LOTS, notional, type Pips, pips, sharesOf } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, realWeight } from '../../test/high-precision.ts';
import { calmState, type PoolState } from '../../test/pool-states.ts';
import { largest, sumRelativeTo, weightRelativeTo } from './cost.ts';
import {
  createPinning,
  isPinned,
  legTarget,
  lotsPastTarget,
  lotsToPricePinned,
  lotsToTarget,
  type Pin,
  targetAtPin,
} from './cross.ts';
import { lnRatio, ONE } from './fixed-point.ts';
import { createPool } from './pool.ts';
import { lotsToPrice } from './quote.ts';
import { PoolView } from './view.ts';

interface Bid extends Pin {
  left: number;
}

/** One buying segment as the router takes it; the numbers of a row of vector 32. */
function segment(view: PoolView, bids: readonly Bid[], remaining: number): readonly unknown[] {
  const live = bids.filter((bid) => bid.left > 0);
  const pins = live.filter((bid) => isPinned(view, bid, 'buy', 'hysteresis'));
  const pinning = createPinning(view, 0, pins);
  let size = Math.min(remaining, lotsToPricePinned(view, pinning, pips(9999), 'buy'));
  if (pinning.allPinned) {
    for (const pin of pins) size = Math.min(size, pin.left);
    view.shift(sharesOf(lots(size)));
    for (const pin of pins) pin.left -= size;
    return [size, BigInt(size * pinning.openPips), ...pins.map((pin) => [pin.outcome, size])];
  }
  for (const bid of live) {
    const held = pins.includes(bid) ? sharesOf(lots(bid.left)) : 0n;
    const target = targetAtPin(view, pinning, bid.outcome, view.q(bid.outcome) + held, bid.price);
    if (target !== undefined) size = Math.min(size, lotsPastTarget(view, 0, target, 'buy'));
  }
  const q = view.q(0) + sharesOf(lots(size));
  const legs = pins.map((pin) => {
    const reach = lotsToTarget(view, pin.outcome, legTarget(view, pinning, q, pin), 'buy');
    return { pin, size: lots(Math.min(pin.left, reach)) };
  });
  const moves = legs.map((leg) => ({
    outcome: leg.pin.outcome,
    q: view.q(leg.pin.outcome) + sharesOf(leg.size),
  }));
  const before = view.cost();
  view.moveAll([{ outcome: 0, q }, ...moves]);
  let cost = view.cost() - before;
  for (const leg of legs) {
    cost -= notional(leg.size, leg.pin.price);
    leg.pin.left -= leg.size;
  }
  return [size, cost, ...legs.map((leg) => [leg.pin.outcome, leg.size])];
}

describe('cross legs', () => {
  it('[AM16] three outcomes, two resting bids, a buy of 300', () => {
    const created = createPool(500_000_000n, 3);
    if (!created.ok) throw new Error(created.reason);
    const view = created.pool.view.copy();
    const bids: readonly Bid[] = [
      { outcome: 1, price: pips(3000), left: 10_000 },
      { outcome: 2, price: pips(3100), left: 10_000 },
    ];
    const rows: unknown[] = [];
    for (let remaining = 30_000; remaining > 0 && rows.length < 9; ) {
      const row = segment(view, bids, remaining);
      remaining -= Number(row[0]);
      rows.push(row);
    }
    expect(rows).toEqual([
      [9267, 33031432n],
      [2674, 10295107n, [2, 1492]],
      [8508, 33181200n, [1, 8508], [2, 8508]],
      [2644, 10443997n, [1, 1492]],
      [6907, 28897514n],
    ]);
    expect(view.quantities()).toEqual([300_000_000n, 100_000_000n, 100_000_000n]);
  });
});

/** A state of at least three outcomes, how many of 1… are pinned, and a side. */
const pinned = calmState(7)
  .filter(({ q }) => q.length >= 3)
  .chain((state) =>
    fc.tuple(fc.constant(state), fc.integer({ min: 0, max: state.q.length - 2 }), fc.boolean()),
  );

/** Weight of each outcome relative to the one at `origin`, by the 320-bit oracle. */
function realWeights({ b, q }: PoolState, origin: bigint): readonly bigint[] {
  return q.map((value) => realWeight(value - origin, b));
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/** Pins on outcomes 1…count; five of them leave more than half the price open. */
function pinsOf(count: number): readonly Pin[] {
  return Array.from({ length: count }, (_, i) => ({ outcome: i + 1, price: pips(700 + 50 * i) }));
}

function near(target: bigint, exact: (q: bigint) => bigint): boolean {
  const [below, above] = [exact(target - 1n), exact(target + 2n)];
  return (below <= 0n && above >= 0n) || (below >= 0n && above <= 0n);
}

describe('closed forms with pins', () => {
  it('[AM16] the price reached with pins held is the level, by p = (1-B)·e/(e + R)', () => {
    fc.assert(
      fc.property(pinned, fc.integer({ min: 1, max: 9999 }), ([state, count], t) => {
        const view = new PoolView(state.b, state.q);
        const pinning = createPinning(view, 0, pinsOf(count));
        const buy = lotsToPricePinned(view, pinning, pips(t), 'buy');
        const sell = lotsToPricePinned(view, pinning, pips(t), 'sell');
        if (pinning.allPinned || t >= pinning.openPips) return;
        // (1-B)·e - t·(e + R) in the outcome's own weight, with sign of p - t.
        const excess = (q: bigint): bigint => {
          const rest = sumOf(realWeights(state, q).filter((_, i) => i > count));
          return (BigInt(pinning.openPips - t) << BITS) - BigInt(t) * rest;
        };
        const here = view.q(0);
        if (buy > 0) expect(excess(here + sharesOf(buy)) <= 0n).toBe(true);
        if (buy < MAX_LOTS) expect(excess(here + sharesOf(buy) + 10_002n) >= 0n).toBe(true);
        if (sell > 0) expect(excess(here - sharesOf(sell)) >= 0n).toBe(true);
        if (sell < MAX_LOTS) expect(excess(here - sharesOf(sell) - 10_003n) <= 0n).toBe(true);
      }),
    );
  });

  it('[AM16] without pins it is the price of the plain walk', () => {
    fc.assert(
      fc.property(pinned, fc.integer({ min: 1, max: 9999 }), ([state, , isBuy], t) => {
        const view = new PoolView(state.b, state.q);
        const side = isBuy ? 'buy' : 'sell';
        const pinning = createPinning(view, 0, []);
        expect(lotsToPricePinned(view, pinning, pips(t), side)).toBe(
          lotsToPrice(view, 0, pips(t), side),
        );
      }),
    );
  });

  it('[AM16] at the target of a pin the other outcome has that price', () => {
    fc.assert(
      fc.property(pinned, fc.integer({ min: 1, max: 9999 }), ([state, count], t) => {
        const view = new PoolView(state.b, state.q);
        const pinning = createPinning(view, 0, pinsOf(count));
        const other = state.q.length - 1;
        const target = targetAtPin(view, pinning, other, view.q(other), pips(t));
        // (1-B)·e_k - t·(e_i + R) with e_i at the asked quantity, relative to outcome k.
        const weights = realWeights(state, view.q(other));
        const rest = sumOf(weights.filter((_, i) => i > count));
        const excess = (q: bigint): bigint =>
          (BigInt(pinning.openPips) << BITS) -
          BigInt(t) * (rest + realWeight(q - view.q(other), state.b));
        if (target === undefined) expect(excess(view.q(0) - 100n * state.b) <= 0n).toBe(true);
        else expect(near(target, excess)).toBe(true);
      }),
    );
  });

  it('[AM16] a leg target holds its outcome at the pin', () => {
    fc.assert(
      fc.property(pinned, fc.integer({ min: -30_000, max: 30_000 }), ([state, count], size) => {
        fc.pre(count > 0 && count < state.q.length - 1);
        const view = new PoolView(state.b, state.q);
        const pinning = createPinning(view, 0, pinsOf(count));
        const moved = view.q(0) + BigInt(size) * 10_000n;
        const pin = pinning.pins[0];
        if (pin === undefined) return;
        const target = legTarget(view, pinning, moved, pin);
        // p_j = β means e_j·(1-B) = β·(e_i + R).
        const excess = (q: bigint): bigint => {
          const rest = sumOf(realWeights(state, q).filter((_, i) => i > count));
          const own = realWeight(moved - q, state.b);
          return (BigInt(pinning.openPips) << BITS) - BigInt(pin.price) * (own + rest);
        };
        expect(near(target, excess)).toBe(true);
      }),
    );
  });

  it('[AM10] targets do not depend on what the view did before', () => {
    fc.assert(
      fc.property(pinned, fc.integer({ min: -15, max: 15 }), ([state, count], distance) => {
        const fresh = new PoolView(state.b, state.q);
        const travelled = new PoolView(state.b, state.q);
        travelled.move(0, fresh.q(0) + BigInt(distance) * state.b);
        travelled.move(0, fresh.q(0));
        const answers = (view: PoolView): readonly unknown[] => {
          const pinning = createPinning(view, 0, pinsOf(count));
          const other = state.q.length - 1;
          return [
            targetAtPin(view, pinning, other, view.q(other), pips(900)),
            lotsToPricePinned(view, pinning, pips(4000), 'buy'),
            pinning.pins.map((pin) => legTarget(view, pinning, view.q(0) + 123_456n, pin)),
          ];
        };
        expect(answers(travelled)).toEqual(answers(fresh));
      }),
    );
  });

  it('[AM10] pin targets are the defined ones where the difference all but vanishes', () => {
    const b = 2n ** 50n;
    const offset = fc.bigInt({ min: -b, max: b });
    const defined = (others: readonly bigint[], q: bigint): bigint | undefined => {
      const most = largest([q, ...others]);
      const own = weightRelativeTo(q, b, most) * 10_000n;
      const difference = own - sumRelativeTo(others, b, most);
      return difference <= 0n ? undefined : most + floorDiv(b * lnRatio(difference, ONE), ONE);
    };
    fc.assert(
      fc.property(offset, offset, fc.integer({ min: -9, max: 9 }), (first, second, distance) => {
        const view = new PoolView(b, [0n, first, second]);
        view.move(0, BigInt(distance) * b);
        view.move(0, 0n);
        const pinning = createPinning(view, 0, []);
        let [none, some] = [-30n * b, 20n * b];
        while (some - none > 1n) {
          const middle = (some + none) >> 1n;
          if (defined([first, second], middle) === undefined) none = middle;
          else some = middle;
        }
        for (let step = 0n; step < 30n; step++) {
          for (const q of [none - 9n + step, none + (step << 23n), none + (step << 25n)]) {
            expect(targetAtPin(view, pinning, 1, q, pips(1))).toBe(defined([first, second], q));
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('[AM10] a pin target that is a whole number is hit exactly from any reference', () => {
    for (let ahead = 0n; ahead < 12n; ahead++) {
      const b = 2n ** 50n - 5n * ahead;
      const view = new PoolView(b, [11n + ahead * b, 11n, 11n, 11n]);
      const target = (): bigint | undefined =>
        targetAtPin(view, createPinning(view, 0, []), 2, 11n, pips(2500));
      expect(target()).toBe(11n);
      view.move(0, 0n);
      expect(target()).toBe(11n);
    }
  });
});

describe('pinning', () => {
  it('[AM17] two lots of hysteresis around the pin, strict without', () => {
    const b = 1_000_000_000n;
    // Two outcomes: p of outcome 1 is 0.5 at equal quantities and moves by 1/(4b) per µ-share.
    const at = (offset: bigint): PoolView => new PoolView(b, [0n, offset]);
    const pin = { outcome: 1, price: pips(5000) };
    const cases: readonly (readonly [bigint, 'buy' | 'sell', boolean, boolean])[] = [
      [0n, 'buy', true, true],
      [19_000n, 'buy', true, false],
      [21_000n, 'buy', false, false],
      [-1n, 'buy', true, true],
      [0n, 'sell', true, true],
      [-19_000n, 'sell', true, false],
      [-21_000n, 'sell', false, false],
      [1n, 'sell', true, true],
    ];
    for (const [offset, side, loose, strict] of cases) {
      expect(isPinned(at(offset), pin, side, 'hysteresis')).toBe(loose);
      expect(isPinned(at(offset), pin, side, 'strict')).toBe(strict);
    }
  });

  it('[AM17] two lots are two lots at every price, also where prices hardly move', () => {
    for (const price of [1, 4, 2500, 9000, 9976, 9999]) {
      const pin = { outcome: 1, price: pips(price) };
      // b·logit(price), in floats: far closer than the hundred µ-shares that matter here.
      const target = BigInt(Math.round(62_374_902 * Math.log(price / (10_000 - price))));
      const at = (offset: bigint): PoolView => new PoolView(62_374_902n, [0n, target + offset]);
      expect(isPinned(at(19_900n), pin, 'buy', 'hysteresis')).toBe(true);
      expect(isPinned(at(20_100n), pin, 'buy', 'hysteresis')).toBe(false);
      expect(isPinned(at(-19_900n), pin, 'sell', 'hysteresis')).toBe(true);
      expect(isPinned(at(-20_100n), pin, 'sell', 'hysteresis')).toBe(false);
    }
  });

  it('[AM18] with every other outcome pinned the price is flat at what the pins leave', () => {
    const view = new PoolView(455_119_612n, [0n, 0n, 0n]);
    const pins = [1, 2].map((outcome) => ({ outcome, price: pips(3000) }));
    const pinning = createPinning(view, 0, pins);
    expect([pinning.allPinned, pinning.openPips]).toEqual([true, 4000]);
    const reach = (t: Pips, side: 'buy' | 'sell'): boolean =>
      lotsToPricePinned(view, pinning, t, side) > 0;
    expect([reach(pips(3999), 'buy'), reach(pips(4000), 'buy')]).toEqual([false, true]);
    expect([reach(pips(4001), 'sell'), reach(pips(4000), 'sell')]).toEqual([false, true]);
  });

  it('[AM16] pins are distinct, of other outcomes, and leave a positive price', () => {
    const view = new PoolView(455_119_612n, [0n, 0n, 0n]);
    const pin = (outcome: number, price: number): Pin => ({ outcome, price: pips(price) });
    expect(() => createPinning(view, 0, [pin(0, 100)])).toThrow();
    expect(() => createPinning(view, 0, [pin(1, 100), pin(1, 100)])).toThrow();
    expect(() => createPinning(view, 0, [pin(1, 5000), pin(2, 5000)])).toThrow();
  });
});
