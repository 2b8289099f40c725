import { pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, realExp, realLog } from '../../test/high-precision.ts';
import { mix } from '../../test/pool-states.ts';
import { encodeUtf8 } from '../kit/canonical.ts';
import { sha256Hex } from '../kit/sha256.ts';
import { bitLength, expNegative, lnRatio, logit, naturalLog, ONE } from './fixed-point.ts';

/** Units of 2^-96 between a result and the oracle, as a multiple of 2^-224 to see fractions of a unit. */
function distance(result: bigint, oracle: bigint): bigint {
  const difference = (result << (BITS - 96n)) - oracle;
  return difference < 0n ? -difference : difference;
}

const UNIT = 1n << (BITS - 96n);

describe('exponential and logarithm', () => {
  it('[AM1] e^-1, e^-10 and e^-70 to the last bit', () => {
    expect(expNegative(ONE)).toBe(29146412150787779157341161346n);
    expect(expNegative(10n * ONE)).toBe(3596953013358336146105486n);
    expect(expNegative(70n * ONE)).toBe(0n);
    expect(expNegative(0n)).toBe(ONE);
  });

  it('[AM1] ln 2 and ln 64 to the last bit', () => {
    expect(naturalLog(2n * ONE)).toBe(54916777467707473351141471128n);
    expect(naturalLog(64n * ONE)).toBe(329500664806244840106848826768n);
    expect(naturalLog(ONE)).toBe(0n);
  });

  it('[AM1] a thousand points each agree to the last bit with a model written in another language', () => {
    const points = Array.from({ length: 1000 }, (_, i) => mix(BigInt(i)) ** 2n);
    const digest = (values: readonly bigint[]): string => sha256Hex(encodeUtf8(values.join('\n')));
    expect(digest(points.map((x) => expNegative(x % (75n * ONE))))).toBe(
      'c72072f006e38f1b0b4e35d4a7b161ae76b52fbadf015a22d06148b122b44acd',
    );
    expect(digest(points.map((x) => naturalLog(ONE + (x % (63n * ONE)))))).toBe(
      '71d4c5b0d8ebe6effde5351759e042d5de95538f9198ea1680de5f1b69a2029a',
    );
  });

  it('[AM1] the exponential is within one unit of 2^-96 of the real one', () => {
    const argument = fc.bigInt({ min: 0n, max: 75n * ONE });
    fc.assert(
      fc.property(fc.oneof(argument, fc.bigInt({ min: 0n, max: ONE })), (x) => {
        expect(distance(expNegative(x), realExp(-x << (BITS - 96n))) <= UNIT).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('[AM1] the logarithm is within one unit of 2^-96 of the real one', () => {
    const large = fc.bigInt({ min: ONE, max: 1n << 160n });
    const sum = fc.bigInt({ min: ONE, max: 64n * ONE });
    fc.assert(
      fc.property(fc.oneof(sum, large), (s) => {
        expect(distance(naturalLog(s), realLog(s << (BITS - 96n))) <= UNIT).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('[AM1] arguments outside the domain are defects', () => {
    expect(() => expNegative(-1n)).toThrow();
    expect(() => naturalLog(ONE - 1n)).toThrow();
    expect(() => lnRatio(0n, 1n)).toThrow();
    expect(() => logit(pips(0))).toThrow();
    expect(() => logit(pips(10_000))).toThrow();
  });

  it('[AM2] logit of 6000 pips is minus that of 4000', () => {
    expect(logit(pips(6000))).toBe(32124255479057406416523745725n);
    expect(logit(pips(4000))).toBe(-32124255479057406416523745725n);
    expect(logit(pips(5000))).toBe(0n);
  });

  it('[AM2] logits rise, are odd about one half and do not depend on being asked before', () => {
    for (let price = 1; price < 9999; price++) {
      const here = logit(pips(price));
      expect(here < logit(pips(price + 1))).toBe(true);
      expect(here).toBe(-logit(pips(10_000 - price)));
      expect(here).toBe(lnRatio(BigInt(price), BigInt(10_000 - price)));
    }
  });

  it('[AM1] bit lengths count binary digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 1n << 300n }), (value) => {
        expect(bitLength(value)).toBe(BigInt(value.toString(2).length));
      }),
    );
  });
});
