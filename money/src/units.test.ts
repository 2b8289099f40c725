import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, negate, subtract, usdt } from './asset.ts';
import {
  complement,
  isLots,
  isPips,
  LOT_MICRO,
  lots,
  MAX_LOTS,
  notional,
  notionalSafe,
  pips,
  sharesOf,
} from './units.ts';

const size = fc.nat(MAX_LOTS).map(lots);
const price = fc.nat(10_000).map(pips);

describe('notional', () => {
  it('[MO8] one lot at one pip is one micro-USDT', () => {
    expect(notional(lots(1), pips(1))).toBe(1n);
    expect(notional(lots(10_000), pips(5200))).toBe(52_000_000n);
  });

  it('[MO8] equals shares × price with no remainder, and is a safe integer', () => {
    fc.assert(
      fc.property(size, price, (s, p) => {
        const scaled = sharesOf(s) * BigInt(p);
        expect(scaled % 10_000n).toBe(0n);
        expect(notional(s, p)).toBe(scaled / 10_000n);
        expect(Number.isSafeInteger(notionalSafe(s, p))).toBe(true);
        expect(BigInt(notionalSafe(s, p))).toBe(notional(s, p));
      }),
    );
    expect(notional(lots(MAX_LOTS), pips(10_000))).toBe(10n ** 15n);
  });

  it('[MO8] the two sides of a set sum to the set', () => {
    fc.assert(
      fc.property(size, price, (s, p) => {
        expect(add(notional(s, p), notional(s, complement(p)))).toBe(sharesOf(s));
      }),
    );
  });

  it('[MO8] only whole numbers in range are pips or lots', () => {
    for (const value of [-1, 0.5, 10_001, Number.NaN]) expect(isPips(value)).toBe(false);
    for (const value of [-1, 0.5, MAX_LOTS + 1, Number.POSITIVE_INFINITY]) {
      expect(isLots(value)).toBe(false);
    }
    expect(() => pips(10_001)).toThrow('pips');
    expect(() => lots(-1)).toThrow('size');
    expect(sharesOf(lots(3))).toBe(3n * LOT_MICRO);
  });

  it('[MO1] amounts of one asset add, subtract and negate as integers', () => {
    expect(subtract(add(usdt(5n), usdt(7n)), usdt(20n))).toBe(-8n);
    expect(negate(usdt(3n))).toBe(-3n);
  });
});
