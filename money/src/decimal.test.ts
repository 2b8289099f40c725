import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASSETS, money, usdt } from './asset.ts';
import {
  type DecimalFault,
  formatDecimal,
  formatLots,
  formatMicro,
  formatMoney,
  formatPips,
  parseDecimal,
  parseLots,
  parseMoney,
  parsePips,
} from './decimal.ts';
import { lots, MAX_LOTS, pips } from './units.ts';

const units = fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n });
const scale = fc.integer({ min: 0, max: 18 });

describe('reading amounts', () => {
  const accepted: readonly (readonly [string, 'USDT' | 'CROWN' | 'BTC' | 'ETH', bigint])[] = [
    ['0', 'USDT', 0n],
    ['1', 'USDT', 1_000_000n],
    ['1.5', 'CROWN', 1_500_000n],
    ['-0.000001', 'USDT', -1n],
    ['007.10', 'USDT', 7_100_000n],
    ['0.00000001', 'BTC', 1n],
    ['0.000000000000000001', 'ETH', 1n],
  ];
  it.each(accepted)('[MO1] %s %s is %s smallest units', (text, asset, value) => {
    expect(parseMoney(text, asset)).toEqual({ ok: true, value });
  });

  const refused: readonly (readonly [string, DecimalFault])[] = [
    ['', 'malformed'],
    ['.5', 'malformed'],
    ['5.', 'malformed'],
    ['+1', 'malformed'],
    ['1e6', 'malformed'],
    [' 1', 'malformed'],
    ['1\n', 'malformed'],
    ['1,5', 'malformed'],
    ['--1', 'malformed'],
    ['0x10', 'malformed'],
    ['١', 'malformed'],
    ['NaN', 'malformed'],
    ['1.0000000000000000000', 'malformed'],
    ['0'.repeat(41), 'too_long'],
  ];
  it.each(refused)('[MO2] %j is refused', (text, reason) => {
    expect(parseMoney(text, 'USDT')).toEqual({ ok: false, reason });
  });

  it('[MO2] forty characters are still read, a hundred thousand are refused', () => {
    expect(parseMoney('9'.repeat(100_000), 'USDT')).toEqual({ ok: false, reason: 'too_long' });
    expect(parseMoney('0'.repeat(40), 'USDT')).toEqual({ ok: true, value: 0n });
  });

  it('[MO3] places beyond the scale pass only as zeros', () => {
    expect(parseMoney('1.5000000', 'USDT')).toEqual({ ok: true, value: 1_500_000n });
    expect(parseMoney('1.0000001', 'USDT')).toEqual({ ok: false, reason: 'excess_places' });
    expect(parseMoney('0.000000001', 'BTC')).toEqual({ ok: false, reason: 'excess_places' });
  });

  it('[MO3] no digit is ever lost: reading succeeds only if the decimal is a whole number of units', () => {
    const digits = fc.string({
      unit: fc.constantFrom(...'0123456789'),
      minLength: 1,
      maxLength: 9,
    });
    fc.assert(
      fc.property(digits, digits, scale, (whole, fraction, places) => {
        const scaled = BigInt(whole + fraction) * 10n ** BigInt(places);
        const unit = 10n ** BigInt(fraction.length);
        const result = parseDecimal(`${whole}.${fraction}`, places);
        if (scaled % unit !== 0n) expect(result).toEqual({ ok: false, reason: 'excess_places' });
        else if (result.ok) expect(result.value).toBe(scaled / unit);
        else expect(scaled / unit >= 2n ** 63n && result.reason === 'out_of_range').toBe(true);
      }),
    );
  });

  it('[MO4] 2^63 smallest units are out of range, one less is not', () => {
    expect(parseDecimal('9223372036854775808', 0)).toEqual({ ok: false, reason: 'out_of_range' });
    expect(parseDecimal('-9223372036854775808', 0)).toEqual({ ok: false, reason: 'out_of_range' });
    expect(parseMoney('9223372036854.775807', 'USDT')).toEqual({ ok: true, value: 2n ** 63n - 1n });
    expect(parseMoney('9223372036854.775808', 'USDT')).toEqual({
      ok: false,
      reason: 'out_of_range',
    });
  });
});

