// The http suite: durable orders over HTTP beside bare Fastify, PostgreSQL transactions, and ourselves without a journal.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { REQUESTS_MAX, runLoad } from '../http/load.ts';
import { readRoster, type Shape } from '../http/orders.ts';
import {
  BATCH_SERIES,
  COMPARED_AT,
  type Contestant,
  HALF_LOAD_SERIES,
  HttpReport,
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
    load: ([port, rosterFile = '', shape, connections, seconds, requestsMax, pace]) =>
      runLoad({
        port: Number(port),
        rosterFile,
        shape: shape === 'batch' ? 'batch' : 'single',
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
const START_SECONDS = 12;
const OTHER_CONCURRENCIES = [16, 256] as const;
/**
 * The machine is at times half as fast as a few seconds before: those who are compared take turns several times in every
 * round, so that a ratio of medians says more of them than of the moment.
 */
const TURNS = 3;
const BATCH_TURNS = 2;

function plan({ rounds, quick }: PlanOptions): Plan {
  const run = new Run(quick ? SAMPLE_SECONDS_QUICK : SAMPLE_SECONDS);
  const steps: Step[] = [run.prepare(), run.start('bare fastify'), run.start('postgres')];
  for (let round = 1; round <= rounds; round += 1) {
    // Ours begin each round anew: their books and histories grow with every order.
    steps.push(run.start('sibyl'), run.start('sibyl, journal off'));
    for (let turn = 1; turn <= (quick ? 1 : TURNS); turn += 1) {
      for (const contestant of ['bare fastify', 'sibyl', 'sibyl, journal off'] as const) {
        steps.push(run.compare(contestant, COMPARED_AT, round));
      }
    }
    steps.push(run.release('sibyl, journal off'), run.compare('postgres', COMPARED_AT, round));
    for (const concurrency of quick ? [] : OTHER_CONCURRENCIES) {
      for (const contestant of ['bare fastify', 'sibyl', 'postgres'] as const) {
        steps.push(run.compare(contestant, concurrency, round));
      }
    }
    // Batches begin anew as well: after all of the above they would find five times the orders that single ones found.
    steps.push(run.halfLoad(round), run.release('sibyl'));
    steps.push(run.start('sibyl'), run.warmBatches());
    for (let turn = 1; turn <= (quick ? 1 : BATCH_TURNS); turn += 1) steps.push(run.batches(round));
    steps.push(run.release('sibyl'));
  }
  steps.push(run.end());
  const plain = ['bare fastify', 'postgres', LOAD];
  const serving = ['sibyl', 'sibyl, journal off'];
  return { steps, plain, serving, report: () => run.report.conclude() };
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
        await server.run('settle');
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
        await context.child('sibyl').run('settle');
      },
    };
  }

  batches(round: number): Step {
    return this.#sample(BATCH_SERIES, 'sibyl', round, () => ({
      shape: 'batch',
      connections: COMPARED_AT,
    }));
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
      expectedSeconds: this.#seconds + 5,
      run: async (context) => {
        const load = loadOf();
        if (load === null) return;
        const server = context.child(contestant);
        const quiet = await context.waitUntilQuiet();
        // Whatever was sent before has been waited for.
        const before = await server.run('cpu');
        const seconds = this.#seconds;
        const sample = await this.#load(context, contestant, { ...load, seconds });
        const after = await server.run('settle');
        const cpuMs = (after.cpuMs ?? 0) - (before.cpuMs ?? 0);
        this.report.add(series, { ...sample, cpuMs }, quiet);
      },
    };
  }

  async #load(
    context: StepContext,
    contestant: Contestant,
    load: LoadShape & { readonly seconds: number; readonly requestsMax?: number },
  ): Promise<Measurement> {
    const port = this.#ports.get(contestant);
    const { shape, connections, seconds, requestsMax = REQUESTS_MAX, pace } = load;
    const args = [port, this.#rosterFile, shape, connections, seconds, requestsMax].map(String);
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

interface LoadShape {
  readonly shape: Shape;
  readonly connections: number;
  /** Requests per second; as fast as they are answered unless told. */
  readonly pace?: number;
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
      return (await import('../http/serve.ts')).serveSibyl(dataDir, 'on');
    case 'sibyl, journal off':
      return (await import('../http/serve.ts')).serveSibyl(dataDir, 'off');
    default:
      throw new Error(`unknown contestant: ${contestant}`);
  }
}
