// The http suite: durable orders over HTTP beside bare Fastify, PostgreSQL transactions, and ourselves without a journal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { meanOf } from '../harness/statistics.ts';
import { REQUESTS_MAX, runLoad } from '../http/load.ts';
import { readRoster, type Shape, type Shown } from '../http/orders.ts';
import {
  BATCH_SERIES,
  COMPARED_AT,
  type Contestant,
  HALF_LOAD_SERIES,
  HttpReport,
  SINGLE_SERIES,
  seriesOf,
} from '../http/report.ts';
import { readCpu, readCpuSettled } from '../http/server-cpu.ts';
import type { Measurement, Plan, PlanOptions, Step, StepContext, Suite } from '../suite.ts';

export const httpSuite: Suite = {
  name: 'http',
  about: 'durable orders over HTTP beside bare Fastify and one PostgreSQL transaction per bet',
  tasks: {
    prepare: async ([dataDir = '', rosterFile = '']) => {
      await (await import('../http/prepare.ts')).prepareData(dataDir, rosterFile);
      return {};
    },
    serve: async ([contestant = '', dataDir = '', rosterFile = '']) => ({
      port: await serve(contestant, dataDir, rosterFile),
    }),
    cpu: async () => readCpu(),
    settle: readCpuSettled,
    load: ([port, rosterFile = '', shape, shown, connections, seconds, requestsMax, pace]) =>
      runLoad({
        port: Number(port),
        rosterFile,
        shape: shape === 'batch' ? 'batch' : 'single',
        shown: shown === 'token' || shown === 'signature' ? shown : 'key',
        connections: Number(connections),
        seconds: Number(seconds),
        requestsMax: Number(requestsMax),
        pace: pace === undefined ? null : Number(pace),
      }),
  },
  plan,
};

const LOAD = 'load';
/** Counted in requests, so that a busy machine does not measure code that was never compiled. */
const WARM_UP_REQUESTS = 100_000;
/** Batches have code of their own. */
const WARM_UP_BATCHES = 5_000;
const WARM_UP_SECONDS_MAX = 30;
/** The server in front of the database is idle most of the time. */
const WARM_UP_SECONDS_POSTGRES = 3;
const SAMPLE_SECONDS = 3;
const SAMPLE_SECONDS_QUICK = 2;
const START_SECONDS = 15;
const SETTLE_SECONDS = 7;
const OTHER_CONCURRENCIES = [16, 256] as const;
/**
 * The machine is at times half as fast as a few seconds before: those who are compared by their CPU are loaded in turn, a
 * second each, so that a ratio says more of them than of the moment. Backwards every other time: each follows each.
 */
const OURS = ['sibyl', 'sibyl, access tokens', 'sibyl, signed', 'sibyl, journal off'] as const;
const COMPARED = ['bare fastify', ...OURS] as const;
const TURNS = 6;
const TURN_SECONDS = 1;
/** Batches and single orders are compared by the clock, so each sample of them has the core for itself until it is written. */
const BATCH_TURNS = 3;
/** They write nothing once they have answered. */
const PEERS: readonly Contestant[] = ['bare fastify', 'postgres'];

function plan({ rounds, quick }: PlanOptions): Plan {
  const run = new Run(quick ? SAMPLE_SECONDS_QUICK : SAMPLE_SECONDS);
  const steps: Step[] = [run.prepare(), run.start('bare fastify'), run.start('postgres')];
  for (let round = 1; round <= rounds; round += 1) {
    // Ours begin each round anew: their books and histories grow with every order.
    steps.push(...OURS.map((contestant) => run.start(contestant)), run.inTurn(round));
    const others = OURS.filter((contestant) => contestant !== 'sibyl');
    steps.push(...others.map((contestant) => run.release(contestant)));
    steps.push(run.compare('postgres', COMPARED_AT, round));
    for (const concurrency of quick ? [] : OTHER_CONCURRENCIES) {
      for (const contestant of ['bare fastify', 'sibyl', 'postgres'] as const) {
        steps.push(run.compare(contestant, concurrency, round));
      }
    }
    // So do batches: after all of the above they would find five times the orders that single ones found.
    steps.push(run.halfLoad(round), run.release('sibyl'));
    steps.push(run.start('sibyl'), run.warmBatches());
    for (let turn = 1; turn <= (quick ? 1 : BATCH_TURNS); turn += 1) {
      steps.push(run.besideBatches('single', round), run.besideBatches('batch', round));
    }
    steps.push(run.release('sibyl'));
  }
  steps.push(run.end());
  const plain = [...PEERS, LOAD];
  return { steps, plain, serving: OURS, report: () => run.report.conclude() };
}

