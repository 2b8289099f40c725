// One store that is opened, written and ended in every way, again and again: each start succeeds, and nothing acknowledged is lost.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Draw, drawFrom } from '../../../lane/test/workload.ts';

/** `large` makes the log be moved; `quick` is not synced; `empty` is a synced commit without a change. */
export type StoreStep = 'synced' | 'quick' | 'empty' | 'large';

/** After so many calls on files, counted during the opening or the closing, or at once. */
export interface StoreEnd {
  readonly during: 'opening' | 'work' | 'closing' | 'never';
  readonly call: number;
  readonly by: 'kill' | 'exit';
}

export interface StorePlan {
  readonly kind: 'rows' | 'journal';
  readonly folder: string;
  readonly steps: readonly StoreStep[];
  readonly end: StoreEnd;
}

export type StoreWord =
  | { readonly kind: 'open'; readonly count: number; readonly warnings: readonly string[] }
  | { readonly kind: 'kept'; readonly count: number }
  | { readonly kind: 'refused'; readonly name: string; readonly message: string }
  | { readonly kind: 'closed' };

export interface StoreEndsReport {
  readonly sequences: number;
  readonly acknowledged: number;
  /** Starts that made checksums anew. */
  readonly warned: number;
  readonly closed: number;
}

const PROGRAM = path.join(import.meta.dirname, 'store-run.ts');
/** On a thread of its own, whose end closes the file in the way of better-sqlite3. */
const ON_THREAD =
  "new (require('node:worker_threads').Worker)(process.argv[1], { argv: process.argv.slice(2) })";
const STEPS: readonly StoreStep[] = ['synced', 'quick', 'quick', 'empty', 'large'];
const ENDS: readonly StoreEnd['during'][] = ['work', 'work', 'closing', 'closing', 'opening'];
/** Its program takes longer to load. */
const JOURNAL_EVERY = 4;
/** More than an opening or a closing has. */
const CALLS = 16;
/** Then a new folder begins: the first start is one of the cases. */
const SEQUENCES_PER_FOLDER = 25;

export interface StoreRun {
  readonly words: readonly StoreWord[];
  readonly errors: string;
}

/** `wrapper` is a command that runs the program for us, such as strace with its options. */
export function runStore(plan: StorePlan, wrapper: readonly string[] = []): Promise<StoreRun> {
  const [program, ...args] = [
    ...wrapper,
    ...[process.execPath, '-e', ON_THREAD, PROGRAM, JSON.stringify(plan)],
  ];
  const child = spawn(program!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString();
  });
  child.stderr.on('data', (text: Buffer) => {
    errors += text.toString();
  });
  return new Promise((resolve) => {
    child.on('close', () => {
      const lines = output.split('\n').slice(0, -1);
      resolve({ words: lines.map((line) => JSON.parse(line) as StoreWord), errors });
    });
  });
}

/** Throws at the first start that fails and at the first entry that is gone. */
export async function runStoreEnds(
  sequences: number,
  seed: number,
  progress: (sequence: number) => void = () => {},
): Promise<StoreEndsReport> {
  const parent = mkdtempSync(path.join(tmpdir(), 'sibyl-store-ends-'));
  const draw = drawFrom(seed);
  const report = { sequences, acknowledged: 0, warned: 0, closed: 0 };
  const kept = { rows: 0, journal: 0 };
  try {
    for (let sequence = 1; sequence <= sequences; sequence += 1) {
      if (sequence % SEQUENCES_PER_FOLDER === 1) Object.assign(kept, { rows: 0, journal: 0 });
      const number = Math.ceil(sequence / SEQUENCES_PER_FOLDER);
      const kind = draw(JOURNAL_EVERY) === 0 ? 'journal' : 'rows';
      const plan = {
        kind,
        folder: path.join(parent, `${kind}-${number}`),
        ...planned(draw),
      } as const;
      mkdirSync(plan.folder, { recursive: true });
      const { words, errors } = await runStore(plan);
      const about = `sequence ${sequence}, seed ${seed}: ${JSON.stringify(plan)}: ${errors}`;
      if (errors !== '') throw new Error(`the store did not open or close; ${about}`);
      kept[kind] = countKept(words, plan, kept[kind], about);
      for (const word of words) {
        if (word.kind === 'kept') report.acknowledged += 1;
        if (word.kind === 'closed') report.closed += 1;
        if (word.kind === 'open' && word.warnings.length > 0) report.warned += 1;
      }
      progress(sequence);
    }
    return report;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function planned(draw: Draw): Pick<StorePlan, 'steps' | 'end'> {
  const steps = Array.from({ length: draw(7) }, () => STEPS[draw(STEPS.length)]!);
  const by = draw(2) === 0 ? 'kill' : 'exit';
  return { steps, end: { during: ENDS[draw(ENDS.length)]!, call: draw(CALLS), by } };
}

/** How many entries must be there from now on. */
function countKept(
  words: readonly StoreWord[],
  { end }: StorePlan,
  before: number,
  about: string,
): number {
  const [opened, ...rest] = words;
  if (opened === undefined) {
    if (end.during !== 'opening') throw new Error(`the store did not open; ${about}`);
    return before;
  }
  // A commit may be there although the process ended before it said so.
  if (opened.kind !== 'open' || opened.count < before) {
    throw new Error(
      `${before} entries were acknowledged, found ${JSON.stringify(opened)}; ${about}`,
    );
  }
  const refused = rest.find((word) => word.kind === 'refused');
  if (refused !== undefined) throw new Error(`${JSON.stringify(refused)}; ${about}`);
  const counts = words.map((word) => ('count' in word ? word.count : 0));
  return Math.max(...counts);
}
