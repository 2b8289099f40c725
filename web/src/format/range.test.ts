import { describe, expect, it } from 'vitest';
import { payoutAt, rangeOf, rangeValue, valueAt } from './range.ts';

const range = (lower: string, upper: string, unit?: string) =>
  rangeOf({ outcome_schema: 'scalar', params: { lower, upper, ...(unit && { unit }) } });

describe('a range', () => {
  it('[WM22] tells the number at a price and the payout at a number', () => {
    const degrees = range('-10', '30');
    if (degrees === null) throw new Error('no range');
    expect(valueAt(degrees, '0.5')).toBe(10_000_000n);
    expect(valueAt(degrees, '0.535')).toBe(11_400_000n);
    expect(payoutAt(degrees, 11_400_000n)).toBe('0.535');
    expect(payoutAt(degrees, -99_000_000n)).toBe('0');
    expect(payoutAt(degrees, 99_000_000n)).toBe('1');
    expect(rangeValue('en', degrees, 11_400_000n)).toBe('11.4');
    expect(rangeValue('de', degrees, 11_400_000n)).toBe('11,4');
  });

  it('[WM22] reckons to the millionth, however wide the range', () => {
    const percent = range('0', '100');
    const wide = range('0', '20000000000.000001');
    const narrow = range('0', '0.000003');
    if (percent === null || wide === null || narrow === null) throw new Error('no range');
    expect(valueAt(percent, '0.29')).toBe(29_000_000n);
    expect(valueAt(wide, '1')).toBe(20_000_000_000_000_001n);
    expect(valueAt(narrow, '0.5')).toBe(1n);
    expect(payoutAt(narrow, 2n)).toBe('0.666666');
    expect(payoutAt(wide, 20_000_000_000_000_000n)).toBe('0.999999');
  });

  it('[WM22] shows as many places as its width deserves, and its unit', () => {
    const wide = range('3000', '5000', 'USDT');
    const narrow = range('0', '1');
    if (wide === null || narrow === null) throw new Error('no range');
    expect(rangeValue('en', wide, 3_770_400_000n)).toBe('3,770 USDT');
    expect(rangeValue('en', narrow, 123_400n)).toBe('0.123');
  });

  it('[WM22] is none where the market has no ends in order, or is no market for a number', () => {
    expect(range('5', '5')).toBe(null);
    expect(range('many', '5')).toBe(null);
    expect(rangeOf({ outcome_schema: 'binary', params: { lower: '1', upper: '2' } })).toBe(null);
  });
});
