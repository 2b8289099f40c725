// The engine suite: matching beside nodejs-order-book, then the pool, replay, snapshots and memory.

import type { Contestant } from '../contestant.ts';
import { sibylEngine } from '../engine/matching.ts';
import { measurePoolTrades } from '../engine/pool-trades.ts';
import { measureOrderReplay, measureReplay, measureSnapshot } from '../engine/replay.ts';
import { measureLatency, measureThroughput, ThroughputSample } from '../harness/measure.ts';
import { meanOf } from '../harness/statistics.ts';
import { nodejsOrderBook } from '../peers/nodejs-order-book.ts';
import type { Measurement, Plan, PlanOptions, Step, Suite } from '../suite.ts';
import { type DataSetName, findDataSet, loadWorkload } from '../workload/data-sets.ts';
import type { Workload } from '../workload/generate.ts';
import { EngineReport } from './engine-report.ts';

export const engineSuite: Suite = {
  name: 'engine',
  about: 'matching with full accounting beside nodejs-order-book; pool, replay, snapshot, memory',
  tasks: {
    throughput: ([name = '', dataSet = '']) =>
      measureThroughput(findContestant(name), holdWorkload(dataSet)),
    part: ([name = '', dataSet = '', part, parts]) =>
      takePart(name, dataSet, Number(part) / Number(parts)),
    latency: ([name = '', dataSet = '']) =>
      measureLatency(findContestant(name), holdWorkload(dataSet)),
    pool: ([outcomes, trades]) => measurePoolTrades(Number(outcomes), Number(trades)),
    replay: ([count]) => measureReplay(Number(count)),
    replayOrders: ([dataSet = '']) => measureOrderReplay(holdWorkload(dataSet)),
    snapshot: ([dataSet = '']) => measureSnapshot(holdWorkload(dataSet)),
  },
  plan,
};

const OURS = sibylEngine.name;
const PEER = nodejsOrderBook.name;

/** Seconds that one throughput sample takes, for the progress display. */
const EXPECTED_SECONDS: Readonly<Record<string, number>> = {
  [`${PEER} W1-100k`]: 1,
  [`${PEER} W1`]: 40,
  [`${PEER} W1000-100k`]: 2,
  [`${OURS} W1-100k`]: 1,
  [`${OURS} W1`]: 5,
  [`${OURS} W1000-100k`]: 2,
  [`${OURS} W1000`]: 20,
  [`${OURS} W1M`]: 20,
};

const POOL_TRADES = [
  { outcomes: 2, trades: 10_000 },
  { outcomes: 8, trades: 4_000 },
  { outcomes: 64, trades: 600 },
] as const;

const REPLAY_COMMANDS = 100_000;
const REPLAY_COMMANDS_QUICK = 20_000;
/** Replay and snapshots are long and steady: more rounds than this tell nothing new. */
const LONG_ROUNDS_MAX = 2;

/** How those who are compared take turns: with a run each, or with a part of one run, which answers nothing until it is over. */
interface Turns {
  readonly task: 'throughput' | 'part';
  readonly count: number;
}

/** The machine is at times half as fast as a few seconds before, so a turn is short and a sample has many of them. */
const RUNS: Turns = { task: 'throughput', count: 10 };
const RUNS_FEW: Turns = { task: 'throughput', count: 3 };
const PARTS: Turns = { task: 'part', count: 10 };

/** Samples thrown away before the first that counts: the small data sets are too short to compile everything at once. */
const WARM_UPS = 3;
const WARM_UPS_LARGE = 1;

function plan({ rounds, quick }: PlanOptions): Plan {
  const report = new EngineReport();
  const steps: Step[] = [
    ...warmUp('W1-100k', WARM_UPS, rounds),
    ...compare('W1-100k', RUNS, rounds, report),
    latency(PEER, 'W1-100k', report),
    latency(OURS, 'W1-100k', report),
  ];
  // The large sets follow in the same processes, warm from the small ones: one sample more is enough.
  if (!quick) {
    steps.push(...warmUp('W1', WARM_UPS_LARGE, rounds));
    steps.push(...compare('W1', PARTS, rounds, report), latency(OURS, 'W1', report));
  }
  steps.push(release(PEER), release(OURS));
  steps.push(...warmUp('W1000-100k', WARM_UPS, rounds));
  steps.push(...compare('W1000-100k', RUNS_FEW, rounds, report));
  steps.push(release(PEER));
  if (!quick) {
    for (let round = 1; round <= rounds; round += 1) {
      steps.push(throughput(OURS, 'W1000', round, rounds, report));
    }
    steps.push(release(OURS), throughput(OURS, 'W1M', 1, 1, report));
  }
  steps.push(release(OURS), ...besides(rounds, quick, report));
  return { steps, plain: [PEER], report: () => report.conclude() };
}

function warmUp(dataSet: DataSetName, samples: number, rounds: number): readonly Step[] {
  return Array.from({ length: samples }, () => [
    throughput(PEER, dataSet, 0, rounds, null),
    throughput(OURS, dataSet, 0, rounds, null),
  ]).flat();
}

