// Slices by their definition: all that a market showed, kept as it was, and cut on the grid at the end.

import { shownPrices } from '../src/market/mid.ts';
import type { PriceSlice } from '../src/market/price-slices.ts';
import type { Market } from '../src/state/market.ts';
import type { World } from './world.ts';

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly prices: readonly number[];
}

/** Call `note` at every moment that something changes, with the new time and before its command. */
export class PriceDiary {
  readonly #world: World;
  readonly #market: Market;
  readonly #stretches: Stretch[] = [];
  #sinceMs: number;

  constructor(world: World, market: Market) {
    this.#world = world;
    this.#market = market;
    this.#sinceMs = world.nowMs;
  }

  note(isDown = false): void {
    const { nowMs: toMs, state } = this.#world;
    const fromMs = this.#sinceMs;
    this.#sinceMs = toMs;
    const trades = this.#market.status === 'active' && !this.#market.halted;
    if (!trades || state.readOnly || isDown || fromMs === toMs) return;
    this.#stretches.push({ fromMs, toMs, prices: shownPrices(this.#market).map(Number) });
  }

  /** Unbroken spans cut on the grid, newest first. */
  slices(gridMs: number): readonly PriceSlice[] {
    const cells: { fromMs: number; toMs: number; sums: number[] }[] = [];
    for (const { fromMs, toMs, prices } of this.#stretches) {
      for (let atMs = fromMs; atMs < toMs; atMs += 1) {
        const last = cells.at(-1);
        if (last !== undefined && last.toMs === atMs && atMs % gridMs !== 0) {
          last.toMs += 1;
          for (const [outcome, price] of prices.entries()) last.sums[outcome]! += price;
        } else {
          cells.push({ fromMs: atMs, toMs: atMs + 1, sums: [...prices] });
        }
      }
    }
    return cells.reverse().map(({ fromMs, toMs, sums }) => ({
      fromMs,
      toMs,
      deepMs: 0,
      prices: sums.map((sum) => Math.floor(sum / (toMs - fromMs))),
    }));
  }
}

/** Slices that several were merged into, cut on the grid again. */
export function cutOnGrid(slices: readonly PriceSlice[], gridMs: number): readonly PriceSlice[] {
  return slices.flatMap((slice) => {
    const parts: PriceSlice[] = [];
    for (let { fromMs } = slice; fromMs < slice.toMs; ) {
      const toMs = Math.min(slice.toMs, fromMs - (fromMs % gridMs) + gridMs);
      parts.unshift({ ...slice, fromMs, toMs });
      fromMs = toMs;
    }
    return parts;
  });
}