describe('writing amounts', () => {
  it('[MO5] all places, no plus, no minus zero', () => {
    expect(formatMoney(usdt(1_500_000n), 'USDT')).toBe('1.500000');
    expect(formatMoney(usdt(-1n), 'USDT')).toBe('-0.000001');
    expect(formatMoney(usdt(0n), 'USDT')).toBe('0.000000');
    expect(formatMoney(money('BTC', 123n), 'BTC')).toBe('0.00000123');
    expect(formatMoney(money('ETH', 10n ** 18n), 'ETH')).toBe('1.000000000000000000');
    expect(formatDecimal(42n, 0)).toBe('42');
    const minusZero = parseMoney('-0.000000', 'USDT');
    expect(minusZero.ok && formatMoney(minusZero.value, 'USDT')).toBe('0.000000');
  });

  it('[MO5] reading what was written gives the amount back', () => {
    fc.assert(
      fc.property(units, scale, (value, places) => {
        const text = formatDecimal(value, places);
        expect(text).toMatch(/^-?(0|[1-9][0-9]*)(\.[0-9]{1,18})?$/);
        expect(parseDecimal(text, places)).toEqual({ ok: true, value });
      }),
    );
  });

  it('[MO5] two texts of one amount are written alike', () => {
    fc.assert(
      fc.property(units, fc.constantFrom(...ASSETS), fc.nat(3), (value, asset, zeros) => {
        const text = formatMoney(money(asset, value), asset);
        const sign = value < 0n ? '-' : '';
        const padded = parseMoney(sign + '0'.repeat(zeros) + text.slice(sign.length), asset);
        const trimmed = parseMoney(text.replace(/\.?0+$/, '') || '0', asset);
        expect(padded.ok && formatMoney(padded.value, asset)).toBe(text);
        if (text.includes('.') && trimmed.ok) expect(trimmed.value).toBe(value);
      }),
    );
  });
});

describe('prices and sizes', () => {
  it('[MO5] an amount given as a number is written like the same amount given as units', () => {
    const safe = fc.maxSafeInteger();
    const around = fc.constantFrom(
      0,
      -0,
      1,
      999_999,
      1_000_000,
      1_000_001,
      Number.MAX_SAFE_INTEGER,
    );
    fc.assert(
      fc.property(fc.oneof(safe, around), (micro) => {
        expect(formatMicro(micro)).toBe(formatDecimal(BigInt(micro), 6));
      }),
    );
  });

  it('[MO9] prices and sizes are read from any text as amounts of their places are', () => {
    const text = fc.string({ unit: fc.constantFrom(...'00123456789..- +e'), maxLength: 14 });
    const decimal = fc
      .tuple(fc.nat(12_000_000), fc.nat(999_999), fc.integer({ min: 0, max: 7 }))
      .map(([whole, fraction, places]) => `${whole % 12}.${`${fraction}`.padStart(places, '0')}`);
    fc.assert(
      fc.property(fc.oneof(text, decimal), (written) => {
        const price = parseDecimal(written, 4);
        const isPrice = price.ok && price.value >= 0n && price.value <= 10_000n;
        expect(parsePips(written)).toEqual(
          isPrice ? { ok: true, value: Number(price.value) } : refusal(price),
        );
        const size = parseDecimal(written, 2);
        const isSize = size.ok && size.value >= 0n && size.value <= BigInt(MAX_LOTS);
        expect(parseLots(written)).toEqual(
          isSize ? { ok: true, value: Number(size.value) } : refusal(size),
        );
      }),
      { numRuns: 2000 },
    );
  });

  /** What is no decimal keeps its reason; a decimal beyond the bounds is out of range. */
  function refusal(parsed: ReturnType<typeof parseDecimal>) {
    return parsed.ok ? { ok: false, reason: 'out_of_range' } : parsed;
  }

  it('[MO9] prices are whole pips from 0 to 1', () => {
    expect(parsePips('0.55')).toEqual({ ok: true, value: 5500 });
    expect(parsePips('1')).toEqual({ ok: true, value: 10_000 });
    expect(parsePips('0.55000000')).toEqual({ ok: true, value: 5500 });
    expect(parsePips('0.55005')).toEqual({ ok: false, reason: 'excess_places' });
    expect(parsePips('1.0001')).toEqual({ ok: false, reason: 'out_of_range' });
    expect(parsePips('-0.0001')).toEqual({ ok: false, reason: 'out_of_range' });
    expect(formatPips(pips(5500))).toBe('0.550000');
  });

  it('[MO9] sizes are whole lots from 0 to 10^9 shares', () => {
    expect(parseLots('1.25')).toEqual({ ok: true, value: 125 });
    expect(parseLots('1.255')).toEqual({ ok: false, reason: 'excess_places' });
    expect(parseLots('1000000000')).toEqual({ ok: true, value: MAX_LOTS });
    expect(parseLots('1000000000.01')).toEqual({ ok: false, reason: 'out_of_range' });
    expect(parseLots('-0.01')).toEqual({ ok: false, reason: 'out_of_range' });
    expect(formatLots(lots(125))).toBe('1.250000');
  });

  it('[MO9] reading what was written gives the price and the size back', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(MAX_LOTS), (price, size) => {
        expect(parsePips(formatPips(pips(price)))).toEqual({ ok: true, value: price });
        expect(parseLots(formatLots(lots(size)))).toEqual({ ok: true, value: size });
      }),
    );
  });
});
