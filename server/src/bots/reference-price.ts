// The sandbox's reference prices: what the mock source of fast rounds reads, at any moment, past or future.

import { hash } from 'node:crypto';
import type { Secrets } from '../ports/secrets.ts';

/**
 * A random walk that a secret of the data folder decides: at every scale down to a second the next step cannot be told
 * from those before it, so that nothing but the price itself helps to guess where a round ends.
 */
export class ReferencePrices {
  readonly #secrets: Pick<Secrets, 'digest'>;
  readonly #walks = new Map<string, Walk>();

  constructor(secrets: Pick<Secrets, 'digest'>) {
    this.#secrets = secrets;
  }

  /** A decimal string with two places; an unknown symbol has a price too. */
  price(symbol: string, atMs: number): string {
    const cents = String(this.cents(symbol, atMs)).padStart(3, '0');
    return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
  }

  /** Stands still within a second: a line towards the next one would tell where it leads. */
  cents(symbol: string, atMs: number): number {
    const base = BASE_CENTS[symbol] ?? DEFAULT_CENTS;
    return Math.round(base * (1 + this.#walkOf(symbol).at(Math.floor(atMs / 1000))));
  }

  #walkOf(symbol: string): Walk {
    const known = this.#walks.get(symbol);
    if (known !== undefined) return known;
    const key = this.#secrets.digest('reference', symbol);
    const walk = new Walk((point) => bellOf(hash('sha256', `${key} ${point}`, 'buffer')));
    this.#walks.set(symbol, walk);
    return walk;
  }
}

/** How far the price goes within a second, as a part of it; n seconds take it √n times as far: half of it in a year. */
export const SECOND_MOVE = 0.000_09;

/** Twelve days. What lies at their ends keeps the price near its base for good. */
const SPAN_SEC = 2 ** 20;
const SPAN_END = 0.04;
const DEFAULT_CENTS = 10_000;
const BASE_CENTS: Readonly<Record<string, number>> = {
  BTC: 10_425_000,
  ETH: 392_000,
  SOL: 18_700,
};

/** A part of the walk between two moments whose heights are known. */
interface Span {
  readonly fromSec: number;
  readonly lengthSec: number;
  readonly from: number;
  readonly to: number;
}

/** Found by halving: the middle of a span is drawn between its ends, then that of one half, down to the second. */
class Walk {
  readonly #draw: (point: string) => number;
  /** From the whole span down to where the last answer was: the next one is mostly near it. */
  readonly #path: Span[] = [];

  constructor(draw: (point: string) => number) {
    this.#draw = draw;
  }

  at(second: number): number {
    let span = this.#deepestWith(second);
    while (span.fromSec !== second) {
      span = this.#halfWith(span, second);
      this.#path.push(span);
    }
    return span.from;
  }

  #deepestWith(second: number): Span {
    const path = this.#path;
    for (let span = path.at(-1); span !== undefined; span = path.at(-1)) {
      if (second >= span.fromSec && second < span.fromSec + span.lengthSec) return span;
      path.pop();
    }
    const fromSec = Math.floor(second / SPAN_SEC) * SPAN_SEC;
    const whole = {
      fromSec,
      lengthSec: SPAN_SEC,
      from: SPAN_END * this.#draw(`end ${fromSec}`),
      to: SPAN_END * this.#draw(`end ${fromSec + SPAN_SEC}`),
    };
    path.push(whole);
    return whole;
  }

  #halfWith({ fromSec, lengthSec, from, to }: Span, second: number): Span {
    const half = lengthSec / 2;
    const middleSec = fromSec + half;
    const spread = (SECOND_MOVE * Math.sqrt(lengthSec)) / 2;
    const middle = (from + to) / 2 + spread * this.#draw(`${lengthSec} ${middleSec}`);
    return second < middleSec
      ? { fromSec, lengthSec: half, from, to: middle }
      : { fromSec: middleSec, lengthSec: half, from: middle, to };
  }
}

/** Sixteen fair draws together are bell-shaped, and a sum is the same number on every machine. */
function bellOf(bytes: Buffer): number {
  let sum = 0;
  for (let offset = 0; offset < 32; offset += 2) sum += bytes.readUInt16BE(offset) / 0x1_0000 - 0.5;
  return sum / Math.sqrt(16 / 12);
}
