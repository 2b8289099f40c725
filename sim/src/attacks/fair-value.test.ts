// Figures of known attacks on cancellations: what the window that the preview asks for pays, and what the default would.
import { describe, expect, it } from 'vitest';
import { type Arena, DAY } from './arena.ts';
import { displace, wayBack } from './displaced-pools.ts';
import { losersPrize } from './losers-prize.ts';
import { asFlagged, asLastDay, bookSale, friendSells } from './stale-sales.ts';

const usdt = (micro: bigint): number => Number(micro) / 1_000_000;

describe('a sale at a new price before a cancellation (G1)', () => {
  const terms = { deposit: 500, to: 9_000, named: asLastDay } as const;

  it.each([
    [1, 0.42, 635.67],
    [4, 0.42, 227.12],
    [8, 0.42, 0.42],
  ])(
    '[VD7][VD8] costs the buyer a rebate by the last day, %i days later',
    (days, lost, byDefault) => {
      const sale = friendSells({ ...terms, hours: 24 * days, cause: 'event' });
      expect(usdt(sale.paid)).toBeCloseTo(1_429.08, 1);
      expect(usdt(sale.lost)).toBeCloseTo(lost, 1);
      expect(usdt(sale.lostByDefault)).toBeCloseTo(byDefault, 1);
      expect(usdt(sale.gained)).toBeLessThanOrEqual(0.43);
    },
  );

  it('[VD15] leaves nothing of the excess to the creator whose wording is the cause', () => {
    const named = ({ arena }: { readonly arena: Arena }) => ({
      fromMs: arena.nowMs - 8 * DAY,
      toMs: arena.nowMs - DAY,
    });
    const sale = friendSells({ ...terms, named, hours: 24, cause: 'question' });
    expect(usdt(sale.toInsurance)).toBeCloseTo(371.71, 1);
  });
});

describe('a sale from an empty book (G2)', () => {
  const terms = { lots: 100_000, price: 9_000, days: 4, named: asFlagged(9_000) } as const;

  it.each([0, 5])(
    '[VD3] costs the buyer what the price lacks of the trade, after %i washes',
    (washes) => {
      const sale = bookSale({ ...terms, washes });
      expect(usdt(sale.paid)).toBeCloseTo(901.1088, 3);
      expect(usdt(sale.lost)).toBeCloseTo(36.67, 1);
      expect(usdt(sale.lostByDefault)).toBeCloseTo(36.67, 1);
      expect(usdt(sale.gained)).toBeLessThanOrEqual(37);
    },
  );
});

it('[VD5] pays the losers of a price that fell before the lock a part of what they paid (G4)', () => {
  const { loser, honest } = losersPrize(5_000, 300_000, 9_500);
  expect(usdt(loser.paid)).toBeCloseTo(1_658.14, 1);
  expect(usdt(loser.received)).toBeCloseTo(152.79, 1);
  expect(usdt(honest.paid)).toBeCloseTo(17_982.49, 1);
  expect(usdt(honest.received)).toBeCloseTo(23_049.97, 1);
});

describe('a displaced pool', () => {
  const week = { deposit: 500, to: 9_000, heldHours: 168 } as const;

  it.each([
    [9_000, 1_162.17, 265, 3.95],
    [9_900, 2_825.48, 458.76, 7.23],
  ])(
    '[VD5] gains much of a deposit at %i without a visit, unless operators name a window',
    (to, paid, gain, fees) => {
      const { gained, gainedByDefault, stake } = displace({ ...week, to, visitHours: null });
      expect(usdt(stake)).toBeCloseTo(paid, 1);
      expect(usdt(gainedByDefault)).toBeCloseTo(gain, 1);
      expect(usdt(gained)).toBeLessThan(0);
      expect(usdt(wayBack(500, to))).toBeCloseTo(fees, 1);
    },
  );

  it('[VD5] loses where it is held for half of the window', () => {
    const { gainedByDefault } = displace({ ...week, heldHours: 86, visitHours: null });
    expect(usdt(gainedByDefault)).toBeCloseTo(-36.63, 1);
  });

  it.each([
    [24, 1_854.95, 2_591.18],
    [6, 7_419.77, 10_364.99],
  ])(
    '[VD5] gains less than a settlement costs with visits every %i h',
    (visitHours, gain, loss) => {
      const { gainedByDefault, lossIfSettled } = displace({ ...week, visitHours });
      expect(usdt(gainedByDefault)).toBeCloseTo(gain, 1);
      expect(usdt(lossIfSettled)).toBeCloseTo(loss, 1);
    },
  );
});
