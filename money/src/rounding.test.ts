import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ceilDiv, divide, floorDiv, mulDiv } from './rounding.ts';

const any = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
const nonZero = fc.bigInt({ min: -(2n ** 40n), max: 2n ** 40n }).filter((d) => d !== 0n);

describe('division', () => {
  const table: readonly (readonly [bigint, bigint, bigint, bigint, bigint])[] = [
    [7n, 2n, 3n, 4n, 4n],
    [5n, 2n, 2n, 3n, 2n],
    [-7n, 2n, -4n, -3n, -4n],
    [-5n, 2n, -3n, -2n, -2n],
    [7n, -2n, -4n, -3n, -4n],
    [-5n, -2n, 2n, 3n, 2n],
    [1n, 3n, 0n, 1n, 0n],
    [-1n, 3n, -1n, 0n, 0n],
    [2n, 3n, 0n, 1n, 1n],
    [6n, 3n, 2n, 2n, 2n],
    [0n, -5n, 0n, 0n, 0n],
  ];
  it.each(table)('[MO6] %s / %s: floor %s, ceil %s, half even %s', (n, d, floor, ceil, even) => {
    expect(divide(n, d, 'floor')).toBe(floor);
    expect(divide(n, d, 'ceil')).toBe(ceil);
    expect(divide(n, d, 'half_even')).toBe(even);
  });

  it('[MO6] floor and ceil enclose the quotient, for any signs', () => {
    fc.assert(
      fc.property(any, nonZero, (n, d) => {
        const sign = d < 0n ? -1n : 1n;
        const below = sign * (n - floorDiv(n, d) * d);
        const above = sign * (ceilDiv(n, d) * d - n);
        const size = sign * d;
        expect(below >= 0n && below < size).toBe(true);
        expect(above >= 0n && above < size).toBe(true);
      }),
    );
  });

  it('[MO6] half even is a nearest integer, the even one of two', () => {
    const small = fc.bigInt({ min: -50n, max: 50n });
    fc.assert(
      fc.property(fc.oneof(any, small), fc.oneof(nonZero, fc.constantFrom(2n, -2n, 4n)), (n, d) => {
        const quotient = divide(n, d, 'half_even');
        const size = d < 0n ? -d : d;
        const error = 2n * (n - quotient * d);
        const distance = error < 0n ? -error : error;
        expect(distance <= size).toBe(true);
        if (distance === size) expect(quotient % 2n).toBe(0n);
      }),
    );
  });

  it('[MO6] division by zero is a defect', () => {
    expect(() => floorDiv(1n, 0n)).toThrow('division by zero');
    expect(() => divide(1n, 0n, 'half_even')).toThrow('division by zero');
  });

  it('[MO7] the product is exact before the one rounding', () => {
    expect(mulDiv(10n, 10n, 3n, 'floor')).toBe(33n);
    fc.assert(
      fc.property(any, any, nonZero, (a, b, d) => {
        expect(mulDiv(a * d, b, d, 'ceil')).toBe(a * b);
        expect(mulDiv(a, b, d, 'floor')).toBe(floorDiv(a * b, d));
      }),
    );
  });
});
