import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addAmounts,
  checkOrder,
  compareAmounts,
  formatAmount,
  notionalOf,
  parseAmount,
  roundPrice,
  roundSize,
  subtractAmounts,
} from './decimal.ts';

const grid = {
  tick_size: '0.001',
  lot_size: '0.01',
  min_size: '0.01',
  min_notional: '0.01',
  max_notional: '100000',
};

describe('[SK7] decimals', () => {
  it('sums and differences are exact where floats are not', () => {
    expect(addAmounts('0.1', '0.2')).toBe('0.3');
    expect(subtractAmounts('9994.807773', '0.000001')).toBe('9994.807772');
    expect(addAmounts()).toBe('0');
    expect(['10', '9', '9.5'].toSorted(compareAmounts)).toEqual(['9', '9.5', '10']);
  });

  it('text that is no amount throws', () => {
    for (const text of ['', '1e3', ' 1', '1,5', '0.0000001', 'NaN']) {
      expect(() => parseAmount(text)).toThrow(RangeError);
    }
  });

  it('reading what was written gives the amount back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (micro) => {
        expect(parseAmount(formatAmount(micro))).toBe(micro);
        expect(formatAmount(micro)).not.toMatch(/\.[0-9]*0$/);
      }),
    );
  });

  it('notional rounds up, so it is never too little', () => {
    expect(notionalOf('0.521', '10')).toBe('5.21');
    expect(notionalOf('0.333333', '0.333333')).toBe('0.111111');
    expect(notionalOf('0.333333', '0.333334')).toBe('0.111112');
  });
});

describe('[SK8] grid', () => {
  it('rounds to tick and lot', () => {
    expect(roundPrice(grid, '0.52149')).toBe('0.521');
    expect(roundPrice(grid, '0.52149', 'ceil')).toBe('0.522');
    expect(roundPrice(grid, '0.00001')).toBe('0.001');
    expect(roundPrice(grid, '0.24100350000000001')).toBe('0.241');
    expect(roundSize(grid, '1234567890.019999999999')).toBe('1234567890.01');
    expect(() => roundPrice(grid, '-0.5')).toThrow(RangeError);
    expect(roundPrice({ ...grid, tick_size: '0.0025' }, '0.5213')).toBe('0.5225');
    expect(roundSize(grid, '10.019')).toBe('10.01');
  });

  it('names what is wrong and the nearest right value', () => {
    expect(checkOrder(grid, { price: '0.52', size: '10' })).toEqual([]);
    expect(checkOrder(grid, { price: '0.5204', size: '10.001' })).toEqual([
      { field: 'price', reason: 'off_grid', nearest: '0.52' },
      { field: 'size', reason: 'off_grid', nearest: '10' },
    ]);
    expect(checkOrder(grid, { price: '1', size: '0' })).toEqual([
      { field: 'price', reason: 'out_of_range', nearest: '0.999' },
      { field: 'size', reason: 'too_small', nearest: '0.01' },
    ]);
    expect(checkOrder(grid, { price: '0.1', size: '0.05' })).toEqual([
      { field: 'size', reason: 'too_small', nearest: '0.1' },
    ]);
    expect(checkOrder(grid, { price: '0.5', size: '200000.01' })).toEqual([
      { field: 'size', reason: 'too_large', nearest: '200000' },
    ]);
    expect(checkOrder(grid, { size: 'ten' })).toEqual([
      { field: 'size', reason: 'malformed', nearest: null },
    ]);
  });

  it('[SK8] keeps the nearest value of numbers that are finer than any amount', () => {
    expect(checkOrder(grid, { price: '0.52149123456', size: '10.0199999999' })).toEqual([
      { field: 'price', reason: 'off_grid', nearest: '0.521' },
      { field: 'size', reason: 'off_grid', nearest: '10.01' },
    ]);
    expect(checkOrder(grid, { price: '0.0000000001', size: '0.0000000001' })).toEqual([
      { field: 'price', reason: 'out_of_range', nearest: '0.001' },
      { field: 'size', reason: 'too_small', nearest: '0.01' },
    ]);
    expect(checkOrder(grid, { price: '0.5210000000', size: '10.0100000000' })).toEqual([]);
    expect(checkOrder(grid, { price: '-0.5', size: '-1' })).toEqual([
      { field: 'price', reason: 'out_of_range', nearest: '0.001' },
      { field: 'size', reason: 'too_small', nearest: '0.01' },
    ]);
    const huge = '9'.repeat(30);
    expect(checkOrder(grid, { price: huge, size: huge })).toEqual([
      { field: 'price', reason: 'out_of_range', nearest: '0.999' },
      { field: 'size', reason: 'malformed', nearest: null },
    ]);
    for (const price of ['--0.5', '1e-3', '0.5.5', '', ' 0.5', '9'.repeat(41)]) {
      expect(checkOrder(grid, { price, size: '10' })).toEqual([
        { field: 'price', reason: 'malformed', nearest: null },
      ]);
    }
  });

  it('a rounded order never has a problem of the grid', () => {
    const micro = fc.bigInt({ min: 1n, max: 999_999n });
    fc.assert(
      fc.property(micro, fc.bigInt({ min: 10_000n, max: 10n ** 11n }), (priceMicro, sizeMicro) => {
        const price = roundPrice(grid, formatAmount(priceMicro));
        const size = roundSize(grid, formatAmount(sizeMicro));
        const reasons = checkOrder(grid, { price, size }).map(({ reason }) => reason);
        expect(reasons).not.toContain('off_grid');
        expect(reasons).not.toContain('out_of_range');
      }),
    );
  });
});
