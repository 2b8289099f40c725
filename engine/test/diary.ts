// Average prices by their definition: all that a market showed, kept as it was, and added up at the end.
import type { Market } from '../src/market/market.ts';
import { openingPrices, shownPrices } from '../src/market/mid.ts';
import type { Parameters } from '../src/parameters.ts';
import type { World } from './world.ts';

interface Stretch {
  readonly ms: number;
  readonly prices: readonly bigint[];
}

/** A fraction with a positive denominator. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/**
 * Keeps what a market showed for how long while it traded. To be told of every moment: what lies between two of them was
 * one state, in which it traded or not.
 */
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

  /** Called with the new time, before the command of that time runs. */
  note(isDown = false): void {
    const { nowMs, state } = this.#world;
    const ms = nowMs - this.#sinceMs;
    this.#sinceMs = nowMs;
    const trades = this.#market.status === 'active' && !this.#market.halted;
    if (!trades || state.readOnly || isDown || ms === 0) return;
    this.#stretches.push({ ms, prices: shownPrices(this.#market) });
  }

  /** AV1, per outcome in µUSDT. */
  averages({ fairValue }: Parameters): readonly Fraction[] {
    const { createdAtMs, opensAtMs, locksAtMs } = this.#market;
    const lifeMs = locksAtMs - Math.max(opensAtMs, createdAtMs);
    const windowMs = Math.min(fairValue.shortWindowMs, lifeMs);
    const slices = this.#slices(fairValue.sliceMaxMs);
    return openingPrices(this.#market).map((opening, outcome) => {
      let sum = { over: 0n, under: 1n };
      let leftMs = windowMs;
      for (const { ms, sums } of slices.toReversed()) {
        const partMs = Math.min(ms, leftMs);
        sum = plus(sum, { over: sums[outcome]! * BigInt(partMs), under: BigInt(ms) });
        leftMs -= partMs;
      }
      sum = plus(sum, { over: opening * BigInt(leftMs), under: 1n });
      return { over: sum.over, under: sum.under * BigInt(windowMs) };
    });
  }

  /** Quarter-hours of trading time, or whatever a slice is, from the first on; the last may be short. */
  #slices(sliceMs: number): { ms: number; sums: bigint[] }[] {
    const slices: { ms: number; sums: bigint[] }[] = [];
    for (const { ms, prices } of this.#stretches) {
      let leftMs = ms;
      while (leftMs > 0) {
        let last = slices.at(-1);
        if (last === undefined || last.ms === sliceMs) {
          last = { ms: 0, sums: prices.map(() => 0n) };
          slices.push(last);
        }
        const partMs = Math.min(leftMs, sliceMs - last.ms);
        last.ms += partMs;
        for (const [outcome, price] of prices.entries()) {
          last.sums[outcome]! += price * BigInt(partMs);
        }
        leftMs -= partMs;
      }
    }
    return slices;
  }
}

function plus(one: Fraction, other: Fraction): Fraction {
  return { over: one.over * other.under + other.over * one.under, under: one.under * other.under };
}

/** floor(Σ shares × average), shares and result in millionths. */
export function worthOf(shares: readonly bigint[], averages: readonly Fraction[]): bigint {
  let sum: Fraction = { over: 0n, under: 1n };
  for (const [outcome, held] of shares.entries()) {
    const { over, under } = averages[outcome]!;
    sum = plus(sum, { over: held * over, under });
  }
  return sum.over / (sum.under * 1_000_000n);
}
