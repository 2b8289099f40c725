// Amounts between decimal strings and units: parsed with a refusal that names the nearest valid value.
import type { TextSheet } from '@sibyl/lane';
import {
  ASSET_SCALE,
  type DecimalResult,
  divide,
  formatDecimal,
  formatLots,
  formatMicro,
  formatPips,
  type Lots,
  MAX_LOTS,
  PIPS_ONE,
  type Pips,
  parseDecimal,
  parseLots,
  parseMoney,
  parsePips,
  type Usdt,
} from '@sibyl/money';
import { type ApiError, fail } from '../handling/handler.ts';

/** Money and shares both have six places. */
export function amountText(micro: bigint): string {
  // exact: a number is only made of what it holds
  return -SAFE <= micro && micro <= SAFE
    ? formatMicro(Number(micro))
    : formatDecimal(micro, ASSET_SCALE.USDT);
}

/** Into a reply, without a string in between where a number holds it. */
export function spellAmount(sheet: TextSheet, micro: bigint): void {
  if (0n <= micro && micro <= SAFE) sheet.micro(Number(micro));
  else sheet.plain(amountText(micro));
}

/** Of a price or of any amount that is a safe integer. */
export function priceText(micro: number): string {
  return formatMicro(micro);
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

export function pipsText(price: number): string {
  return formatPips(price as Pips);
}

export function lotsText(lots: number): string {
  return formatLots(lots as Lots);
}

/** A limit price; whether it is a multiple of the tick is for the market to say. */
export function readPrice(text: string, field = 'price'): Pips | ApiError {
  const parsed = parsePips(text);
  if (parsed.ok && parsed.value > 0 && parsed.value < PIPS_ONE) return parsed.value;
  const nearest = nearestUnits(text, PIP_PLACES, 1n, BigInt(PIPS_ONE - 1));
  return invalid(field, 'a price between 0 and 1, a multiple of tick_size', nearest, pipsText);
}

/** A size in shares. */
export function readSize(text: string, field = 'size'): Lots | ApiError {
  const parsed = parseLots(text);
  if (parsed.ok && parsed.value > 0) return parsed.value;
  const nearest = nearestUnits(text, LOT_PLACES, 1n, BigInt(MAX_LOTS));
  return invalid(field, SIZE_EXPECTED, nearest, lotsText);
}

export function readMoney(text: string, field: string): Usdt | ApiError {
  const parsed: DecimalResult<Usdt> = parseMoney(text, 'USDT');
  if (parsed.ok && parsed.value > 0n) return parsed.value;
  return fail('VALIDATION_FAILED', { field, expected: 'an amount above 0 with up to 6 places' });
}

/** The multiple of the tick that is nearest to what was asked for; null for text that is no decimal at all. */
export function nearestPips(text: string, tick: number): number | null {
  const most = BigInt(PIPS_ONE - tick);
  const nearest = nearestUnits(text, PIP_PLACES, BigInt(tick), most, BigInt(tick));
  return nearest === null ? null : Number(nearest);
}

/** The nearest number of lots between two; null for text that is no decimal at all. */
export function nearestLots(text: string, least: number, most: number): number | null {
  const nearest = nearestUnits(text, LOT_PLACES, BigInt(least), BigInt(most));
  return nearest === null ? null : Number(nearest);
}

const SIZE_EXPECTED = `a size above 0 and up to ${lotsText(MAX_LOTS)}, a multiple of lot_size`;
const PIP_PLACES = 4;
const LOT_PLACES = 2;
/** Finer than any grid, and still within what a decimal may hold for the largest size. */
const PLACES_READ = 8;

/** Null for text that is no decimal at all. */
function nearestUnits(
  text: string,
  places: number,
  least: bigint,
  most: bigint,
  step = 1n,
): bigint | null {
  const point = text.indexOf('.');
  const parsed = parseDecimal(
    point === -1 ? text : text.slice(0, point + 1 + PLACES_READ),
    PLACES_READ,
  );
  if (!parsed.ok) {
    if (parsed.reason !== 'out_of_range') return null;
    return text.startsWith('-') ? least : most;
  }
  const unit = 10n ** BigInt(PLACES_READ - places) * step;
  const units = divide(parsed.value, unit, 'half_even') * step;
  if (units < least) return least;
  return units > most ? most : units;
}

function invalid(
  field: string,
  expected: string,
  nearest: bigint | null,
  format: (units: number) => string,
): ApiError {
  if (nearest === null) return fail('VALIDATION_FAILED', { field, expected });
  return fail('VALIDATION_FAILED', { field, expected, nearest: format(Number(nearest)) });
}
