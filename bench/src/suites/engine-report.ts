// Turns the samples of the engine suite into ratios and figures, and holds them to the checksums.
import type { Figure, Report } from '../harness/report.ts';
import { field, perSecond, Samples } from '../harness/samples.ts';
import type { Measurement } from '../suite.ts';
import { compareTally, type DataSet } from '../workload/data-sets.ts';

/** Per CPU-second of the process: steady where others use the machine as well. */
const RATIOS = [
  { dataSet: 'W1-100k', must: 3, goal: 8 },
  { dataSet: 'W1', must: 15, goal: 60 },
] as const;

type Bound = NonNullable<Figure['bound']>;

export class EngineReport {
  readonly #samples = new Samples();

  add(series: string, sample: Measurement, quiet: boolean): void {
    this.#samples.add(series, sample, quiet);
  }

  check(name: string, dataSet: DataSet, sample: Measurement): void {
    const { fills = -1, quantity = -1, notional = -1, open = -1 } = sample;
    const differences = compareTally({ fills, quantity, notional, open }, dataSet.required);
    for (const difference of differences)
      this.#samples.blame(`checksum of ${name} ${dataSet.name}: ${difference}`);
    this.checkComplaints(`${name} ${dataSet.name}`, sample);
  }

  checkComplaints(label: string, sample: Measurement): void {
    if (sample.complaints === 0) return;
    this.#samples.blame(`${label}: the engine found itself wrong, see above`);
  }

  conclude(): Report {
    const samples = this.#samples;
    const matching = samples.names.filter((series) => series.startsWith('throughput '));
    const ratios = RATIOS.flatMap(({ dataSet, must, goal }) => {
      const terms = { name: `engine/nodejs-order-book ${dataSet}`, must, goal };
      const peer = `throughput nodejs-order-book ${dataSet}`;
      return samples.ratio(terms, `throughput engine ${dataSet}`, peer, perCpuSecond);
    });
    return samples.report(ratios, [
      ...matching.flatMap((series) => this.#matchingFigures(series.slice('throughput '.length))),
      ...this.#memoryFigures(),
      ...this.#poolFigures(),
      ...this.#replayFigures(),
      ...this.#snapshotFigures(),
    ]);
  }

  #matchingFigures(what: string): readonly Figure[] {
    const series = `throughput ${what}`;
    return [
      ...this.#samples.figure(`${what}, wall`, 'commands/s', series, perWallSecond),
      ...this.#samples.figure(`${what}, CPU`, 'commands/CPU-s', series, perCpuSecond),
      ...this.#samples.figure(`${what}, p50`, 'µs', `latency ${what}`, field('p50Us')),
      ...this.#samples.figure(`${what}, p99`, 'µs', `latency ${what}`, field('p99Us')),
      ...this.#samples.figure(`${what}, p99.9`, 'µs', `latency ${what}`, field('p999Us')),
      ...this.#samples.figure(`${what}, heap at the end`, 'MB', series, field('finalHeapMb')),
      ...this.#samples.figure(`${what}, RSS at the end`, 'MB', series, field('finalRssMb')),
      ...this.#samples.figure(`${what}, GC pauses`, 'pauses', series, field('gcCount')),
      ...this.#samples.figure(`${what}, GC total`, 'ms', series, field('gcTotalMs')),
      ...this.#samples.figure(`${what}, GC longest`, 'ms', series, field('gcMaxMs')),
    ];
  }

  #memoryFigures(): readonly Figure[] {
    const series = 'throughput engine W1M';
    const bound: Bound = { must: 600, goal: 300, better: 'less' };
    return [
      ...this.#samples.figure(
        '1M open orders, heap',
        'MB',
        series,
        field('prefilledHeapMb'),
        bound,
      ),
      ...this.#samples.figure('1M open orders, RSS', 'MB', series, field('prefilledRssMb'), bound),
    ];
  }

  #poolFigures(): readonly Figure[] {
    return [2, 8, 64].flatMap((outcomes) => {
      const series = `pool, ${outcomes} outcomes`;
      return this.#samples.figure(
        `pool trade, ${outcomes} outcomes`,
        'CPU-µs',
        series,
        field('cpuUs'),
      );
    });
  }

  #replayFigures(): readonly Figure[] {
    const bound: Bound = { must: 200_000, goal: 1_000_000, better: 'more' };
    const decoded = perSecond('commands', 'decodedWallMs');
    const orders = 'replay of orders';
    const mixed = 'replay of a mixed stream';
    return [
      ...this.#samples.figure(`${orders} (W1)`, 'commands/s', orders, perWallSecond, bound),
      ...this.#samples.figure(`${orders} (W1), with decoding`, 'commands/s', orders, decoded),
      ...this.#samples.figure(
        `${mixed}, most of it with pools`,
        'commands/s',
        'replay',
        perWallSecond,
      ),
      ...this.#samples.figure(`${mixed}, with decoding`, 'commands/s', 'replay', decoded),
    ];
  }

  #snapshotFigures(): readonly Figure[] {
    return [
      ...this.#samples.figure('state hash', 'ms', 'snapshot', field('hashMs')),
      ...this.#samples.figure('snapshot, encode', 'ms', 'snapshot', field('encodeMs')),
      ...this.#samples.figure('snapshot, decode', 'ms', 'snapshot', field('decodeMs')),
      ...this.#samples.figure('snapshot, size', 'MB', 'snapshot', field('sizeMb')),
    ];
  }
}

const perWallSecond = perSecond('commands', 'wallMs');
const perCpuSecond = perSecond('commands', 'cpuMs');
