// Turns the samples of the http suite into ratios and figures.
import type { Figure, Ratio, Report } from '../harness/report.ts';
import { spreadOf } from '../harness/statistics.ts';
import type { Measurement } from '../suite.ts';

export type Contestant = 'bare fastify' | 'sibyl' | 'sibyl, journal off' | 'postgres';

/** The concurrency at which contestants are compared. */
export const COMPARED_AT = 64;

/** Names of the series beside those of a contestant at some concurrency. */
export const SINGLE_SERIES = 'sibyl, single beside batches';
export const BATCH_SERIES = 'sibyl, batches of 20';
export const HALF_LOAD_SERIES = 'sibyl, half load';

export function seriesOf(contestant: Contestant, concurrency: number): string {
  return `${contestant}, ${concurrency} connections`;
}

type Reading = (sample: Measurement) => number;

const perWallSecond: Reading = (sample) => rate(sample, 'wallMs');
const perCpuSecond: Reading = (sample) => rate(sample, 'cpuMs');

const DURABLE = seriesOf('sibyl', COMPARED_AT);

/** What PostgreSQL uses is not the server's, so only the clock can compare with it. */
const RATIOS = [
  {
    name: 'http durable/bare fastify per cpu-s',
    ours: DURABLE,
    peer: seriesOf('bare fastify', COMPARED_AT),
    read: perCpuSecond,
    must: 0.7,
    goal: 0.8,
  },
  {
    name: 'http durable/postgres transaction per bet',
    ours: DURABLE,
    peer: seriesOf('postgres', COMPARED_AT),
    read: perWallSecond,
    must: 8,
    goal: 12,
  },
  {
    name: 'journal on/off per cpu-s',
    ours: DURABLE,
    peer: seriesOf('sibyl, journal off', COMPARED_AT),
    read: perCpuSecond,
    must: 0.85,
    goal: 0.95,
  },
  {
    name: 'batch 20/single',
    ours: BATCH_SERIES,
    peer: SINGLE_SERIES,
    read: perWallSecond,
    must: 2.5,
    goal: 4,
  },
] as const;

export class HttpReport {
  readonly #samples = new Map<string, Measurement[]>();
  readonly #faults = new Set<string>();
  #noisy = 0;
  #taken = 0;

  add(series: string, sample: Measurement, quiet: boolean): void {
    const samples = this.#samples.get(series) ?? [];
    samples.push(sample);
    this.#samples.set(series, samples);
    this.#taken += 1;
    if (!quiet) this.#noisy += 1;
    if (sample.failures !== 0) {
      this.#faults.add(`${series}: ${sample.failures} answers were not what was asked, see above`);
    }
  }

  /** Orders per second of the last sample, for a load at a share of it; null if it was lost. */
  lastRate(series: string): number | null {
    const last = this.#samples.get(series)?.at(-1);
    return last === undefined ? null : perWallSecond(last);
  }

  conclude(): Report {
    return {
      ratios: RATIOS.flatMap((ratio) => this.#ratio(ratio)),
      figures: [...this.#samples].flatMap(([series, samples]) => figuresOf(series, samples)),
      faults: [...this.#faults],
      notes: this.#noisy === 0 ? [] : [describeNoise(this.#noisy, this.#taken)],
    };
  }

  #ratio({ name, ours, peer, read, must, goal }: (typeof RATIOS)[number]): readonly Ratio[] {
    const above = this.#samples.get(ours);
    const below = this.#samples.get(peer);
    if (above === undefined || below === undefined) return [];
    const value = spreadOf(above.map(read)).median / spreadOf(below.map(read)).median;
    return [{ name, value, must, goal }];
  }
}

function figuresOf(series: string, samples: readonly Measurement[]): readonly Figure[] {
  const isHalfLoad = series === HALF_LOAD_SERIES;
  const bound = { must: 25, goal: 10, better: 'less' } as const;
  const share: Reading = (sample) => (100 * field(sample, 'cpuMs')) / field(sample, 'wallMs');
  return [
    figure(`${series}, wall`, 'orders/s', samples, perWallSecond),
    figure(`${series}, CPU`, 'orders/CPU-s', samples, perCpuSecond),
    figure(`${series}, CPU use`, '%', samples, share),
    figure(`${series}, p50`, 'ms', samples, (sample) => field(sample, 'p50Ms')),
    {
      ...figure(`${series}, p99`, 'ms', samples, (sample) => field(sample, 'p99Ms')),
      ...(isHalfLoad ? { bound } : {}),
    },
  ];
}

function figure(
  name: string,
  unit: string,
  samples: readonly Measurement[],
  read: Reading,
): Figure {
  const { median, min, max } = spreadOf(samples.map(read));
  return { name, value: median, unit, ...(samples.length > 1 ? { range: [min, max] } : {}) };
}

function rate(sample: Measurement, durationKey: string): number {
  return field(sample, 'orders') / (field(sample, durationKey) / 1000);
}

function field(sample: Measurement, key: string): number {
  const value = sample[key];
  if (value === undefined) throw new Error(`a sample has no ${key}`);
  return value;
}

function describeNoise(noisy: number, taken: number): string {
  return `${noisy} of ${taken} samples were taken while others used the machine; wall figures may be low`;
}
