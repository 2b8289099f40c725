// Figures of known attacks on cancellations: what the window that the preview asks for pays, and what the default would.
import { describe, expect, it } from 'vitest';
import { displace, wayBack } from './displaced-pools.ts';
import { losersPrize } from './losers-prize.ts';
import { asFlagged, asLastDay, bookSale, friendSells } from './stale-sales.ts';

const usdt = (micro: bigint): number => Number(micro) / 1_000_000;

describe('a sale at a new price before a cancellation (G1)', () => {
  const terms = { deposit: 500, to: 9_000, named: asLastDay } as const;

  it.each([
    [1, 0.42, 635.99],
    [4, 0.42, 227.39],
    [8, 0.42, 0.42],
  ])(
    '[VD7][VD8] costs the buyer a rebate by the last day, %i days later',
    (days, lost, byDefault) => {
      const sale = friendSells({ ...terms, hours: 24 * days, cause: 'event' });
      expect(usdt(sale.paid)).toBeCloseTo(1_429.8, 1);
      expect(usdt(sale.lost)).toBeCloseTo(lost, 1);
      expect(usdt(sale.lostByDefault)).toBeCloseTo(byDefault, 1);
      expect(usdt(sale.gained)).toBeLessThanOrEqual(0.43);
    },
  );

  it('[VD15] leaves nothing of the excess to the creator whose wording is the cause', () => {
    const named = () => null;
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
  expect(usdt(loser.paid)).toBeCloseTo(1_658.14, 0);
  expect(usdt(loser.received)).toBeCloseTo(153.29, 0);
  expect(usdt(honest.paid)).toBeCloseTo(17_982.07, 0);
  expect(usdt(honest.received)).toBeCloseTo(23_054.93, 0);
});

describe('a displaced pool', () => {
  const week = { deposit: 500, to: 9_000, heldHours: 168, attentive: false } as const;

  it('[VD5] gains half of a deposit where nobody visits, and costs the fees of the way back', () => {
    const { gained, stake } = displace({ ...week, visitHours: null });
    expect(usdt(stake)).toBeCloseTo(1_163, 0);
    expect(usdt(gained)).toBeCloseTo(265.51, 0);
    expect(usdt(wayBack(500, 9_000))).toBeCloseTo(3.8, 1);
  });

  it('[VD5] loses where it is held for half of the window', () => {
    const { gained } = displace({ ...week, heldHours: 86, visitHours: null });
    expect(usdt(gained)).toBeCloseTo(-33, 0);
  });

  it.each([
    [24, 1_859, 2_593],
    [6, 7_434, 10_371],
  ])(
    '[VD5] gains less than a settlement costs with visits every %i h',
    (visitHours, gain, loss) => {
      const { gained, lossIfSettled } = displace({ ...week, visitHours });
      expect(usdt(gained)).toBeCloseTo(gain, 0);
      expect(usdt(lossIfSettled)).toBeCloseTo(loss, 0);
    },
  );
});