/** What one run of the suite shares: the prepared data, the servers that are up, and the samples. */
class Run {
  readonly report = new HttpReport();
  readonly #seconds: number;
  readonly #ports = new Map<Contestant, number>();
  #folder = '';

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  prepare(): Step {
    return {
      label: 'accounts, keys and markets are made',
      expectedSeconds: 20,
      run: async (context) => {
        this.#folder = mkdtempSync(path.join(tmpdir(), 'bench-http-'));
        process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }));
        try {
          await context.child('prepare').run('prepare', this.#dataDir, this.#rosterFile);
        } catch (error) {
          // Nothing can be measured without it, so this is not one lost step among others.
          throw new Error('the data of the http suite could not be made, see above', {
            cause: error,
          });
        }
        context.release('prepare');
      },
    };
  }

  /** Starts it and lets its code be compiled. */
  start(contestant: Contestant): Step {
    return {
      label: `${contestant} starts`,
      expectedSeconds: START_SECONDS,
      run: async (context) => {
        const server = context.child(contestant);
        const { port = 0 } = await server.run('serve', contestant, this.#dataDir, this.#rosterFile);
        this.#ports.set(contestant, port);
        await this.#load(context, contestant, {
          shape: 'single',
          connections: COMPARED_AT,
          requestsMax: WARM_UP_REQUESTS,
          seconds: contestant === 'postgres' ? WARM_UP_SECONDS_POSTGRES : WARM_UP_SECONDS_MAX,
        });
        await this.#settle(context, contestant);
      },
    };
  }

  /** One sample of each, made of its turns; what it wrote during those of the others is its own all the same. */
  inTurn(round: number): Step {
    return {
      label: `${COMPARED.join(' and ')} in turn, ${COMPARED_AT} connections, round ${round}`,
      expectedSeconds: TURNS * COMPARED.length * (TURN_SECONDS + 0.2) + SETTLE_SECONDS,
      run: async (context) => {
        const quiet = await context.waitUntilQuiet();
        const taken = [];
        for (const contestant of COMPARED) {
          const before = await context.child(contestant).run('cpu');
          taken.push({ contestant, before, turns: [] as Measurement[] });
        }
        const load = { shape: 'single', connections: COMPARED_AT, seconds: TURN_SECONDS } as const;
        for (let turn = 0; turn < TURNS; turn += 1) {
          for (const { contestant, turns } of turn % 2 === 0 ? taken : taken.toReversed()) {
            turns.push(await this.#load(context, contestant, load));
          }
        }
        const ends = taken.map(({ contestant }) => this.#settle(context, contestant));
        const after = await Promise.all(ends);
        for (const [index, { contestant, before, turns }] of taken.entries()) {
          const cpuMs = (cpuOf(after[index]!) - cpuOf(before)) / turns.length;
          const failures = turns.reduce((sum, turn) => sum + (turn.failures ?? 0), 0);
          const sample = { ...meanOf(turns), failures, cpuMs };
          this.report.add(seriesOf(contestant, COMPARED_AT), sample, quiet);
        }
      },
    };
  }

  compare(contestant: Contestant, connections: number, round: number): Step {
    const series = seriesOf(contestant, connections);
    return this.#sample(series, contestant, round, () => ({ shape: 'single', connections }));
  }

  warmBatches(): Step {
    return {
      label: 'batches warm up',
      expectedSeconds: START_SECONDS,
      run: async (context) => {
        await this.#load(context, 'sibyl', {
          shape: 'batch',
          connections: COMPARED_AT,
          requestsMax: WARM_UP_BATCHES,
          seconds: WARM_UP_SECONDS_MAX,
        });
        await this.#settle(context, 'sibyl');
      },
    };
  }

  besideBatches(shape: Shape, round: number): Step {
    const series = shape === 'batch' ? BATCH_SERIES : SINGLE_SERIES;
    return this.#sample(series, 'sibyl', round, () => ({ shape, connections: COMPARED_AT }));
  }

  halfLoad(round: number): Step {
    return this.#sample(HALF_LOAD_SERIES, 'sibyl', round, () => {
      const full = this.report.lastRate(seriesOf('sibyl', COMPARED_AT));
      if (full === null) return null;
      return { shape: 'single', connections: COMPARED_AT, pace: full / 2 };
    });
  }

  release(contestant: Contestant): Step {
    return {
      label: `${contestant} ends`,
      expectedSeconds: 0,
      run: async (context) => context.release(contestant),
    };
  }

  end(): Step {
    return {
      label: 'the servers end',
      expectedSeconds: 1,
      run: async (context) => {
        for (const contestant of this.#ports.keys()) context.release(contestant);
      },
    };
  }

  #sample(
    series: string,
    contestant: Contestant,
    round: number,
    loadOf: () => LoadShape | null,
  ): Step {
    return {
      label: `${series}, round ${round}`,
      expectedSeconds: this.#seconds + (PEERS.includes(contestant) ? 0.5 : SETTLE_SECONDS),
      run: async (context) => {
        const load = loadOf();
        if (load === null) return;
        const server = context.child(contestant);
        const quiet = await context.waitUntilQuiet();
        // Whatever was sent before has been waited for.
        const before = await server.run('cpu');
        const seconds = this.#seconds;
        const sample = await this.#load(context, contestant, { ...load, seconds });
        const after = await this.#settle(context, contestant);
        const cpuMs = cpuOf(after) - cpuOf(before);
        this.report.add(series, { ...sample, cpuMs }, quiet);
      },
    };
  }

  async #settle(context: StepContext, contestant: Contestant): Promise<Measurement> {
    return await context.child(contestant).run(PEERS.includes(contestant) ? 'cpu' : 'settle');
  }

  async #load(
    context: StepContext,
    contestant: Contestant,
    load: LoadShape & { readonly seconds: number; readonly requestsMax?: number },
  ): Promise<Measurement> {
    const port = this.#ports.get(contestant);
    const { shape, connections, seconds, requestsMax = REQUESTS_MAX, pace } = load;
    const shown = SHOWN[contestant] ?? 'key';
    const numbers = [connections, seconds, requestsMax].map(String);
    const args = [String(port), this.#rosterFile, shape, shown, ...numbers];
    const paced = pace === undefined ? [] : [String(pace)];
    return await context.child(LOAD).run('load', ...args, ...paced);
  }

  get #dataDir(): string {
    return path.join(this.#folder, 'data');
  }

  get #rosterFile(): string {
    return path.join(this.#folder, 'roster.json');
  }
}

const SHOWN: Readonly<Partial<Record<Contestant, Shown>>> = {
  'sibyl, access tokens': 'token',
  'sibyl, signed': 'signature',
};

interface LoadShape {
  readonly shape: Shape;
  readonly connections: number;
  /** Requests per second; as fast as they are answered unless told. */
  readonly pace?: number;
}

function cpuOf({ cpuMs }: Measurement): number {
  return cpuMs ?? Number.NaN;
}

/** Each is loaded in its own process only: what one brings along must not weigh on another. */
async function serve(contestant: string, dataDir: string, rosterFile: string): Promise<number> {
  switch (contestant) {
    case 'bare fastify':
      return (await import('../peers/bare-fastify.ts')).serveBareFastify();
    case 'postgres': {
      const { servePostgresBets } = await import('../peers/postgres-bets.ts');
      return servePostgresBets(readRoster(rosterFile));
    }
    case 'sibyl':
    case 'sibyl, access tokens':
    case 'sibyl, signed':
      return (await import('../http/serve.ts')).serveSibyl(dataDir, 'on');
    case 'sibyl, journal off':
      return (await import('../http/serve.ts')).serveSibyl(dataDir, 'off');
    default:
      throw new Error(`unknown contestant: ${contestant}`);
  }
}
