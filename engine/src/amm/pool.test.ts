import { lots, pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costOf } from './cost.ts';
import { createPool, type Pool, restorePool } from './pool.ts';
import { lotsToPrice, quote } from './quote.ts';

const USDT = 1_000_000n;

function pool(deposit: bigint, outcomes: number, prior?: readonly bigint[]): Pool {
  const result = createPool(deposit, outcomes, prior);
  if (!result.ok) throw new Error(result.reason);
  return result.pool;
}

function trade(target: Pool, outcome: number, size: number, side: 'buy' | 'sell'): bigint {
  const planned = target.view.copy();
  const { amount, q } = quote(planned, outcome, lots(size), side);
  planned.move(outcome, q);
  target.adopt(planned, side === 'buy' ? amount : -amount);
  return amount;
}

const deposit = fc.bigInt({ min: 5n * USDT, max: 10n ** 14n });
const prior = fc.option(
  fc.array(fc.bigInt({ min: 10n, max: 30n }), { minLength: 2, maxLength: 64 }),
  {
    nil: undefined,
  },
);

describe('pool', () => {
  it('[AM9] buying and selling back leaves the pool as it was', () => {
    const fresh = pool(1000n * USDT, 2);
    expect(trade(fresh, 0, 10_000, 'buy')).toBe(50866261n);
    expect(fresh.sets).toBe(1050866261n);
    expect([fresh.inventory(0), fresh.inventory(1)]).toEqual([950866261n, 1050866261n]);
    expect(trade(fresh, 0, 10_000, 'sell')).toBe(50866261n);
    expect(fresh.sets).toBe(1000n * USDT);
    expect(fresh.view.quantities()).toEqual([0n, 0n]);
  });

  it('[AM9] forty b ahead, the winner leaves the pool 2 µ of its deposit', () => {
    const fresh = pool(1000n * USDT, 2);
    const planned = fresh.view.copy();
    planned.move(0, 40n * fresh.b);
    fresh.adopt(planned, planned.cost() - fresh.view.cost());
    expect(fresh.inventory(0)).toBe(2n);
  });

  it('[AM9] inventory is never negative, sets follow the cost function, surplus never falls', () => {
    const trades = fc.array(
      fc.tuple(fc.nat(63), fc.integer({ min: 1, max: 9999 }), fc.boolean(), fc.nat(10 ** 9)),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(
        deposit,
        fc.integer({ min: 2, max: 64 }),
        prior,
        trades,
        (d, n, weights, walk) => {
          const target = pool(d, weights?.length ?? n, weights);
          const birth = costOf(target.initial, target.b);
          let surplus = 0n;
          for (const [who, price, isBuy, capped] of walk) {
            const side = isBuy ? 'buy' : 'sell';
            const outcome = who % target.initial.length;
            const reach = lotsToPrice(target.view, outcome, pips(price), side);
            trade(target, outcome, capped % 2 === 0 ? reach : Math.min(reach, capped), side);
            expect(target.surplus >= surplus).toBe(true);
            surplus = target.surplus;
          }
          expect(target.sets).toBe(d + target.view.cost() - birth + target.surplus);
          target.initial.forEach((_, outcome) => {
            expect(target.inventory(outcome) >= 0n).toBe(true);
          });
        },
      ),
      { numRuns: 200 },
    );
  });

  it('[AM9] outcomes pushed to 9999 pips in turn, round after round, never empty the pool', () => {
    const target = pool(5n * USDT, 4);
    for (let round = 0; round < 6; round++) {
      for (let outcome = 0; outcome < 4; outcome++) {
        trade(target, outcome, lotsToPrice(target.view, outcome, pips(9999), 'buy'), 'buy');
        for (let i = 0; i < 4; i++) expect(target.inventory(i) >= 0n).toBe(true);
      }
    }
    expect(target.surplus >= 0n).toBe(true);
  });

  it('[AM9] the price floor in the far tail becomes surplus', () => {
    const fresh = pool(1000n * USDT, 3);
    const planned = fresh.view.copy();
    planned.move(0, 30n * fresh.b);
    fresh.adopt(planned, planned.cost() - fresh.view.cost());
    expect(fresh.surplus).toBe(0n);
    trade(fresh, 1, 100, 'buy');
    expect(fresh.surplus).toBe(100n);
  });

  it('[AM9] receiving less than the change of the cost function is a defect', () => {
    const fresh = pool(1000n * USDT, 2);
    const planned = fresh.view.copy();
    planned.move(0, 100n * USDT);
    expect(() => fresh.adopt(planned, 50866260n)).toThrow('at least the change');
    expect(fresh.sets).toBe(1000n * USDT);
  });

  it('[AM9] sets minted through the pool leave its inventory alone', () => {
    const fresh = pool(500n * USDT, 3);
    const planned = fresh.view.copy();
    planned.shift(85n * USDT);
    fresh.adopt(planned, 85n * USDT);
    expect(fresh.surplus).toBe(0n);
    for (let i = 0; i < 3; i++) expect(fresh.inventory(i)).toBe(500n * USDT);
  });

  it('[AM10] a restored pool answers and continues as the original', () => {
    const step = fc.tuple(fc.nat(7), fc.integer({ min: 1, max: 9999 }), fc.boolean());
    fc.assert(
      fc.property(deposit, fc.array(step, { minLength: 2, maxLength: 12 }), (d, walk) => {
        const original = pool(d, 8);
        let restored = restorePool(original.record());
        walk.forEach(([outcome, price, isBuy], index) => {
          const side = isBuy ? 'buy' : 'sell';
          const reach = lotsToPrice(original.view, outcome, pips(price), side);
          expect(lotsToPrice(restored.view, outcome, pips(price), side)).toBe(reach);
          expect(trade(restored, outcome, reach, side)).toBe(trade(original, outcome, reach, side));
          if (index % 3 === 2) restored = restorePool(restored.record());
        });
        expect(restored.record()).toEqual(original.record());
      }),
    );
  });
});
