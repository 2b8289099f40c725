// One run of a workload against engine and reference, with hashes of everything said and of the final state.
import { createHash, type Hash } from 'node:crypto';
import { apply, stateHash } from '@sibyl/engine';
import { type ApplyFunction, Comparison, Difference } from './compare.ts';
import type { FeeAccount } from './fee-book.ts';
import type { PlainCommand } from './naive/plain.ts';
import { ordersMade, type Recorded, Renumbering } from './recorded.ts';
import type { Scenario } from './scenario.ts';
import { encode } from './text.ts';
import { Workload } from './workload/workload.ts';

export interface RunOptions {
  readonly naive: boolean;
  readonly every: number;
  readonly snapshotEvery: number;
  readonly apply?: ApplyFunction;
  readonly progress?: (progress: Progress) => void;
  /** Hash every outcome; a second run can then be compared word for word. */
  readonly hashEvents?: boolean;
}

export interface Progress {
  readonly steps: number;
  readonly markets: number;
  readonly active: number;
  readonly orders: number;
  readonly trades: number;
}

export interface RunResult extends Progress {
  readonly stateHash: string;
  readonly eventsHash: string;
  /** How often each kind of answer came. */
  readonly answers: ReadonlyMap<string, number>;
  readonly finalMarkets: number;
  /** Where all fees are, by actor and whose they are. */
  readonly fees: ReadonlyMap<string, FeeAccount>;
}

/** A run that ended early: at which command, and why. */
export class RunFailure extends Error {
  readonly step: number;

  constructor(step: number, cause: unknown) {
    super(describe(cause), { cause });
    this.step = step;
    this.name = 'RunFailure';
  }
}

export function run(scenario: Scenario, steps: number, options: RunOptions): RunResult {
  const comparison = compare(scenario, options);
  const workload = new Workload(scenario, comparison.preview);
  const hash = createHash('sha256');
  const answers = new Map<string, number>();
  const now = (done: number): Progress => ({
    steps: done,
    markets: workload.view.markets.size,
    active: workload.view.activeMarkets().length,
    orders: workload.view.orders.size,
    trades: workload.view.tradeCount,
  });
  for (let step = 1; step <= steps; step += 1) {
    const command = workload.next();
    try {
      const outcome = comparison.step(command);
      workload.observe(command, outcome);
      if (options.hashEvents === true) addOutcome(hash, outcome);
      const kind = answerKind(command, outcome.answer);
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
    } catch (cause) {
      throw new RunFailure(step, cause);
    }
    if (step % 1000 === 0) options.progress?.(now(step));
  }
  finish(comparison, steps);
  return {
    ...now(steps),
    stateHash: stateHash(comparison.state),
    eventsHash: hash.digest('hex'),
    answers,
    finalMarkets: workload.view.finalMarkets,
    fees: comparison.fees.accounts(comparison.state),
  };
}

/** The commands of a run up to a step, drawn again with the engine alone. */
export function recordCommands(scenario: Scenario, steps: number, options: RunOptions): Recorded[] {
  const comparison = compare(scenario, {
    ...options,
    naive: false,
    every: 0,
    snapshotEvery: 0,
    apply,
  });
  const workload = new Workload(scenario, comparison.preview);
  const recorded: Recorded[] = [];
  for (let step = 1; step < steps; step += 1) {
    const command = workload.next();
    const outcome = comparison.take(command);
    workload.observe(command, outcome);
    recorded.push({ command, made: ordersMade(outcome) });
  }
  recorded.push({ command: workload.next(), made: [] });
  return recorded;
}

export interface Repetition {
  readonly failure: RunFailure | null;
  /** As they were given to the engine, up to the failure. */
  readonly commands: readonly PlainCommand[];
}

/** Runs recorded commands, of which some may have been left out. */
export function repeat(
  scenario: Scenario,
  recorded: readonly Recorded[],
  options: RunOptions,
): Repetition {
  const comparison = compare(scenario, options);
  const renumbering = new Renumbering();
  const commands: PlainCommand[] = [];
  try {
    for (const each of recorded) {
      const command = renumbering.next(each);
      commands.push(command);
      renumbering.learn(each, comparison.step(command));
    }
    comparison.sweep();
  } catch (cause) {
    return { failure: new RunFailure(commands.length, cause), commands };
  }
  return { failure: null, commands };
}

/** Runs given commands; null when nothing is found, else the failure. */
export function runCommands(
  scenario: Scenario,
  commands: readonly PlainCommand[],
  options: RunOptions,
): RunFailure | null {
  const comparison = compare(scenario, options);
  let step = 0;
  try {
    for (const command of commands) {
      step += 1;
      comparison.step(command);
    }
    comparison.sweep();
  } catch (cause) {
    return new RunFailure(step, cause);
  }
  return null;
}

function compare(scenario: Scenario, options: RunOptions): Comparison {
  return new Comparison({
    lane: scenario.lane,
    parameters: scenario.parameters,
    naive: options.naive,
    every: options.every,
    snapshotEvery: options.snapshotEvery,
    apply: options.apply ?? apply,
  });
}

function finish(comparison: Comparison, steps: number): void {
  try {
    comparison.sweep();
  } catch (cause) {
    throw new RunFailure(steps, cause);
  }
}

function addOutcome(hash: Hash, outcome: unknown): void {
  hash.update(encode(outcome)).update('\n');
}

function answerKind(
  command: PlainCommand,
  answer: ReturnType<Comparison['step']>['answer'],
): string {
  if (!answer.ok) return `${command.type} ${answer.rejection.code}`;
  if (answer.result.kind !== 'order') return `${command.type} ok`;
  const { order, fillVenue } = answer.result;
  const how = order.rejectReason ?? fillVenue ?? 'nothing filled';
  return `${command.type} ${order.status}, ${how}`;
}

function describe(cause: unknown): string {
  if (cause instanceof Difference) return cause.message;
  return cause instanceof Error
    ? `${cause.name}: ${cause.message}\n${cause.stack ?? ''}`
    : String(cause);
}
