// The restart suite: how long the real server takes from the command to its first answer, far from its last snapshot.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Report } from '../harness/report.ts';
import { spreadOf } from '../harness/statistics.ts';
import { measureStart } from '../restart/start.ts';
import { buildTail } from '../restart/tail.ts';
import type { Measurement, Plan, PlanOptions, Step, Suite } from '../suite.ts';

export const restartSuite: Suite = {
  name: 'restart',
  about: 'start of the server with a million commands after its last snapshot',
  tasks: {
    build: ([dataDir = '', commands]) => buildTail(dataDir, Number(commands)),
    start: ([dataDir = '', snapshotSeq]) => measureStart(dataDir, Number(snapshotSeq)),
  },
  plan,
};

const COMMANDS = 1_000_000;
const COMMANDS_QUICK = 50_000;
const BUILD_SECONDS = 90;
const START_SECONDS = 12;

function plan({ rounds, quick }: PlanOptions): Plan {
  const commands = quick ? COMMANDS_QUICK : COMMANDS;
  const dataDir = path.join(mkdtempSync(path.join(tmpdir(), 'bench-restart-')), 'data');
  const samples: Measurement[] = [];
  const notes: string[] = [];
  let snapshotSeq = 0;
  const build: Step = {
    label: `a journal of ${commands} commands`,
    expectedSeconds: BUILD_SECONDS,
    async run(context) {
      const built = await context.child('build').run('build', dataDir, String(commands));
      context.release('build');
      snapshotSeq = built.snapshotSeq ?? 0;
    },
  };
  const starts = Array.from({ length: rounds }, (_, round): Step => {
    const label = `start, round ${round + 1}`;
    return {
      label,
      expectedSeconds: START_SECONDS,
      async run(context) {
        if (!(await context.waitUntilQuiet())) notes.push(`${label} on a busy machine`);
        const child = context.child(label);
        samples.push(await child.run('start', dataDir, String(snapshotSeq)));
        context.release(label);
      },
    };
  });
  return {
    steps: [build, ...starts],
    report() {
      rmSync(path.dirname(dataDir), { recursive: true, force: true });
      return conclude(samples, commands, notes);
    },
  };
}

function conclude(
  samples: readonly Measurement[],
  commands: number,
  notes: readonly string[],
): Report {
  const faults = samples.some(({ isWell }) => isWell !== 1) ? ['a server was not well'] : [];
  if (samples.length === 0) return { ratios: [], figures: [], faults, notes };
  const { median, min, max } = spreadOf(samples.map(({ readyMs = 0 }) => readyMs / 1000));
  const bound = { must: 10, goal: 3, better: 'less' } as const;
  const name = `restart, ${commands} commands after the snapshot`;
  return {
    ratios: [],
    figures: [
      { name, value: median, unit: 's', range: [min, max], bound },
      { name: `${name}, replayed`, value: commands / median, unit: 'commands/s' },
    ],
    faults,
    notes,
  };
}
