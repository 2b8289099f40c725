// Volumes of the last 24 hours as the store has them: a running sum per outcome, of which old minutes are taken off.
import type { ReadStore } from '../store/read-store.ts';
import type { Candles } from './candles.ts';

interface Sum {
  readonly fromMs: number;
  readonly volume: bigint;
}

const MINUTE_MS = 60_000;
const OUTCOMES_MAX = 64;
const LAST_MS = Number.MAX_SAFE_INTEGER;

export class DayVolumes {
  readonly #store: ReadStore;
  readonly #sums = new Map<number, Sum>();
  #batches = 0;

  constructor(store: ReadStore) {
    this.#store = store;
  }

  /** Candles that were just written. */
  add(candles: Candles): void {
    this.#batches += 1;
    if (this.#sums.size === 0) return;
    candles.eachVolume((market, outcome, startMs, volume) => {
      const key = keyOf(market, outcome);
      const sum = this.#sums.get(key);
      if (sum === undefined || startMs < sum.fromMs) return;
      this.#sums.set(key, { fromMs: sum.fromMs, volume: sum.volume + volume });
    });
  }

  /** What was traded from then on. */
  async stored(market: number, outcome: number, fromMs: number): Promise<bigint> {
    const key = keyOf(market, outcome);
    for (;;) {
      const known = this.#sums.get(key);
      if (known?.fromMs === fromMs) return known.volume;
      const batches = this.#batches;
      const volume = await this.#read(market, outcome, fromMs, known);
      // A batch that came in between, or another reader, has changed what this was reckoned from.
      if (this.#batches !== batches || this.#sums.get(key) !== known) continue;
      this.#sums.set(key, { fromMs, volume });
      return volume;
    }
  }

  async #read(
    market: number,
    outcome: number,
    fromMs: number,
    known: Sum | undefined,
  ): Promise<bigint> {
    const series = { market, outcome, interval: MINUTE_MS } as const;
    if (known === undefined || fromMs < known.fromMs) {
      return this.#store.volumeIn({ ...series, fromMs, toMs: LAST_MS });
    }
    const past = await this.#store.volumeIn({ ...series, fromMs: known.fromMs, toMs: fromMs });
    return known.volume - past;
  }
}

function keyOf(market: number, outcome: number): number {
  return market * OUTCOMES_MAX + outcome;
}
