// Pips and lots: the integers in which prices and sizes are counted, and the exact notional of both.

import { assert } from './assert.ts';
import type { Usdt } from './asset.ts';

declare const unitBrand: unique symbol;

/** Price in 10^-4 USDT per share, 0 to 10000. Orders use 1 to 9999; payouts may use the ends. */
export type Pips = number & { readonly [unitBrand]: 'pips' };

/** Size in hundredths of a share, 0 to MAX_LOTS. */
export type Lots = number & { readonly [unitBrand]: 'lots' };

/** One USDT per share. */
export const PIPS_ONE = 10_000;

/** Micro-shares in a lot. */
export const LOT_MICRO = 10_000n;

/** Keeps lots × pips at or below 10^15, well inside the safe integers. */
export const MAX_LOTS = 100_000_000_000;

export function isPips(value: number): value is Pips {
  return Number.isSafeInteger(value) && value >= 0 && value <= PIPS_ONE;
}

export function isLots(value: number): value is Lots {
  return Number.isSafeInteger(value) && value >= 0 && value <= MAX_LOTS;
}

export function pips(value: number): Pips {
  assert(isPips(value), 'price outside 0 to 10000 pips');
  return value;
}

export function lots(value: number): Lots {
  assert(isLots(value), 'size outside 0 to MAX_LOTS');
  return value;
}

/** The price of the other outcome of a binary market. */
export function complement(price: Pips): Pips {
  return (PIPS_ONE - price) as Pips;
}

/** One lot times one pip is one micro-USDT, so there is never a remainder. */
export function notional(size: Lots, price: Pips): Usdt {
  return BigInt(size * price) as Usdt;
}

/** The same amount as a safe integer number of micro-USDT, for hot paths that stay in numbers. */
export function notionalSafe(size: Lots, price: Pips): number {
  return size * price;
}

/** Micro-shares in so many lots. */
export function sharesOf(size: Lots): bigint {
  return BigInt(size) * LOT_MICRO;
}
