// The sandbox's reference prices: what the mock source of fast rounds reads, at any moment, past or future.

import { wander } from './noise.ts';

/** A decimal string with two places; an unknown symbol has a price too. */
export function referencePrice(symbol: string, atMs: number): string {
  const cents = String(referenceCents(symbol, atMs)).padStart(3, '0');
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

export function referenceCents(symbol: string, atMs: number): number {
  const base = BASE_CENTS[symbol] ?? DEFAULT_CENTS;
  return Math.round(base * (1 + SWING * wander(`reference|${symbol}`, atMs)));
}

/** How far the price goes up or down at most, as a part of its base. */
const SWING = 0.12;
const DEFAULT_CENTS = 10_000;
const BASE_CENTS: Readonly<Record<string, number>> = {
  BTC: 10_425_000,
  ETH: 392_000,
  SOL: 18_700,
};
