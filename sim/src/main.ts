// The simulator on the command line: runs seeds, shows progress, shrinks what it finds.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runAttacks } from './attacks/command.ts';
import { readCase, writeCase, writeRecording } from './case-file.ts';
import { Difference } from './compare.ts';
import { hashesThere } from './elsewhere.ts';
import { unseenFees } from './fee-book.ts';
import type { Recorded } from './recorded.ts';
import {
  type Progress,
  type Repetition,
  RunFailure,
  type RunResult,
  recordCommands,
  repeat,
  run,
  runCommands,
} from './run.ts';
import { type Scenario, scenarioOf } from './scenario.ts';
import { shrink } from './shrink.ts';
import { encode } from './text.ts';

const HELP = `Runs random commands through the engine and a naive reference and compares them.

  npm run sim -- [options]

  --seed N         first seed (default 1); a seed fixes everything
  --steps M        commands per seed (default 20000, with --fees 1000000)
  --seeds K        how many seeds, one after the other (default 1)
  --no-naive       engine alone: invariants, snapshots and replay only (much faster)
  --every N        full sweep and comparison of balances every N commands (default 500)
  --snapshots N    snapshot, restore and go on every N commands (default 2500, with --fees 100000; 0 never)
  --no-replay      do not run everything a second time and compare the hashes
  --case FILE      run a case written by an earlier failure
  --out FILE       where to write a failing case (default sim-case-SEED.json)
  --shrink-sec S   time for shrinking a failure (default 120; 0 keeps it whole)
  --answers        list how often each kind of answer came
  --fees           a million commands with the engine alone unless told otherwise: every unit that was charged is found once, and
                   what was charged, vested and paid is listed by actor; fails if an actor had no part in it
  --node PATH      run the seed here and under that Node in another time zone, and compare the hashes
  --attacks        run the known attacks on the engine alone: what each put in, took out and came to
  --mutations N    with --attacks: try N random changes of each attack's numbers and show the best (default 0)
  --commands N     with --attacks: try more changes until the engine has taken N commands (default 0)
  --rules ID       with --attacks: only attacks on rules whose ids begin with ID
  --record FILE    write the commands of the seed, for the tests that hold engines to their past
  --hash           print only the hash of the final state and of all outcomes
  --help           this text

Exit code: 0 nothing found, 1 a failure or an attack that succeeds, 2 wrong usage.
`;

interface Settings {
  readonly naive: boolean;
  readonly every: number;
  readonly snapshotEvery: number;
  readonly replay: boolean;
  readonly shrinkMs: number;
  readonly out: string | null;
  readonly answers: boolean;
  readonly fees: boolean;
}

function main(args: readonly string[]): number {
  const { values } = parseArgs({
    args: [...args],
    allowNegative: true,
    options: {
      seed: { type: 'string', default: '1' },
      steps: { type: 'string' },
      seeds: { type: 'string', default: '1' },
      naive: { type: 'boolean' },
      every: { type: 'string', default: '500' },
      snapshots: { type: 'string' },
      replay: { type: 'boolean', default: true },
      case: { type: 'string' },
      out: { type: 'string' },
      'shrink-sec': { type: 'string', default: '120' },
      answers: { type: 'boolean', default: false },
      fees: { type: 'boolean', default: false },
      node: { type: 'string' },
      hash: { type: 'boolean', default: false },
      record: { type: 'string' },
      attacks: { type: 'boolean', default: false },
      mutations: { type: 'string', default: '0' },
      commands: { type: 'string', default: '0' },
      rules: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const settings: Settings = {
    naive: values.naive ?? !values.fees,
    every: wholeNumber('every', values.every),
    snapshotEvery: wholeNumber('snapshots', values.snapshots ?? (values.fees ? '100000' : '2500')),
    replay: values.replay,
    shrinkMs: wholeNumber('shrink-sec', values['shrink-sec']) * 1000,
    out: values.out ?? null,
    answers: values.answers,
    fees: values.fees,
  };
  if (values.case !== undefined) return runCase(values.case, settings);
  const seed = wholeNumber('seed', values.seed);
  if (values.attacks) {
    const mutations = wholeNumber('mutations', values.mutations);
    const commands = wholeNumber('commands', values.commands);
    return runAttacks(values.rules, { mutations, commands }, seed);
  }
  const steps = wholeNumber('steps', values.steps ?? (values.fees ? '1000000' : '20000'));
  if (values.record !== undefined) return record(values.record, scenarioOf(seed), steps);
  if (values.hash) return printHashes(seed, steps);
  if (values.node !== undefined) return runElsewhere(values.node, seed, steps);
  for (let index = 0; index < wholeNumber('seeds', values.seeds); index += 1) {
    const code = runSeed(scenarioOf(seed + index), steps, settings);
    if (code !== 0) return code;
  }
  return 0;
}

class UsageError extends Error {}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,12}$/.test(text))
    throw new UsageError(`--${name} must be a whole number, not ${text}`);
  return Number(text);
}

