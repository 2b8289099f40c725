// Turns the samples of the engine suite into ratios and figures, and holds them to the checksums.
import type { Figure, Ratio, Report } from '../harness/report.ts';
import { spreadOf } from '../harness/statistics.ts';
import type { Measurement } from '../suite.ts';
import { compareTally, type DataSet } from '../workload/data-sets.ts';

/** Per CPU-second of the process: steady where others use the machine as well. */
const RATIOS = [
  { dataSet: 'W1-100k', must: 3, goal: 8 },
  { dataSet: 'W1', must: 15, goal: 60 },
] as const;

type Bound = NonNullable<Figure['bound']>;

export class EngineReport {
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
  }

  check(name: string, dataSet: DataSet, sample: Measurement): void {
    const { fills = -1, quantity = -1, notional = -1, open = -1 } = sample;
    const differences = compareTally({ fills, quantity, notional, open }, dataSet.required);
    for (const difference of differences)
      this.#faults.add(`checksum of ${name} ${dataSet.name}: ${difference}`);
    this.checkComplaints(`${name} ${dataSet.name}`, sample);
  }

  checkComplaints(label: string, sample: Measurement): void {
    if (sample.complaints === 0) return;
    this.#faults.add(`${label}: the engine found itself wrong, see above`);
  }

  conclude(): Report {
    const matching = [...this.#samples.keys()].filter((series) => series.startsWith('throughput '));
    return {
      ratios: RATIOS.flatMap((ratio) => this.#ratio(ratio)),
      figures: [
        ...matching.flatMap((series) => this.#matchingFigures(series.slice('throughput '.length))),
        ...this.#memoryFigures(),
        ...this.#poolFigures(),
        ...this.#replayFigures(),
        ...this.#snapshotFigures(),
      ],
      faults: [...this.#faults],
      notes: this.#noisy === 0 ? [] : [describeNoise(this.#noisy, this.#taken)],
    };
  }

  #ratio({ dataSet, must, goal }: (typeof RATIOS)[number]): readonly Ratio[] {
    const peer = this.#values(`throughput nodejs-order-book ${dataSet}`, perCpuSecond);
    const ours = this.#values(`throughput engine ${dataSet}`, perCpuSecond);
    if (peer.length === 0 || ours.length === 0) return [];
    const value = spreadOf(ours).median / spreadOf(peer).median;
    return [{ name: `engine/nodejs-order-book ${dataSet}`, value, must, goal }];
  }

  #matchingFigures(what: string): readonly Figure[] {
    const series = `throughput ${what}`;
    return [
      ...this.#figure(`${what}, wall`, 'commands/s', series, perWallSecond),
      ...this.#figure(`${what}, CPU`, 'commands/CPU-s', series, perCpuSecond),
      ...this.#figure(`${what}, p50`, 'µs', `latency ${what}`, field('p50Us')),
      ...this.#figure(`${what}, p99`, 'µs', `latency ${what}`, field('p99Us')),
      ...this.#figure(`${what}, p99.9`, 'µs', `latency ${what}`, field('p999Us')),
      ...this.#figure(`${what}, heap at the end`, 'MB', series, field('finalHeapMb')),
      ...this.#figure(`${what}, RSS at the end`, 'MB', series, field('finalRssMb')),
      ...this.#figure(`${what}, GC pauses`, 'pauses', series, field('gcCount')),
      ...this.#figure(`${what}, GC total`, 'ms', series, field('gcTotalMs')),
      ...this.#figure(`${what}, GC longest`, 'ms', series, field('gcMaxMs')),
    ];
  }

  #memoryFigures(): readonly Figure[] {
    const series = 'throughput engine W1M';
    const bound: Bound = { must: 600, goal: 300, better: 'less' };
    return [
      ...this.#figure('1M open orders, heap', 'MB', series, field('prefilledHeapMb'), bound),
      ...this.#figure('1M open orders, RSS', 'MB', series, field('prefilledRssMb'), bound),
    ];
  }

  #poolFigures(): readonly Figure[] {
    return [2, 8, 64].flatMap((outcomes) => {
      const series = `pool, ${outcomes} outcomes`;
      return this.#figure(`pool trade, ${outcomes} outcomes`, 'CPU-µs', series, field('cpuUs'));
    });
  }

  #replayFigures(): readonly Figure[] {
    const bound: Bound = { must: 200_000, goal: 1_000_000, better: 'more' };
    const decoded = (sample: Measurement) => rate(sample, 'decodedWallMs');
    const orders = 'replay of orders';
    const mixed = 'replay of a mixed stream';
    return [
      ...this.#figure(`${orders} (W1)`, 'commands/s', orders, perWallSecond, bound),
      ...this.#figure(`${orders} (W1), with decoding`, 'commands/s', orders, decoded),
      ...this.#figure(`${mixed}, most of it with pools`, 'commands/s', 'replay', perWallSecond),
      ...this.#figure(`${mixed}, with decoding`, 'commands/s', 'replay', decoded),
    ];
  }

  #snapshotFigures(): readonly Figure[] {
    return [
      ...this.#figure('state hash', 'ms', 'snapshot', field('hashMs')),
      ...this.#figure('snapshot, encode', 'ms', 'snapshot', field('encodeMs')),
      ...this.#figure('snapshot, decode', 'ms', 'snapshot', field('decodeMs')),
      ...this.#figure('snapshot, size', 'MB', 'snapshot', field('sizeMb')),
    ];
  }

  /** The median over the samples of a series; nothing when it was not run. */
  #figure(
    name: string,
    unit: string,
    series: string,
    read: (sample: Measurement) => number,
    bound?: Bound,
  ): readonly Figure[] {
    const values = this.#values(series, read);
    if (values.length === 0) return [];
    const { median, min, max } = spreadOf(values);
    const range = values.length > 1 ? { range: [min, max] as const } : {};
    return [{ name, value: median, unit, ...range, ...(bound === undefined ? {} : { bound }) }];
  }

  #values(series: string, read: (sample: Measurement) => number): readonly number[] {
    return (this.#samples.get(series) ?? []).map(read);
  }
}

const perWallSecond = (sample: Measurement): number => rate(sample, 'wallMs');
const perCpuSecond = (sample: Measurement): number => rate(sample, 'cpuMs');

function field(key: string): (sample: Measurement) => number {
  return (sample) => {
    const value = sample[key];
    if (value === undefined) throw new Error(`a sample has no ${key}`);
    return value;
  };
}

function rate(sample: Measurement, durationKey: string): number {
  return field('commands')(sample) / (field(durationKey)(sample) / 1000);
}

function describeNoise(noisy: number, taken: number): string {
  return `${noisy} of ${taken} samples were taken while others used the machine; wall figures may be low`;
}
