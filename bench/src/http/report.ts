// Turns the samples of the http suite into ratios and figures.
import type { Figure, Report } from '../harness/report.ts';
import { field, perSecond, type Reading, Samples } from '../harness/samples.ts';
import type { Measurement } from '../suite.ts';

export type Contestant =
  | 'bare fastify'
  | 'sibyl'
  | 'sibyl, access tokens'
  | 'sibyl, signed'
  | 'sibyl, journal off'
  | 'postgres';

/** The concurrency at which contestants are compared. */
export const COMPARED_AT = 64;

/** Names of the series beside those of a contestant at some concurrency. */
export const SINGLE_SERIES = 'sibyl, single beside batches';
export const BATCH_SERIES = 'sibyl, batches of 20';
export const HALF_LOAD_SERIES = 'sibyl, half load';

export function seriesOf(contestant: Contestant, concurrency: number): string {
  return `${contestant}, ${concurrency} connections`;
}

const perWallSecond = perSecond('orders', 'wallMs');
const perCpuSecond = perSecond('orders', 'cpuMs');

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
    // What an app is checked for may cost two hundredths, a signature three twentieths of an order.
    name: 'access token/key per cpu-s',
    ours: seriesOf('sibyl, access tokens', COMPARED_AT),
    peer: DURABLE,
    read: perCpuSecond,
    must: 0.98,
    goal: 1,
  },
  {
    name: 'signed/key per cpu-s',
    ours: seriesOf('sibyl, signed', COMPARED_AT),
    peer: DURABLE,
    read: perCpuSecond,
    must: 0.87,
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
  readonly #samples = new Samples();

  add(series: string, sample: Measurement, quiet: boolean): void {
    this.#samples.add(series, sample, quiet);
    if (sample.failures !== 0) {
      this.#samples.blame(
        `${series}: ${sample.failures} answers were not what was asked, see above`,
      );
    }
  }

  /** Orders per second of the last sample, for a load at a share of it; null if it was lost. */
  lastRate(series: string): number | null {
    const last = this.#samples.last(series);
    return last === undefined ? null : perWallSecond(last);
  }

  conclude(): Report {
    const samples = this.#samples;
    return samples.report(
      RATIOS.flatMap(({ ours, peer, read, ...terms }) => samples.ratio(terms, ours, peer, read)),
      samples.names.flatMap((series) => figuresOf(samples, series)),
    );
  }
}

function figuresOf(samples: Samples, series: string): readonly Figure[] {
  const bound = { must: 25, goal: 10, better: 'less' } as const;
  const bounds = series === HALF_LOAD_SERIES ? [bound] : [];
  const share: Reading = (sample) => (100 * field('cpuMs')(sample)) / field('wallMs')(sample);
  return [
    ...samples.figure(`${series}, wall`, 'orders/s', series, perWallSecond),
    ...samples.figure(`${series}, CPU`, 'orders/CPU-s', series, perCpuSecond),
    ...samples.figure(`${series}, CPU use`, '%', series, share),
    ...samples.figure(`${series}, p50`, 'ms', series, field('p50Ms')),
    ...samples.figure(`${series}, p99`, 'ms', series, field('p99Ms'), ...bounds),
  ];
}
