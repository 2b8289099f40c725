// One system call fails, once or for good: the subject must stop or go read-only, and must never say more than it kept.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { SnapshotStore, verify } from '@sibyl/lane';
import { DirectJournal } from '@sibyl/lane/testing';
import { ACCOUNTS, cancelAll, command, drawFrom, openMarket } from '../../../lane/test/workload.ts';
import { type ExitResult, Subject, SubjectGone, subjectOptions } from './driver.ts';
import type { Done } from './protocol.ts';
import { type FileCall, parseTrace, traceOptions } from './trace.ts';

export interface Fault {
  readonly calls: string;
  readonly error: 'EIO' | 'ENOSPC' | 'EMFILE';
  /** The n-th call of each thread; with a plus, that one and all that follow. */
  readonly when: string;
  /** Fail only calls on files of the lane, so that the program itself can load. */
  readonly isOnData?: boolean;
}

export interface FaultReport {
  readonly fault: Fault;
  /** The file on which the first failure fell, below the data directory; null when the run ended before. */
  readonly struck: string | null;
  readonly cameUp: boolean;
  readonly acknowledged: number;
  readonly refusals: ReadonlySet<string>;
  /** Whether a cancel was acknowledged after a place had been refused. */
  readonly isCancelling: boolean;
  readonly exit: ExitResult;
}

const COMMANDS = 120;
const CLIENTS = 4;

/** Throws when something acknowledged is gone, or the journal was written after it had failed. */
export async function runFault(strace: string, fault: Fault): Promise<FaultReport> {
  const parent = mkdtempSync(path.join(tmpdir(), 'sibyl-fault-'));
  const root = path.join(parent, 'data');
  const output = path.join(parent, 'trace');
  const { calls, error, when, isOnData } = fault;
  const filter =
    isOnData === true ? ['journal.db', 'journal.db-wal', 'journal.db-head', 'snapshots', ''] : [];
  const wrapper = [
    strace,
    ...traceOptions(output),
    ...filter.flatMap((name) => ['-P', path.join(root, name)]),
    '-e',
    `inject=${calls}:error=${error}:when=${when}`,
  ];
  const subject = new Subject(
    subjectOptions(root, { snapshotEvery: 40, checkpointPages: 20 }),
    wrapper,
  );
  try {
    const run = new FaultRun(subject);
    const cameUp = await run.drive();
    if (cameUp) await run.probe();
    await sleepUnlessEnded(subject, 150);
    subject.kill();
    const exit = await subject.ended;
    const trace = parseTrace(readFileSync(output, 'utf8'), parent);
    const struck = checkSilence(trace, fault, root);
    await checkKept(root, run.done);
    return {
      fault,
      struck,
      cameUp,
      acknowledged: run.done.length,
      refusals: run.refusals,
      isCancelling: run.isCancelling,
      exit,
    };
  } finally {
    subject.kill();
    rmSync(parent, { recursive: true, force: true });
  }
}

class FaultRun {
  readonly done: Done[] = [];
  readonly refusals = new Set<string>();
  isCancelling = false;
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** False when the subject never came up. */
  async drive(): Promise<boolean> {
    let isUp = false;
    try {
      await this.#subject.ready();
      isUp = true;
      const draw = drawFrom(5);
      const marketId = await openMarket(
        async (submission) => (await this.#submit(submission)).answer,
      );
      let sent = 0;
      const client = async (): Promise<void> => {
        while (sent < COMMANDS && this.refusals.size === 0) {
          sent += 1;
          await this.#submit(command(draw, `c${sent}`, marketId)).catch(ignoreRefusal);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
    } catch (error) {
      if (!(error instanceof SubjectGone) && !(error instanceof Refused)) throw error;
    }
    return isUp;
  }

  /** Getting out must work in read-only mode. */
  async probe(): Promise<void> {
    if (!this.refusals.has('READ_ONLY_MODE')) return;
    try {
      await this.#submit(cancelAll(ACCOUNTS[0]!, 'probe'));
      this.isCancelling = true;
    } catch (error) {
      if (!(error instanceof SubjectGone) && !(error instanceof Refused)) throw error;
    }
  }

  async #submit(submission: Parameters<Subject['submit']>[0]): Promise<Done> {
    const reply = await this.#subject.submit(submission);
    if (reply.kind === 'refused') this.refusals.add(reply.code);
    if (reply.kind !== 'done') throw new Refused(reply.kind);
    this.done.push(reply);
    return reply;
  }
}

class Refused extends Error {}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof Refused)) throw error;
}

async function sleepUnlessEnded(subject: Subject, ms: number): Promise<void> {
  await Promise.race([subject.ended, new Promise((resolve) => setTimeout(resolve, ms))]);
}

/**
 * After an I/O error on the journal's own files nothing is committed any more, and at most the batch that was durable
 * already is answered. (SQLite, when it is closed, still moves old commits into the main file; that is sound.)
 */
function checkSilence(trace: readonly FileCall[], fault: Fault, root: string): string | null {
  const at = trace.findIndex((call) => call.kind === 'injected');
  const struck = trace[at];
  if (struck?.kind !== 'injected') return null;
  const name = path.relative(root, struck.path);
  if (fault.error !== 'EIO' || !name.startsWith('journal.db')) return name;
  let answers = 0;
  for (const call of trace.slice(at + 1)) {
    if (call.kind === 'said') answers += call.text.split('"kind":"done"').length - 1;
    if (call.kind !== 'write') continue;
    const file = path.relative(root, call.path);
    if (file === 'journal.db-wal' || file === 'journal.db-head') {
      throw new Error(`${struck.call} of ${name} failed, and yet ${file} was written afterwards`);
    }
  }
  if (answers > CLIENTS)
    throw new Error(`${struck.call} of ${name} failed, and yet ${answers} answers followed`);
  return name;
}

async function checkKept(root: string, done: readonly Done[]): Promise<void> {
  const journal = DirectJournal.open({ file: path.join(root, 'journal.db'), reserveBytes: 4096 });
  try {
    const hashes = new Map<number, string>();
    for await (const page of journal.read(1))
      for (const { firstSeq, seq, hash } of page)
        for (let at = firstSeq; at <= seq; at++) hashes.set(at, hash);
    for (const { seq, hash } of done) {
      if (hashes.get(seq) !== hash) throw new Error(`${seq} was acknowledged and is lost`);
    }
    const snapshots = new SnapshotStore(path.join(root, 'snapshots'));
    await verify({ lane: 'live', parameters: DEFAULT_PARAMETERS, journal, snapshots });
  } finally {
    await journal.close();
  }
}
