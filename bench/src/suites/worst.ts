// The worst suite: a search for states in which one command takes long, and the slowest that it found.
import type { Figure, Report } from '../harness/report.ts';
import type { Measurement, Plan, PlanOptions, Step, Suite } from '../suite.ts';
import { accounts } from '../worst/accounts.ts';
import { books } from '../worst/books.ts';
import { holders, openOrders } from '../worst/closing.ts';
import { cross } from '../worst/cross.ts';
import { downtime } from '../worst/downtime.ts';
import { makerChecks } from '../worst/maker-checks.ts';
import { memory } from '../worst/memory.ts';
import type { Scenario } from '../worst/scenario.ts';
import { Watch } from '../worst/watch.ts';

export const SCENARIOS: readonly Scenario[] = [
  books,
  cross,
  holders,
  openOrders,
  downtime,
  accounts,
  makerChecks,
  memory,
];

export const worstSuite: Suite = {
  name: 'worst',
  about: 'a search for states in which one command holds up a lane; the ten slowest',
  tasks: { search: ([name = '', scale]) => search(findScenario(name), Number(scale)) },
  plan,
};

const QUICK_SCALE = 0.1;
/** Compiles what the search runs, so that the first command of a kind is not the slowest for that. */
const WARM_UP_SCALE = 0.02;
/** No command takes longer on one core, whatever the state. */
const MUST_MS = 100;
const GOAL_MS = 50;
const SHOWN = 10;

function plan({ quick }: PlanOptions): Plan {
  const measured: Measurement[] = [];
  const notes: string[] = [];
  const steps = SCENARIOS.map(({ name, expectedSeconds }): Step => {
    const scale = quick ? QUICK_SCALE : 1;
    return {
      label: name,
      expectedSeconds: expectedSeconds * scale,
      async run(context) {
        if (!(await context.waitUntilQuiet())) notes.push(`${name} on a busy machine`);
        measured.push(await context.child(name).run('search', name, String(scale)));
        context.release(name);
      },
    };
  });
  return { steps, report: () => conclude(measured, notes) };
}

async function search(scenario: Scenario, scale: number): Promise<Measurement> {
  const before = new Watch();
  scenario.run(before, scale * WARM_UP_SCALE);
  await before.conclude();
  const watch = new Watch();
  scenario.run(watch, scale);
  return await watch.conclude();
}

export function conclude(measured: readonly Measurement[], notes: readonly string[]): Report {
  const found = measured.flatMap((one) => Object.entries(one));
  const slowest = found.sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  const [first] = slowest;
  if (first === undefined) return { ratios: [], figures: [], faults: [], notes };
  const bound = { must: MUST_MS, goal: GOAL_MS, better: 'less' } as const;
  const figures = slowest.map(([name, value]): Figure => ({ name, value, unit: 'ms', bound }));
  const over = found.filter(([, ms]) => ms > MUST_MS).length;
  return {
    ratios: [
      { name: `${MUST_MS} ms/slowest command`, value: MUST_MS / first[1], must: 1, goal: 2 },
    ],
    figures,
    faults: [],
    notes: [...notes, `${over} of ${found.length} kinds of command took more than ${MUST_MS} ms`],
  };
}

function findScenario(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`unknown scenario: ${name}`);
  return found;
}
