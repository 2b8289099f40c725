// The wire form of amounts: decimal strings to smallest units and back, refusing what would not be exact.

import { ASSET_SCALE, type Asset, type Money } from './asset.ts';
import { isLots, LOT_MICRO, type Lots, PIPS_ONE, type Pips } from './units.ts';

export type DecimalFault = 'too_long' | 'malformed' | 'excess_places' | 'out_of_range';

export type DecimalResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: DecimalFault };

/** Longer text is refused unread: BigInt parsing is quadratic and must never meet unbounded input. */
export const DECIMAL_LENGTH_MAX = 40;

/** Amounts lie strictly between -2^63 and 2^63 smallest units, what a database integer can hold. */
export const UNITS_LIMIT = 1n << 63n;

/** Places beyond the scale are accepted only as zeros: `1.5000000` is 1.5 USDT, `1.0000001` is refused. */
export function parseDecimal(text: string, scale: number): DecimalResult<bigint> {
  if (text.length > DECIMAL_LENGTH_MAX) return fault('too_long');
  const match = DECIMAL.exec(text);
  if (match === null) return fault('malformed');
  const [, sign = '', whole = '', fraction = ''] = match;
  if (hasNonZero(fraction, scale)) return fault('excess_places');
  const magnitude = BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0'));
  if (magnitude >= UNITS_LIMIT) return fault('out_of_range');
  return { ok: true, value: sign === '-' ? -magnitude : magnitude };
}

/** Canonical: always `scale` places, no plus sign, no minus zero. */
export function formatDecimal(units: bigint, scale: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale);
  return `${negative ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`;
}

export function parseMoney<A extends Asset>(text: string, asset: A): DecimalResult<Money<A>> {
  return parseDecimal(text, ASSET_SCALE[asset]) as DecimalResult<Money<A>>;
}

export function formatMoney<A extends Asset>(amount: Money<A>, asset: A): string {
  return formatDecimal(amount, ASSET_SCALE[asset]);
}

/** A price string in whole pips; anything finer than 0.0001 is refused as excess places. */
export function parsePips(text: string): DecimalResult<Pips> {
  const plain = plainUnits(text, PIP_PLACES);
  if (plain >= 0 && plain <= PIPS_ONE) return { ok: true, value: plain as Pips };
  const parsed = parseDecimal(text, PIP_PLACES);
  if (!parsed.ok) return parsed;
  if (parsed.value < 0n || parsed.value > BigInt(PIPS_ONE)) return fault('out_of_range');
  // exact: parsed within 0 to 10,000
  return { ok: true, value: Number(parsed.value) as Pips };
}

export function formatPips(price: Pips): string {
  return formatMicro(price * MICRO_PER_PIP);
}

/** A size string in whole lots; anything finer than 0.01 is refused as excess places. */
export function parseLots(text: string): DecimalResult<Lots> {
  const plain = plainUnits(text, LOT_PLACES);
  if (plain >= 0 && isLots(plain)) return { ok: true, value: plain };
  const parsed = parseDecimal(text, LOT_PLACES);
  if (!parsed.ok) return parsed;
  // exact: parsed within the largest size, a safe integer
  const value = Number(parsed.value);
  return isLots(value) ? { ok: true, value } : fault('out_of_range');
}

export function formatLots(size: Lots): string {
  return formatMicro(size * MICRO_PER_LOT);
}

/** An amount of six places that is given as a safe integer: what every answer to an order has several of. */
export function formatMicro(micro: number): string {
  if (micro < 0 || !Number.isSafeInteger(micro)) {
    return formatDecimal(BigInt(micro), ASSET_SCALE.USDT);
  }
  const fraction = micro % MICRO_ONE;
  const whole = (micro - fraction) / MICRO_ONE; // exact: the remainder is taken off
  // A million before the fraction keeps its zeros; the point takes the place of the one.
  return `${whole}.${`${MICRO_ONE + fraction}`.slice(1)}`;
}

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]{1,18}))?$/;
const PIP_PLACES = 4;
const LOT_PLACES = 2;
const MICRO_ONE = 1_000_000;
const MICRO_PER_PIP = 100;
/** A size times it is a safe integer. */
const MICRO_PER_LOT = Number(LOT_MICRO); // exact: a small constant

/** Longer text might leave the safe integers. */
const PLAIN_LENGTH_MAX = 12;
const ZERO = 0x30;
const POINT = 0x2e;

/**
 * The units of digits with at most `places` of them behind a point, as nearly all amounts are written; -1 for any other
 * text, which has to be looked at closely.
 */
function plainUnits(text: string, places: number): number {
  const { length } = text;
  if (length > PLAIN_LENGTH_MAX) return -1;
  let units = 0;
  let point = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= ZERO + 9) units = units * 10 + (code - ZERO);
    else if (code === POINT && point < 0 && at > 0) point = at;
    else return -1;
  }
  const behind = point < 0 ? 0 : length - point - 1;
  if (length === 0 || behind > places || (point >= 0 && behind === 0)) return -1;
  for (let missing = places - behind; missing > 0; missing--) units *= 10;
  return units;
}

function hasNonZero(digits: string, from: number): boolean {
  for (let i = from; i < digits.length; i++) if (digits[i] !== '0') return true;
  return false;
}

function fault(reason: DecimalFault): { readonly ok: false; readonly reason: DecimalFault } {
  return { ok: false, reason };
}
