// Entry of `npm run bench`: plans the suites asked for, runs their steps in order, and reports.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { serverFlags } from '../../scripts/node-flags.mjs';
import { Child, ChildEnded, canPin } from './harness/child.ts';
import { Progress } from './harness/progress.ts';
import { QuietGate } from './harness/quiet.ts';
import { findFailures, mergeReports, type Report, toJson, toTable } from './harness/report.ts';
import { serveTasks } from './harness/serve.ts';
import { describeUsage, type Invocation, readInvocation } from './options.ts';
import type { Plan, StepContext } from './suite.ts';
import { loadSuite, SUITE_NAMES } from './suite-registry.ts';

const QUIET_BUDGET_MS = 60_000;
const QUIET_BUDGET_QUICK_MS = 10_000;

const invocation = readInvocation(process.argv.slice(2));
process.exitCode = await start(invocation);

async function start(asked: Invocation): Promise<number> {
  switch (asked.kind) {
    case 'help': {
      const suites = await Promise.all(SUITE_NAMES.map(loadSuite));
      process.stdout.write(describeUsage(suites.map((suite) => `${suite.name}: ${suite.about}`)));
      return 0;
    }
    case 'mistake':
      process.stderr.write(`bench: ${asked.message}\n`);
      return 2;
    case 'child':
      serveTasks(await loadSuite(asked.suite));
      return 0;
    case 'run':
      return await runSuites(asked);
  }
}

async function runSuites(asked: Invocation & { readonly kind: 'run' }): Promise<number> {
  const plans: { readonly suite: string; readonly plan: Plan }[] = [];
  for (const suite of asked.suites)
    plans.push({ suite, plan: (await loadSuite(suite)).plan(asked) });
  const steps = plans.flatMap(({ plan }) => plan.steps);
  const seconds = steps.reduce((sum, step) => sum + step.expectedSeconds, 0);
  announce(seconds, asked);
  const progress = new Progress(seconds);
  const gate = new QuietGate(asked.quick ? QUIET_BUDGET_QUICK_MS : QUIET_BUDGET_MS);
  const reports: Report[] = [];
  for (const { suite, plan } of plans) {
    const lost = await runPlan(suite, plan, progress, gate);
    const { faults, ...rest } = plan.report();
    reports.push({ ...rest, faults: [...lost, ...faults] });
  }
  progress.finish();
  const report = mergeReports(reports);
  process.stdout.write(toTable(report));
  if (asked.jsonFile !== null) {
    mkdirSync(path.dirname(path.resolve(asked.jsonFile)), { recursive: true });
    writeFileSync(asked.jsonFile, toJson(report));
  }
  const failures = findFailures(report);
  for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
  return failures.length === 0 ? 0 : 1;
}

/** Gives a sentence for each step that a dead process cost. */
async function runPlan(
  suite: string,
  plan: Plan,
  progress: Progress,
  gate: QuietGate,
): Promise<readonly string[]> {
  const lost: string[] = [];
  const children = new Map<string, Child>();
  const context: StepContext = {
    child(name) {
      let child = children.get(name);
      if (child === undefined) {
        child = new Child(suite, name, flagsOf(plan, name));
        children.set(name, child);
      }
      return child;
    },
    release(name) {
      children.get(name)?.end();
      children.delete(name);
    },
    waitUntilQuiet: () => gate.wait(),
  };
  try {
    for (const step of plan.steps) {
      progress.begin(step.label, step.expectedSeconds);
      try {
        await step.run(context);
      } catch (error) {
        if (!(error instanceof ChildEnded)) throw error;
        context.release(error.childName);
        lost.push(`${step.label}: ${error.message}`);
      }
      progress.complete();
    }
  } finally {
    for (const child of children.values()) child.end();
  }
  return lost;
}

/** Peers run on Node as it comes, ours as `npm start` and the other commands run them. */
function flagsOf(plan: Plan, name: string): readonly string[] {
  if (plan.plain?.includes(name) === true) return [];
  return plan.serving?.includes(name) === true
    ? [...process.execArgv, ...serverFlags]
    : process.execArgv;
}

function announce(seconds: number, asked: Invocation & { readonly kind: 'run' }): void {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const where = canPin() ? 'pinned to core 0' : 'not pinned (no taskset)';
  process.stderr.write(
    `bench: ${asked.suites.join(', ')}; about ${minutes} min on a quiet machine, ${asked.rounds} rounds, ${where}\n`,
  );
}
