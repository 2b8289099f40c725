// The SQLite journal with a thread of its own, which owns the file: nobody but the thread waits for the disk.
import { Worker } from 'node:worker_threads';
import { EarlierBuild } from '@sibyl/storage';
import {
  type Journal,
  type JournalCommit,
  JournalConflict,
  JournalCorrupt,
  JournalFailed,
  JournalFull,
  type JournalHead,
} from '../journal.ts';
import type { JournalFileOptions } from './journal-file.ts';
import type { JournalReply, JournalRequest, JournalValue } from './journal-worker.ts';

const PAGE_RECORDS = 512;

interface Waiting {
  readonly resolve: (value: JournalValue) => void;
  readonly reject: (error: Error) => void;
}

export class ThreadedJournal implements Journal {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #isOnReserve = false;
  #warning: string | null = null;
  #gone: Error | null = null;

  /** Resolves when the file is open, locked, migrated and known to sync every commit. */
  static async open(options: JournalFileOptions): Promise<ThreadedJournal> {
    const journal = new ThreadedJournal(options);
    const warning = await new Promise<JournalValue>((resolve, reject) =>
      journal.#waiting.push({ resolve, reject }),
    );
    if (typeof warning === 'string') journal.#warning = warning;
    return journal;
  }

  private constructor(options: JournalFileOptions) {
    this.#worker = new Worker(new URL('./journal-worker.ts', import.meta.url), {
      workerData: options,
    });
    this.#worker.on('message', (reply: JournalReply) => this.#settle(reply));
    this.#worker.on('error', (error) =>
      this.#lose(new JournalFailed(`the journal's thread died: ${String(error)}`)),
    );
    this.#worker.on('exit', () => this.#lose(new JournalFailed('the journal is closed')));
  }

  /** What an operator should know of the opening. */
  get warning(): string | null {
    return this.#warning;
  }

  get isOnReserve(): boolean {
    return this.#isOnReserve;
  }

  async lead(): Promise<number> {
    return expect(await this.#ask({ kind: 'lead' }), isNumber);
  }

  async resume(epoch: number): Promise<void> {
    await this.#ask({ kind: 'resume', epoch });
  }

  async append(commit: JournalCommit, epoch: number): Promise<void> {
    // Handed over, not copied again: a thread gets no other's memory to read.
    const records = new Uint8Array(commit.records);
    await this.#ask({ kind: 'append', commit: { ...commit, records }, epoch }, [records.buffer]);
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalCommit[]> {
    const ask = (from: number) => this.#ask({ kind: 'page', fromSeq: from, limit: PAGE_RECORDS });
    let next = ask(fromSeq);
    for (;;) {
      const commits = expect(await next, isCommits);
      const last = commits[commits.length - 1];
      if (last === undefined) return;
      // The thread reads the next page while the caller works on this one.
      next = ask(last.seq + 1);
      next.catch(ignore);
      yield commits;
    }
  }

  async head(): Promise<JournalHead> {
    return expect(await this.#ask({ kind: 'head' }), isHead);
  }

  async refillReserve(): Promise<boolean> {
    return (await this.#ask({ kind: 'refill' })) === true;
  }

  async close(): Promise<void> {
    if (this.#gone !== null) return;
    const exited = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    await this.#ask({ kind: 'close' });
    await exited;
  }

  #ask(request: JournalRequest, given: readonly ArrayBuffer[] = []): Promise<JournalValue> {
    if (this.#gone !== null) return Promise.reject(this.#gone);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(request, given);
    });
  }

  #settle(reply: JournalReply): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    if (!reply.ok) {
      waiting.reject(errorOf(reply.name, reply.message));
      return;
    }
    this.#isOnReserve = reply.isOnReserve;
    waiting.resolve(reply.value);
  }

  #lose(error: Error): void {
    this.#gone ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(this.#gone);
  }
}

/** A page asked for ahead of time may never be wanted; whoever does want it sees the error. */
function ignore(): void {}

function errorOf(name: string, message: string): Error {
  switch (name) {
    case 'JournalConflict':
      return new JournalConflict(message);
    case 'JournalFull':
      return new JournalFull(message);
    case 'JournalCorrupt':
      return new JournalCorrupt(message);
    case 'EarlierBuild':
      return Object.assign(new EarlierBuild(''), { message });
    default:
      return new JournalFailed(message);
  }
}

function expect<T extends JournalValue>(
  value: JournalValue,
  is: (value: JournalValue) => value is T,
): T {
  if (!is(value)) throw new JournalFailed('the journal thread answered another question');
  return value;
}

const isNumber = (value: JournalValue): value is number => typeof value === 'number';
const isCommits = (value: JournalValue): value is readonly JournalCommit[] => Array.isArray(value);
const isHead = (value: JournalValue): value is JournalHead =>
  typeof value === 'object' && value !== null && 'seq' in value;
