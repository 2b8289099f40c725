// The web suite: what the pages weigh, and what a busy book costs in a real Chromium.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Figure, Ratio, Report } from '../harness/report.ts';
import type { Measurement, Plan, Suite } from '../suite.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../../web/bench/measure.ts');

export const webSuite: Suite = {
  name: 'web',
  about:
    'script and first paint of the pages, and a market page with 50 changes of its book a second',
  tasks: {},
  plan,
};

function plan(): Plan {
  let measured: Measurement = {};
  return {
    steps: [
      {
        label: 'pages in Chromium',
        expectedSeconds: 40,
        async run(context) {
          await context.waitUntilQuiet();
          const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM]);
          measured = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
        },
      },
    ],
    report: () => conclude(measured),
  };
}

/** Must and goal of each figure: the budgets of the pages. */
const budgets = {
  listKb: { name: 'script of the market list, gzip', unit: 'kB', must: 250, goal: 200 },
  marketKb: { name: 'script of a market page, gzip', unit: 'kB', must: 320, goal: 280 },
  listPaintMs: {
    name: 'first paint of the market list, phone',
    unit: 'ms',
    must: 2000,
    goal: 1500,
  },
  marketPaintMs: {
    name: 'first paint of a market page, phone',
    unit: 'ms',
    must: 2000,
    goal: 1500,
  },
  longestTaskMs: { name: 'longest task, busy book', unit: 'ms', must: 100, goal: 50 },
  cpuPercent: { name: 'CPU of the page, busy book', unit: '%', must: 30, goal: 15 },
} as const;

export function conclude(measured: Measurement): Report {
  const figures: Figure[] = [];
  const ratios: Ratio[] = [];
  for (const [field, { name, unit, must, goal }] of Object.entries(budgets)) {
    const value = measured[field];
    if (value === undefined) continue;
    figures.push({ name, value, unit, bound: { must, goal, better: 'less' } });
    // A page that does nothing at all is within every budget.
    ratios.push({
      name: `budget/${name}`,
      value: must / Math.max(value, 1),
      must: 1,
      goal: must / goal,
    });
  }
  const { updatesPerSec } = measured;
  if (updatesPerSec !== undefined) {
    figures.push({ name: 'changes of the book', value: updatesPerSec, unit: 'per second' });
  }
  return {
    ratios,
    figures,
    faults: figures.length === 0 ? ['nothing was measured'] : [],
    notes: [],
  };
}
