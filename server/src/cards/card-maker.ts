// Cards of markets: drawn by a thread, one at a time, a few waiting, and each good for a minute.
import { Worker } from 'node:worker_threads';
import type { Market } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import { UTC } from '@sibyl/contract/names';
import type { Clock } from '@sibyl/lane';
import { cardSvg } from './card-svg.ts';
import type { CardReply, CardRequest } from './card-worker.ts';
import { marketWords } from './market-words.ts';

export interface CardOptions {
  readonly clock: Clock;
  /** Null if there is no such market. */
  readonly market: (lane: 'live' | 'sandbox', marketId: string) => Promise<Market | null>;
  readonly waitingMax?: number;
  readonly keptMax?: number;
}

/** `busy` where too many are waited for already; null without such a market. */
export type CardAnswer = Uint8Array | 'busy' | null;

const WAITING_MAX = 32;
const KEPT_MAX = 200;
const KEPT_MS = 60_000;

interface KeptCard {
  readonly atMs: number;
  readonly card: Promise<CardAnswer>;
}

export class CardMaker {
  readonly #options: CardOptions;
  readonly #kept = new Map<string, KeptCard>();
  readonly #waiting = new Map<number, (png: Uint8Array | null) => void>();
  #worker: Worker | null = null;
  #count = 0;

  constructor(options: CardOptions) {
    this.#options = options;
  }

  /** Who asks for one that is being drawn waits for the same. */
  card(lane: 'live' | 'sandbox', marketId: string, locale: Locale): Promise<CardAnswer> {
    const { clock, keptMax = KEPT_MAX } = this.#options;
    const name = `${lane} ${marketId} ${locale}`;
    const nowMs = clock.monotonicMs();
    const kept = this.#kept.get(name);
    if (kept !== undefined && nowMs - kept.atMs < KEPT_MS) return kept.card;
    const card = this.#draw(lane, marketId, locale);
    this.#kept.delete(name);
    this.#kept.set(name, { atMs: nowMs, card });
    if (this.#kept.size > keptMax) this.#kept.delete(this.#kept.keys().next().value ?? '');
    const forget = (): void => {
      if (this.#kept.get(name)?.card === card) this.#kept.delete(name);
    };
    card.then((answer) => {
      // What was not found may be made the next moment, and who was busy may be free.
      if (!(answer instanceof Uint8Array)) forget();
    }, forget);
    return card;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  async #draw(lane: 'live' | 'sandbox', marketId: string, locale: Locale): Promise<CardAnswer> {
    const { market: find, waitingMax = WAITING_MAX } = this.#options;
    const market = await find(lane, marketId);
    if (market === null) return null;
    if (this.#waiting.size >= waitingMax) return 'busy';
    const png = await this.#ask(cardSvg(marketWords(market, { locale, zone: UTC }), lane));
    if (png === null) throw new Error(`the card of ${marketId} could not be drawn`);
    return png;
  }

  #ask(svg: string): Promise<Uint8Array | null> {
    this.#worker ??= this.#start();
    this.#count += 1;
    const number = this.#count;
    const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
    this.#waiting.set(number, resolve);
    this.#worker.postMessage({ number, svg } satisfies CardRequest);
    return promise;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./card-worker.ts', import.meta.url));
    worker.unref();
    worker.on('message', ({ number, png }: CardReply) => {
      this.#waiting.get(number)?.(png);
      this.#waiting.delete(number);
    });
    // A thread that died takes what it was drawing with it; the next card starts another.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.#worker = null;
      for (const resolve of this.#waiting.values()) resolve(null);
      this.#waiting.clear();
    });
    return worker;
  }
}
