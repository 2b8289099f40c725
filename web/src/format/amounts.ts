// Amounts as people read them. The exchange's decimal strings stay decimal strings: nothing goes through a float.
import { numberFormat } from '@sibyl/contract/names';
import { formatAmount, parseAmount } from '@sibyl/sdk';
import type { Locale } from '../texts/texts.ts';

/** A decimal string is formatted digit by digit; the type only knows template literals of numbers. */
function exactly(format: Intl.NumberFormat, decimal: string): string {
  return format.format(decimal as `${number}`);
}

const twoPlaces = {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  roundingMode: 'trunc',
} as const;
const allPlaces = { minimumFractionDigits: 2, maximumFractionDigits: 6 } as const;
const THOUSAND = parseAmount('1000');
const signed = { signDisplay: 'exceptZero' } as const;

/** Money with two places, cut and never rounded up: nobody sees more than there is. What is less than a cent is "<0.01". */
export function money(locale: Locale, decimal: string): string {
  if (isBelowCent(decimal)) return belowCent(locale, decimal, twoPlaces);
  return exactly(numberFormat(locale, twoPlaces), decimal);
}

/** The same with its sign, for gains and losses. */
export function signedMoney(locale: Locale, decimal: string): string {
  if (isBelowCent(decimal)) return belowCent(locale, decimal, { ...twoPlaces, ...signed });
  return exactly(numberFormat(locale, { ...twoPlaces, ...signed }), decimal);
}

/** Money to its last unit, for questions before it moves. */
export function exactMoney(locale: Locale, decimal: string): string {
  return exactly(numberFormat(locale, allPlaces), decimal);
}

/** The same with its sign. */
export function signedExactMoney(locale: Locale, decimal: string): string {
  return exactly(numberFormat(locale, { ...allPlaces, ...signed }), decimal);
}

/** More than nothing, and yet nothing in two places. */
function isBelowCent(amount: string): boolean {
  return exactDirectionOf(amount) !== 'flat' && directionOf(amount) === 'flat';
}

/** One cent with "<" before its digits, behind the sign. */
function belowCent(locale: Locale, amount: string, options: Intl.NumberFormatOptions): string {
  const cent = exactDirectionOf(amount) === 'up' ? '0.01' : '-0.01';
  const text = exactly(numberFormat(locale, options), cent);
  return text.replace(/\d/, '<$&');
}

/** Shares have at most two places. */
export function shares(locale: Locale, decimal: string): string {
  return exactly(
    numberFormat(locale, { maximumFractionDigits: 2, roundingMode: 'trunc' }),
    decimal,
  );
}

/** Large sums at a glance: 12.4K. German has no short form of its own below a million. */
export function roughly(locale: Locale, decimal: string): string {
  const compact = { notation: 'compact', maximumFractionDigits: 1, roundingMode: 'trunc' } as const;
  const format = numberFormat(locale, compact);
  const amount = parseAmount(decimal);
  if (locale !== 'de' || amount < THOUSAND || amount >= THOUSAND * 1_000n) {
    return exactly(format, decimal);
  }
  return `${exactly(format, formatAmount(amount / 1_000n))} Tsd.`;
}

/** A price of 0.534 as 53.4: a share pays one, so cents and percent are the same number. */
export function cents(locale: Locale, price: string, places: 0 | 1 | 2 = 1): string {
  return exactly(
    numberFormat(locale, { minimumFractionDigits: 0, maximumFractionDigits: places }),
    inCents(price),
  );
}

/** Cents with as many places as a tick has, so that the digits of a column stand below each other. */
export function gridCents(locale: Locale, price: string, tickSize: string): string {
  const places = /\.(\d*?)0*$/.exec(inCents(tickSize))?.[1]?.length ?? 0;
  return exactly(
    numberFormat(locale, {
      minimumFractionDigits: places,
      maximumFractionDigits: Math.max(places, 2),
    }),
    inCents(price),
  );
}

/** A change of price in cents, with its sign. */
export function signedCents(locale: Locale, change: string): string {
  return exactly(
    numberFormat(locale, { maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
    inCents(change),
  );
}

/** A hundred times a decimal string, exactly. */
export function inCents(price: string): string {
  return formatAmount(parseAmount(price) * 100n);
}

/** A hundredth of it: what somebody typed in cents, as a price. Throws a RangeError on what is no such number. */
export function fromCents(text: string): string {
  const micro = parseAmount(text);
  if (micro % 100n !== 0n) throw new RangeError(`"${text}" has too many places`);
  return formatAmount(micro / 100n);
}

export type Direction = 'up' | 'down' | 'flat';

/** Where a sum goes; what its two places show as nothing goes nowhere. */
export function directionOf(amount: string): Direction {
  return wayOf(amount, 10_000n);
}

/** Where a price goes; what `signedCents` rounds to nothing goes nowhere. */
export function priceDirectionOf(change: string): Direction {
  return wayOf(change, 500n);
}

/** Where an amount goes whose every unit is shown. */
export function exactDirectionOf(amount: string): Direction {
  return wayOf(amount, 1n);
}

function wayOf(amount: string, leastShown: bigint): Direction {
  const micro = parseAmount(amount);
  if (micro >= leastShown) return 'up';
  return micro <= -leastShown ? 'down' : 'flat';
}
