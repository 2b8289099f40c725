// The memory suite: orders at a steady pace for seven minutes, and the most memory that the server held meanwhile.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Figure, Report } from '../harness/report.ts';
import { runLoad } from '../http/load.ts';
import type { Measurement, Plan, PlanOptions, Step, Suite } from '../suite.ts';

export const memorySuite: Suite = {
  name: 'memory',
  about: '600,000 orders over HTTP in seven minutes: the most memory that the server held',
  tasks: {
    prepare: async ([dataDir = '', rosterFile = '']) => {
      await (await import('../http/prepare.ts')).prepareData(dataDir, rosterFile);
      return {};
    },
    serve: async ([dataDir = '']) => ({
      port: await (await import('../http/serve.ts')).serveSibyl(dataDir, 'on'),
    }),
    load: ([port, rosterFile = '', seconds]) =>
      runLoad({
        port: Number(port),
        rosterFile,
        shape: 'single',
        shown: 'key',
        connections: CONNECTIONS,
        seconds: Number(seconds),
        requestsMax: ORDERS_MAX,
        pace: PACE,
      }),
    held: async () => readHeld(),
  },
  plan,
};

const SERVER = 'server';
const LOAD = 'load';
const CONNECTIONS = 64;
/** Orders per second. */
const PACE = 1_430;
const SECONDS = 420;
const SECONDS_QUICK = 30;
/** More than the pace comes to. */
const ORDERS_MAX = 1_000_000;
const KB_PER_MB = 1_024;
const BYTES_PER_MB = 1_048_576;
const MUST_MB = 1_024;
const GOAL_MB = 850;

function plan({ quick }: PlanOptions): Plan {
  const seconds = quick ? SECONDS_QUICK : SECONDS;
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-memory-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const dataDir = path.join(folder, 'data');
  const rosterFile = path.join(folder, 'roster.json');
  const measured: Record<string, number> = {};
  const prepare: Step = {
    label: 'accounts, keys and markets are made',
    expectedSeconds: 20,
    async run(context) {
      await context.child('prepare').run('prepare', dataDir, rosterFile);
      context.release('prepare');
    },
  };
  const load: Step = {
    label: `${PACE} orders a second`,
    expectedSeconds: seconds,
    async run(context) {
      const server = context.child(SERVER);
      const { port } = await server.run('serve', dataDir);
      const loaded = await context
        .child(LOAD)
        .run('load', String(port), rosterFile, String(seconds));
      Object.assign(measured, loaded, await server.run('held'));
      context.release(SERVER);
      context.release(LOAD);
    },
  };
  return {
    steps: [prepare, load],
    plain: [LOAD],
    serving: [SERVER],
    report: () => conclude(measured),
  };
}

/** `maxRSS` is the most since the process began. */
function readHeld(): Measurement {
  const { rss, heapUsed, external } = process.memoryUsage();
  return {
    peakMb: process.resourceUsage().maxRSS / KB_PER_MB,
    rssMb: rss / BYTES_PER_MB,
    heapMb: heapUsed / BYTES_PER_MB,
    externalMb: external / BYTES_PER_MB,
  };
}

export function conclude(measured: Measurement): Report {
  const { peakMb, failures = 0 } = measured;
  if (peakMb === undefined) return { ratios: [], figures: [], faults: [], notes: [] };
  const bound = { must: MUST_MB, goal: GOAL_MB, better: 'less' } as const;
  const mb = (name: string, field: string): Figure => ({
    name,
    value: measured[field] ?? 0,
    unit: 'MB',
  });
  return {
    ratios: [{ name: '1 GB/most memory', value: MUST_MB / peakMb, must: 1, goal: 1.25 }],
    figures: [
      { name: 'most memory', value: peakMb, unit: 'MB', bound },
      mb('memory at the end', 'rssMb'),
      mb('heap at the end', 'heapMb'),
      mb('outside the heap at the end', 'externalMb'),
      { name: 'orders', value: measured.orders ?? 0, unit: 'orders' },
      { name: 'p99', value: measured.p99Ms ?? 0, unit: 'ms' },
    ],
    faults: failures === 0 ? [] : [`${failures} orders failed`],
    notes: [],
  };
}
