import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { poolState } from '../../test/pool-states.ts';
import { costOf } from './cost.ts';
import { type Move, PoolView } from './view.ts';

/** Moves as [outcome, change in units of b/1000 and of µ]; outcomes are taken modulo their number. */
const steps = fc.array(
  fc.tuple(fc.nat(63), fc.integer({ min: -30_000, max: 30_000 }), fc.nat(10_000)),
  { minLength: 1, maxLength: 12 },
);

function moveOf(view: PoolView, [who, ratio, jitter]: readonly [number, number, number]): Move {
  const outcome = who % view.outcomes;
  return { outcome, q: view.q(outcome) + (view.b * BigInt(ratio)) / 1000n + BigInt(jitter) };
}

describe('cached cost', () => {
  it('[AM10] equals the definition after any history of moves, shifts and quotes', () => {
    fc.assert(
      fc.property(poolState(64), steps, ({ b, q }, walk) => {
        const view = new PoolView(b, q);
        expect(view.cost()).toBe(costOf(q, b));
        for (const step of walk) {
          const move = moveOf(view, step);
          const after = view.quantities().with(move.outcome, move.q);
          expect(view.costAfter([move])).toBe(costOf(after, b));
          if (step[2] % 3 === 0) view.shift(BigInt(step[1]));
          else view.moveAll([move]);
          expect(view.cost()).toBe(costOf(view.quantities(), b));
        }
      }),
      { numRuns: 150 },
    );
  });

  it('[AM10] equals the definition when several outcomes move at once', () => {
    fc.assert(
      fc.property(poolState(16), steps, ({ b, q }, walk) => {
        const view = new PoolView(b, q);
        const moves: Move[] = [];
        for (const step of walk) {
          const move = moveOf(view, step);
          if (!moves.some(({ outcome }) => outcome === move.outcome)) moves.push(move);
        }
        const after = q.slice();
        for (const move of moves) after[move.outcome] = move.q;
        expect(view.costAfter(moves)).toBe(costOf(after, b));
        view.moveAll(moves);
        expect(view.quantities()).toEqual(after);
        expect(view.cost()).toBe(costOf(after, b));
      }),
    );
  });

  it('[AM10] equals the definition where the cost is about to step and only its last bits decide', () => {
    const b = 2n ** 50n;
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: -5n * b, max: 5n * b }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 4 }),
        (others, drift) => {
          const top = costOf([...others, -200n * b], b);
          const at = (tail: bigint): bigint => costOf([...others, tail], b);
          const step = bisect(top - 40n * b, top - 25n * b, (tail) => at(tail) > at(top - 40n * b));
          const view = new PoolView(b, [...others, top - 40n * b]);
          view.shift(BigInt(drift));
          view.move(0, view.q(0) + BigInt(drift) * b);
          view.move(0, view.q(0) - BigInt(drift) * b);
          view.shift(-BigInt(drift));
          for (let near = step - 6n; near < step + 6n; near++) {
            expect(view.costAfter([{ outcome: others.length, q: near }])).toBe(at(near));
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('[AM4] quoting changes nothing and a copy leaves its source alone', () => {
    fc.assert(
      fc.property(poolState(16), steps, ({ b, q }, walk) => {
        const view = new PoolView(b, q);
        const before = view.cost();
        const copy = view.copy();
        for (const step of walk) {
          view.costAfter([moveOf(view, step)]);
          copy.moveAll([moveOf(copy, step)]);
        }
        expect(view.quantities()).toEqual(q);
        expect(view.cost()).toBe(before);
        const aside = { outcome: 0, q: view.q(0) + 777n };
        expect(view.costAfter([aside])).toBe(costOf(q.with(0, aside.q), b));
      }),
    );
  });

  it('[AM5] a shift moves the cost by exactly the amount', () => {
    fc.assert(
      fc.property(
        poolState(64),
        fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
        ({ b, q }, x) => {
          const view = new PoolView(b, q);
          view.shift(x);
          expect(view.cost()).toBe(costOf(q, b) + x);
          expect(view.quantities()).toEqual(q.map((value) => value + x));
        },
      ),
    );
  });

  it('[AM10] sizes beyond any band are priced by the definition', () => {
    const view = new PoolView(1_000_000n, [0n, 0n]);
    expect(view.costAfter([{ outcome: 0, q: 10n ** 15n }])).toBe(10n ** 15n + 1n);
    expect(view.costAfter([{ outcome: 0, q: -(10n ** 15n) }])).toBe(1n);
    view.move(0, 10n ** 15n);
    view.move(1, 10n ** 15n);
    expect(view.cost()).toBe(10n ** 15n + costOf([0n, 0n], 1_000_000n));
  });
});

/** The smallest value from `low` to `high` for which the condition holds. */
function bisect(low: bigint, high: bigint, holds: (value: bigint) => boolean): bigint {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1n;
    if (holds(middle)) to = middle;
    else from = middle + 1n;
  }
  return from;
}
