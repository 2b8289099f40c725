// What a suite has measured so far: samples by series, and what was wrong with them.
import type { Measurement } from '../suite.ts';
import type { Figure, Ratio, Report } from './report.ts';
import { spreadOf } from './statistics.ts';

export type Reading = (sample: Measurement) => number;

type Bound = NonNullable<Figure['bound']>;

export class Samples {
  readonly #series = new Map<string, Measurement[]>();
  readonly #faults = new Set<string>();
  #noisy = 0;
  #taken = 0;

  add(series: string, sample: Measurement, isQuiet: boolean): void {
    const samples = this.#series.get(series) ?? [];
    samples.push(sample);
    this.#series.set(series, samples);
    this.#taken += 1;
    if (!isQuiet) this.#noisy += 1;
  }

  blame(fault: string): void {
    this.#faults.add(fault);
  }

  /** In the order in which they were begun. */
  get names(): readonly string[] {
    return [...this.#series.keys()];
  }

  last(series: string): Measurement | undefined {
    return this.#series.get(series)?.at(-1);
  }

  /** One median by another; nothing where either was not run. */
  ratio(terms: Omit<Ratio, 'value'>, ours: string, peer: string, read: Reading): readonly Ratio[] {
    const [above, below] = [this.#values(ours, read), this.#values(peer, read)];
    if (above.length === 0 || below.length === 0) return [];
    return [{ ...terms, value: spreadOf(above).median / spreadOf(below).median }];
  }

  /** The median over the samples of a series; nothing when it was not run. */
  figure(
    name: string,
    unit: string,
    series: string,
    read: Reading,
    bound?: Bound,
  ): readonly Figure[] {
    const values = this.#values(series, read);
    if (values.length === 0) return [];
    const { median, min, max } = spreadOf(values);
    const range = values.length > 1 ? { range: [min, max] as const } : {};
    return [{ name, value: median, unit, ...range, ...(bound === undefined ? {} : { bound }) }];
  }

  report(ratios: readonly Ratio[], figures: readonly Figure[]): Report {
    const noise = `${this.#noisy} of ${this.#taken} samples were taken while others used the machine; wall figures may be low`;
    return { ratios, figures, faults: [...this.#faults], notes: this.#noisy === 0 ? [] : [noise] };
  }

  #values(series: string, read: Reading): readonly number[] {
    return (this.#series.get(series) ?? []).map(read);
  }
}

export function field(key: string): Reading {
  return (sample) => {
    const value = sample[key];
    if (value === undefined) throw new Error(`a sample has no ${key}`);
    return value;
  };
}

/** Things of a sample in each second of one of its durations. */
export function perSecond(things: string, durationKey: string): Reading {
  const [count, durationMs] = [field(things), field(durationKey)];
  return (sample) => count(sample) / (durationMs(sample) / 1000);
}