/** Peer and ours in turn, so often that the mean of a round's turns says more of them than of the moment. */
function compare(
  dataSet: DataSetName,
  { task, count }: Turns,
  rounds: number,
  report: EngineReport,
): readonly Step[] {
  const names = [PEER, OURS];
  const whole = names.reduce((sum, name) => sum + expectSeconds(name, dataSet), 0);
  return Array.from({ length: rounds }, (_, round) => ({
    label: `${names.join(' and ')} ${dataSet} in turn, round ${round + 1} of ${rounds}`,
    expectedSeconds: task === 'part' ? whole : whole * count,
    async run(context) {
      const quiet = await context.waitUntilQuiet();
      const taken = names.map((name) => ({ name, samples: [] as Measurement[] }));
      for (let turn = 1; turn <= count; turn += 1) {
        for (const { name, samples } of taken) {
          const turnOf = [String(turn), String(count)];
          const sample = await context.child(name).run(task, name, dataSet, ...turnOf);
          if (Object.keys(sample).length > 0) samples.push(sample);
        }
      }
      for (const { name, samples } of taken) {
        report.add(`throughput ${name} ${dataSet}`, meanOf(samples), quiet);
        for (const sample of samples) report.check(name, findDataSet(dataSet), sample);
      }
    },
  }));
}

/** What has no peer: the pool, replay and snapshots. */
function besides(rounds: number, quick: boolean, report: EngineReport): readonly Step[] {
  const steps: Step[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const { outcomes, trades } of POOL_TRADES) {
      const size = [String(outcomes), String(quick ? trades / 2 : trades)];
      steps.push(once(`pool, ${outcomes} outcomes`, 2, 'pool', size, report));
    }
    if (round > LONG_ROUNDS_MAX) continue;
    const count = String(quick ? REPLAY_COMMANDS_QUICK : REPLAY_COMMANDS);
    steps.push(once('replay', quick ? 4 : 12, 'replay', [count], report));
    const orders = [quick ? 'W1-100k' : 'W1'];
    steps.push(once('replay of orders', quick ? 4 : 25, 'replayOrders', orders, report));
    steps.push(once('snapshot', quick ? 3 : 15, 'snapshot', [quick ? 'W1-100k' : 'W1'], report));
  }
  return steps;
}

function throughput(
  name: string,
  dataSet: DataSetName,
  round: number,
  rounds: number,
  report: EngineReport | null,
): Step {
  return {
    label: `${name} ${dataSet}, ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}`,
    expectedSeconds: expectSeconds(name, dataSet),
    async run(context) {
      const quiet = report === null || (await context.waitUntilQuiet());
      const sample = await context.child(name).run('throughput', name, dataSet);
      report?.add(`throughput ${name} ${dataSet}`, sample, quiet);
      report?.check(name, findDataSet(dataSet), sample);
    },
  };
}

function latency(name: string, dataSet: DataSetName, report: EngineReport): Step {
  return {
    label: `${name} ${dataSet}, latency`,
    expectedSeconds: expectSeconds(name, dataSet),
    async run(context) {
      const quiet = await context.waitUntilQuiet();
      const sample = await context.child(name).run('latency', name, dataSet);
      report.add(`latency ${name} ${dataSet}`, sample, quiet);
      report.check(name, findDataSet(dataSet), sample);
    },
  };
}

/** In a process of its own, so that nothing measured before it can matter. */
function once(
  label: string,
  expectedSeconds: number,
  task: string,
  args: readonly string[],
  report: EngineReport,
): Step {
  return {
    label,
    expectedSeconds,
    async run(context) {
      const quiet = await context.waitUntilQuiet();
      const sample: Measurement = await context.child(label).run(task, ...args);
      context.release(label);
      report.add(label, sample, quiet);
      report.checkComplaints(label, sample);
    },
  };
}

function release(name: string): Step {
  return {
    label: `${name} ends`,
    expectedSeconds: 0,
    run: async (context) => context.release(name),
  };
}

function expectSeconds(name: string, dataSet: DataSetName): number {
  return EXPECTED_SECONDS[`${name} ${dataSet}`] ?? 5;
}

function findContestant(name: string): Contestant {
  for (const contestant of [sibylEngine, nodejsOrderBook]) {
    if (contestant.name === name) return contestant;
  }
  throw new Error(`unknown contestant: ${name}`);
}

let held: { readonly name: string; readonly workload: Workload } | undefined;

/** Generated once per process and data set. */
function holdWorkload(name: string): Workload {
  if (held?.name !== name) held = { name, workload: loadWorkload(findDataSet(name)) };
  return held.workload;
}

let underWay: ThroughputSample | null = null;

/** Goes on with a run up to a share of it; what it measured is answered with the last part. */
async function takePart(name: string, dataSet: string, share: number): Promise<Measurement> {
  underWay ??= new ThroughputSample(findContestant(name), holdWorkload(dataSet));
  underWay.advance(share);
  if (share < 1) return {};
  const sample = underWay;
  underWay = null;
  return await sample.finish();
}
