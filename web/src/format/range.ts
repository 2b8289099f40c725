// The range of a market for a number: what a price says about the number, and what a share pays if it comes out so.
import { numberFormat } from '@sibyl/contract/names';
import { formatAmount, type Market, parseAmount } from '@sibyl/sdk';
import type { Locale } from '../texts/texts.ts';

export interface Range {
  /** In millionths. */
  readonly lower: bigint;
  readonly upper: bigint;
  readonly unit: string;
}

const ONE = 1_000_000n;

/** Null for other markets, and where the ends are finer than any amount. */
export function rangeOf(market: Pick<Market, 'outcome_schema' | 'params'>): Range | null {
  if (market.outcome_schema !== 'scalar') return null;
  const { lower, upper, unit } = market.params;
  try {
    const ends = { lower: parseAmount(String(lower)), upper: parseAmount(String(upper)) };
    return ends.upper > ends.lower ? { ...ends, unit: typeof unit === 'string' ? unit : '' } : null;
  } catch {
    return null;
  }
}

/** The number at which a share of "higher" is worth its price. */
export function valueAt({ lower, upper }: Range, price: string): bigint {
  return lower + ((upper - lower) * parseAmount(price)) / ONE;
}

/** What a share of "higher" pays if the number is this. */
export function payoutAt({ lower, upper }: Range, value: bigint): string {
  if (value <= lower) return '0';
  if (value >= upper) return '1';
  return formatAmount(((value - lower) * ONE) / (upper - lower));
}

/** With as many places as the width of the range deserves. */
export function rangeValue(locale: Locale, { lower, upper, unit }: Range, value: bigint): string {
  const span = upper - lower;
  const places = span >= 1_000n * ONE ? 0 : span >= 10n * ONE ? 1 : 3;
  const format = numberFormat(locale, { maximumFractionDigits: places });
  const text = format.format(formatAmount(value) as `${number}`);
  return unit === '' ? text : `${text} ${unit}`;
}

/** How far along the range the price is, for a drawing. */
export function shareOf(price: string): number {
  return Math.min(1, Math.max(0, Number(price)));
}