function hashesOf(seed: number, steps: number): string {
  const options = { naive: false, every: 0, snapshotEvery: 0, hashEvents: true };
  const result = run(scenarioOf(seed), steps, options);
  return `state ${result.stateHash}\nevents ${result.eventsHash}\n`;
}

function record(file: string, scenario: Scenario, steps: number): number {
  const options = { naive: false, every: 0, snapshotEvery: 0 };
  const commands = recordCommands(scenario, steps, options).map(({ command }) => command);
  writeRecording(file, { scenario, commands });
  return 0;
}

function printHashes(seed: number, steps: number): number {
  process.stdout.write(hashesOf(seed, steps));
  return 0;
}

function runElsewhere(node: string, seed: number, steps: number): number {
  const here = hashesOf(seed, steps);
  const there = hashesThere(seed, steps, {
    node,
    flags: [],
    env: { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8' },
  });
  process.stdout.write(
    `here (${process.version}, seed ${seed}, ${steps} commands)\n${here}${node}\n${there}`,
  );
  process.stdout.write(here === there ? 'identical\n' : 'FAILED: the hashes differ\n');
  return here === there ? 0 : 1;
}

function runSeed(scenario: Scenario, steps: number, settings: Settings): number {
  const startedMs = Date.now();
  const label = `seed ${scenario.seed} (${scenario.lane})`;
  const options = {
    naive: settings.naive,
    every: settings.every,
    snapshotEvery: settings.snapshotEvery,
    hashEvents: settings.replay,
  };
  let result: RunResult;
  try {
    result = run(scenario, steps, { ...options, progress: display(label, steps, startedMs) });
    clearLine();
    if (settings.replay) checkReplay(scenario, steps, result);
  } catch (failure) {
    clearLine();
    if (!(failure instanceof RunFailure)) throw failure;
    report(scenario, failure, settings);
    return 1;
  }
  const seconds = (Date.now() - startedMs) / 1000;
  process.stdout.write(
    `${label}: ${steps} commands in ${seconds.toFixed(1)} s, ${result.trades} trades, ${result.markets} markets ` +
      `(${result.finalMarkets} ended), ${result.orders} open orders; nothing found` +
      `${settings.naive ? ', equal to the reference' : ''}${settings.replay ? ', replay identical' : ''}\n` +
      `  state ${result.stateHash}\n`,
  );
  if (settings.answers) {
    for (const [kind, count] of [...result.answers].sort(([x], [y]) => (x < y ? -1 : 1))) {
      process.stdout.write(`  ${String(count).padStart(8)}  ${kind}\n`);
    }
  }
  return settings.fees ? showFees(result.fees) : 0;
}

function showFees(fees: RunResult['fees']): number {
  process.stdout.write(feeLines(fees));
  const unseen = unseenFees(fees);
  if (unseen.length === 0) return 0;
  process.stdout.write(`FAILED: this never happened: ${unseen.join(', ')}\n`);
  return 1;
}

/** By actor, the accounts and apps of each taken together. */
function feeLines(fees: RunResult['fees']): string {
  const names = ['charged', 'received', 'unvested', 'vested', 'paid', 'returned'] as const;
  const roles = new Map<string, bigint[]>();
  for (const [key, account] of fees) {
    const role = key.split(':')[0] ?? key;
    const sums = roles.get(role) ?? names.map(() => 0n);
    roles.set(
      role,
      sums.map((sum, index) => sum + account[names[index] ?? 'charged']),
    );
  }
  const line = (cells: readonly unknown[]): string =>
    `  ${cells.map((cell) => String(cell).padStart(16)).join('')}\n`;
  return [['µUSDT', ...names], ...[...roles].map(([role, sums]) => [role, ...sums])]
    .map(line)
    .join('');
}

/** The same commands once more, without reference and snapshots, must say and leave the same. */
function checkReplay(scenario: Scenario, steps: number, first: RunResult): void {
  const again = run(scenario, steps, {
    naive: false,
    every: 0,
    snapshotEvery: 0,
    hashEvents: true,
  });
  if (again.stateHash !== first.stateHash) {
    throw new RunFailure(
      steps,
      new Error(`replay: state ${first.stateHash} became ${again.stateHash}`),
    );
  }
  if (again.eventsHash !== first.eventsHash) {
    throw new RunFailure(
      steps,
      new Error(`replay: outcomes ${first.eventsHash} became ${again.eventsHash}`),
    );
  }
}

function report(scenario: Scenario, failure: RunFailure, settings: Settings): void {
  process.stdout.write(
    `FAILED seed ${scenario.seed} (${scenario.lane}) at step ${failure.step}\n${failure.message}\n`,
  );
  const recorded = recordCommands(scenario, failure.step, {
    naive: false,
    every: 0,
    snapshotEvery: 0,
  });
  const deadlineMs = Date.now() + settings.shrinkMs;
  const naive = settings.naive && failure.cause instanceof Difference;
  // Sweeps and snapshots come often, so that a failure they find does not depend on how many commands went before.
  const again = (some: readonly Recorded[]): Repetition => {
    const often = some.length < 400 ? 1 : 50;
    const snapshotEvery = settings.snapshotEvery === 0 ? 0 : often;
    return repeat(scenario, some, { naive, every: often, snapshotEvery });
  };
  const last = recorded[recorded.length - 1];
  const marketId = /m_[0-9a-f]{16}/.exec(`${failure.message}${encode(last)}`)?.[0];
  const shorter = shrink(recorded, (some) => again(some).failure?.message ?? null, {
    isTimeUp: () => Date.now() > deadlineMs,
    matters: (each) => concerns(each, marketId),
    progress: (length) => showLine(`shrinking: ${length} commands`),
  });
  clearLine();
  const path = resolve(settings.out ?? `sim-case-${scenario.seed}.json`);
  const { commands } = again(shorter);
  writeCase(path, { scenario, commands });
  process.stdout.write(
    `shrunk to ${commands.length} of ${recorded.length} commands: ${path}\nrun again: npm run sim -- --case ${path}\n`,
  );
}

/** Does it name the market, or is it among what every market needs? */
function concerns({ command }: Recorded, marketId: string | undefined): boolean {
  if (marketId === undefined) return true;
  const needed = ['open_account', 'deposit', 'publish_template', 'create_market'];
  return needed.includes(command.type) || encode(command).includes(marketId);
}

function runCase(path: string, settings: Settings): number {
  const { scenario, commands } = readCase(path);
  const options = { naive: settings.naive, every: 1, snapshotEvery: settings.snapshotEvery };
  const failure = runCommands(scenario, commands, options);
  if (failure === null) {
    process.stdout.write(`${path}: ${commands.length} commands, nothing found\n`);
    return 0;
  }
  process.stdout.write(
    `FAILED at command ${failure.step} of ${commands.length}\n${failure.message}\n`,
  );
  return 1;
}

/** A line of progress twice a second, on a terminal only. */
function display(label: string, steps: number, startedMs: number): (progress: Progress) => void {
  let shownMs = 0;
  return (progress) => {
    const nowMs = Date.now();
    if (nowMs - shownMs < 500) return;
    shownMs = nowMs;
    const rate = Math.round((progress.steps * 1000) / Math.max(1, nowMs - startedMs));
    showLine(
      `${label}  ${progress.steps}/${steps}  ${rate}/s  ${progress.active} of ${progress.markets} markets active  ` +
        `${progress.orders} orders  ${progress.trades} trades`,
    );
  };
}

function showLine(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

function clearLine(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const wrongUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  if (!wrongUsage) throw error;
  process.stderr.write(`${error.message}\n\n${HELP}`);
  process.exitCode = 2;
}
