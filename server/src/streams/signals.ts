// The signals stream: what is unusual in a market, found by sampling all of them every few seconds.
import type { StreamData } from '@sibyl/contract';
import { depthOf, type Market, type State } from '@sibyl/engine';
import type { Random } from '../ports/random.ts';
import { defaultLocale, inEveryLocale } from '../texts/locale.ts';
import { noticeText } from '../texts/texts.ts';
import { titlesOf } from '../wire/market-titles.ts';
import { pricesOf } from '../wire/market-view.ts';
import type { Registry } from './registry.ts';

type Signal = StreamData<'signals'>;

interface Sample {
  readonly atMs: number;
  readonly prices: readonly number[];
  readonly volume: number;
  /** Lots on both sides near the best price, and the spread in pips, of the first outcome. */
  readonly lots: number;
  readonly spread: number | null;
}

interface Watched {
  readonly samples: Sample[];
  readonly saidAtMs: Map<string, number>;
}

const SAMPLE_EVERY_MS = 5_000;
const WINDOW_MS = 60_000;
const KEPT_MS = 600_000;
/** The same is not said of the same market again so soon. */
const SILENCE_MS = 60_000;
const DEPTH = 5;
const MICRO = 1_000_000;
const MOVE_MIN = 0.05;
const SPIKE_FACTOR = 3;
const SPIKE_MIN_MICRO = 50 * MICRO;
const SHIFT_MIN = 0.5;
const SPREAD_FACTOR = 3;
const SPREAD_MIN_PIPS = 300;
const CLOSING_MS = 300_000;

export class Signals {
  readonly #registry: Registry;
  readonly #random: Random;
  readonly #watched = new Map<string, Watched>();
  #sampledAtMs = Number.NEGATIVE_INFINITY;

  constructor(registry: Registry, random: Random) {
    this.#registry = registry;
    this.#random = random;
  }

  /** Costs nothing while nobody listens. */
  tick(state: State, nowMs: number): void {
    if (!this.#registry.hearsAny('signals')) {
      this.#watched.clear();
      return;
    }
    if (nowMs - this.#sampledAtMs < SAMPLE_EVERY_MS) return;
    this.#sampledAtMs = nowMs;
    for (const market of state.markets.values()) {
      if (market.status !== 'active') this.#watched.delete(market.id);
      else if (this.#registry.hears('signals', market.id)) this.#sample(market, nowMs);
    }
  }

  #sample(market: Market, nowMs: number): void {
    const watched: Watched = this.#watched.get(market.id) ?? { samples: [], saidAtMs: new Map() };
    this.#watched.set(market.id, watched);
    const sample = sampleOf(market, nowMs);
    const before = watched.samples.findLast(({ atMs }) => atMs <= nowMs - WINDOW_MS);
    const base = before ?? watched.samples[0];
    watched.samples.push(sample);
    while (watched.samples[0]!.atMs < nowMs - KEPT_MS) watched.samples.shift();
    if (base !== undefined) this.#compare(market, watched, base, sample);
    const leftMs = market.closesAtMs - nowMs;
    if (leftMs <= CLOSING_MS && !watched.saidAtMs.has('closing_soon')) {
      this.#say(market, watched, 'closing_soon', null, 1 - leftMs / CLOSING_MS, nowMs, CLOSING_MS);
    }
  }

  #compare(market: Market, watched: Watched, base: Sample, sample: Sample): void {
    const { atMs } = sample;
    const windowMs = atMs - base.atMs;
    for (const [index, { id }] of market.outcomes.entries()) {
      const move = Math.abs((sample.prices[index] ?? 0) - (base.prices[index] ?? 0)) / MICRO;
      if (move >= MOVE_MIN) this.#say(market, watched, 'price_move', id, move * 4, atMs, windowMs);
    }
    const first = watched.samples[0]!;
    const recent = sample.volume - base.volume;
    const earlierMs = base.atMs - first.atMs;
    const usual = earlierMs > 0 ? ((base.volume - first.volume) * windowMs) / earlierMs : 0;
    if (recent >= SPIKE_MIN_MICRO && recent >= usual * SPIKE_FACTOR) {
      const strength = usual === 0 ? 1 : recent / (usual * SPIKE_FACTOR * 2);
      this.#say(market, watched, 'volume_spike', null, strength, atMs, windowMs);
    }
    const most = Math.max(sample.lots, base.lots);
    const shift = most === 0 ? 0 : Math.abs(sample.lots - base.lots) / most;
    if (shift >= SHIFT_MIN) {
      this.#say(market, watched, 'liquidity_shift', null, shift, atMs, windowMs);
    }
    const wide = sample.spread ?? Number.POSITIVE_INFINITY;
    const narrow = base.spread ?? Number.POSITIVE_INFINITY;
    if (wide >= SPREAD_MIN_PIPS && wide >= narrow * SPREAD_FACTOR) {
      this.#say(market, watched, 'spread_widening', market.outcomes[0]!.id, 0.75, atMs, windowMs);
    }
  }

  #say(
    market: Market,
    watched: Watched,
    kind: Signal['kind'],
    outcomeId: string | null,
    strength: number,
    atMs: number,
    windowMs: number,
  ): void {
    const saidAtMs = watched.saidAtMs.get(kind);
    if (saidAtMs !== undefined && atMs - saidAtMs < SILENCE_MS && outcomeId === null) return;
    const mapKey = `${kind} ${outcomeId ?? ''}`;
    const last = watched.saidAtMs.get(mapKey);
    if (last !== undefined && atMs - last < SILENCE_MS) return;
    watched.saidAtMs.set(mapKey, atMs);
    watched.saidAtMs.set(kind, atMs);
    const data: Omit<Signal, 'message'> = {
      signal_id: `sig_${this.#random.token(16)}`,
      kind,
      market_id: market.id,
      outcome_id: outcomeId,
      strength: strengthText(strength),
      window_ms: windowMs,
      ts_ms: atMs,
    };
    const localized = inEveryLocale((locale) => {
      const { title } = titlesOf(market, locale);
      const seconds = Math.round(windowMs / 1_000);
      const values = { kind, title, seconds, strength: data.strength };
      return JSON.stringify({ ...data, message: noticeText(locale, 'signals', values) });
    });
    const message = { type: 'signals', atMs, data: localized[defaultLocale], key: null, localized };
    this.#registry.publish('signals', market.id, [], message);
  }
}

function sampleOf(market: Market, atMs: number): Sample {
  const { bids, asks } = depthOf(market, 0, DEPTH);
  const [bid] = bids;
  const [ask] = asks;
  return {
    atMs,
    prices: pricesOf(market).map(Number),
    volume: Number(market.totalVolume),
    lots: [...bids, ...asks].reduce((sum, { lots }) => sum + lots, 0),
    spread: bid === undefined || ask === undefined ? null : ask.price - bid.price,
  };
}

/** Two places, from 0 to 1. */
function strengthText(strength: number): string {
  const hundredths = Math.round(Math.min(1, Math.max(0, strength)) * 100);
  return String(hundredths / 100);
}
