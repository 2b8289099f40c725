// Exact arithmetic on the service's decimal strings, and the grid of a market's prices and sizes.

import { divide, formatDecimal, parseDecimal, type Rounding, UNITS_LIMIT } from '@sibyl/money';

/** What the grid of a market is read from; every Market has it. */
export type Grid = {
  readonly tick_size: string;
  readonly lot_size: string;
  readonly min_size: string;
  readonly min_notional: string;
  readonly max_notional: string;
};

export type OrderProblem = {
  readonly field: 'price' | 'size';
  readonly reason: 'malformed' | 'off_grid' | 'out_of_range' | 'too_small' | 'too_large';
  /** The nearest value the market would take, where there is one. */
  readonly nearest: string | null;
};

/** Micro-units of USDT or shares in a decimal string; throws a RangeError on anything inexact. */
export function parseAmount(text: string): bigint {
  const parsed = parseDecimal(text, places);
  if (!parsed.ok) throw new RangeError(`"${text}" is not an amount: ${parsed.reason}`);
  return parsed.value;
}

/** The shortest decimal string of so many micro-units. */
export function formatAmount(micro: bigint): string {
  const text = formatDecimal(micro, places);
  return text.replace(/\.?0+$/, '');
}

export function addAmounts(...amounts: readonly string[]): string {
  return formatAmount(amounts.reduce((sum, amount) => sum + parseAmount(amount), 0n));
}

export function subtractAmounts(from: string, amount: string): string {
  return formatAmount(parseAmount(from) - parseAmount(amount));
}

/** Negative, zero or positive, for sorting. */
export function compareAmounts(a: string, b: string): number {
  const difference = parseAmount(a) - parseAmount(b);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Price times size in USDT, rounded up to the micro-unit: what a buyer should be ready to pay. */
export function notionalOf(price: string, size: string): string {
  return formatAmount(divide(parseAmount(price) * parseAmount(size), one, 'ceil'));
}

/** The price on the market's tick at or beside the given one, which may be finer than any amount. */
export function roundPrice(market: Grid, price: string, rounding: Rounding = 'half_even'): string {
  const tick = parseAmount(market.tick_size);
  const rounded = divide(parseFine(price), tick * finer, rounding) * tick;
  return formatAmount(clamp(rounded, tick, one - tick));
}

/** The size on the market's lot at or beside the given one; down, unless told otherwise. */
export function roundSize(market: Grid, size: string, rounding: Rounding = 'floor'): string {
  const lot = parseAmount(market.lot_size);
  return formatAmount(divide(parseFine(size), lot * finer, rounding) * lot);
}

/** What the market would refuse about a price and a size; empty if nothing. */
export function checkOrder(
  market: Grid,
  order: { readonly price?: string | undefined; readonly size: string },
): readonly OrderProblem[] {
  const price = order.price === undefined ? null : checkPrice(market, order.price);
  const size = checkSize(market, order.size);
  const problems = [price, size].filter((problem) => problem !== null);
  if (problems.length > 0 || order.price === undefined) return problems;
  return checkNotional(market, order.price, order.size);
}

const places = 6;
const one = 10n ** BigInt(places);
const placesFine = 18;
const finer = 10n ** BigInt(placesFine - places);
const lengthMax = 40;

function parseFine(text: string): bigint {
  const value = fineOf(text);
  if (value === null || value < 0n) throw new RangeError(`"${text}" is not a decimal`);
  return value;
}

/** The result of a division may have up to 18 places. Null for text that is no decimal. */
function fineOf(text: string): bigint | null {
  const match = text.length > lengthMax ? null : /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = ''] = match;
  return BigInt(sign + whole + fraction.padEnd(placesFine, '0'));
}

function checkPrice(market: Grid, text: string): OrderProblem | null {
  const price = fineOf(text);
  if (price === null) return problem('price', 'malformed', null);
  const tick = parseAmount(market.tick_size);
  const [lowest, highest] = [tick, one - tick];
  if (price < lowest * finer) return problem('price', 'out_of_range', formatAmount(lowest));
  if (price > highest * finer) return problem('price', 'out_of_range', formatAmount(highest));
  if (price % (tick * finer) === 0n) return null;
  return problem('price', 'off_grid', roundPrice(market, text));
}

function checkSize(market: Grid, text: string): OrderProblem | null {
  const size = fineOf(text);
  if (size === null || size >= UNITS_LIMIT * finer) return problem('size', 'malformed', null);
  const smallest = parseAmount(market.min_size);
  if (size < smallest * finer) return problem('size', 'too_small', formatAmount(smallest));
  if (size % (parseAmount(market.lot_size) * finer) === 0n) return null;
  return problem('size', 'off_grid', roundSize(market, text));
}

function checkNotional(market: Grid, price: string, size: string): readonly OrderProblem[] {
  const pricePerShare = parseAmount(price);
  const notional = parseAmount(notionalOf(price, size));
  const lot = parseAmount(market.lot_size);
  const sizeFor = (amount: bigint, rounding: Rounding): string =>
    formatAmount(divide(amount * one, pricePerShare * lot, rounding) * lot);
  const smallest = parseAmount(market.min_notional);
  if (notional < smallest) return [problem('size', 'too_small', sizeFor(smallest, 'ceil'))];
  const largest = parseAmount(market.max_notional);
  if (notional > largest) return [problem('size', 'too_large', sizeFor(largest, 'floor'))];
  return [];
}

function problem(
  field: OrderProblem['field'],
  reason: OrderProblem['reason'],
  nearest: string | null,
): OrderProblem {
  return { field, reason, nearest };
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
}
