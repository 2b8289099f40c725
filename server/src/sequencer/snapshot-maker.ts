// Makes snapshots beside the running lane: a thread replays the journal from the last one, and so checks every outcome.
import { Worker } from 'node:worker_threads';
import type { State } from '@sibyl/engine';
import type { Journal, JournalRecord } from '../ports/journal.ts';
import type { ChainLink } from './record.ts';
import type { SnapshotStore } from './snapshots.ts';

export interface MakerWatcher {
  readonly saved: (seq: number) => void;
  /** No snapshot this time; the lane can go on. */
  readonly failed: (message: string) => void;
  /** The replay came to something else than the lane did: the lane must not go on. */
  readonly diverged: (message: string) => void;
}

/** To the thread: the next page, or the end of what shall be in the snapshot. */
export type MakerFeed =
  | { readonly kind: 'page'; readonly records: readonly JournalRecord[] }
  | { readonly kind: 'save' };

/** From the thread. */
export type MakerReport =
  | { readonly kind: 'began'; readonly seq: number }
  | { readonly kind: 'applied' }
  | { readonly kind: 'saved'; readonly seq: number }
  | { readonly kind: 'diverged'; readonly message: string };

/** A failed attempt is not repeated before so many more commands. */
const RETRY_COMMANDS = 10_000;

export class SnapshotMaker {
  readonly #store: SnapshotStore;
  readonly #journal: Journal;
  readonly #watcher: MakerWatcher;
  #lastSeq: number;
  #worker: Worker | null = null;
  #isStopped = false;

  constructor(store: SnapshotStore, journal: Journal, snapshotSeq: number, watcher: MakerWatcher) {
    this.#store = store;
    this.#journal = journal;
    this.#lastSeq = snapshotSeq;
    this.#watcher = watcher;
  }

  /** Begins a snapshot when the last one is old enough and none is being made. */
  consider(durableSeq: number, every: number): void {
    if (this.#isStopped || this.#worker !== null || durableSeq - this.#lastSeq < every) return;
    const worker = new Worker(new URL('./snapshot-worker.ts', import.meta.url), {
      workerData: this.#store.directory,
    });
    this.#worker = worker;
    this.#make(worker, durableSeq)
      .then(
        (seq) => {
          this.#lastSeq = seq;
          this.#watcher.saved(seq);
        },
        (error: unknown) => {
          this.#lastSeq = Math.max(this.#lastSeq, durableSeq - every + RETRY_COMMANDS);
          if (this.#isStopped) return;
          const message = error instanceof Error ? error.message : String(error);
          if (error instanceof Divergence) this.#watcher.diverged(message);
          else this.#watcher.failed(`no snapshot was made: ${message}`);
        },
      )
      .finally(() => {
        this.#worker = null;
        return worker.terminate();
      });
  }

  /** From the state at hand, while nothing else runs: the last act of a lane that closes. */
  saveNow(state: State, link: ChainLink): void {
    if (link.seq > this.#lastSeq) this.#store.save(state, link);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#worker?.terminate();
  }

  async #make(worker: Worker, untilSeq: number): Promise<number> {
    const reports = reportsOf(worker);
    const began = await reports.next();
    if (began.kind !== 'began') throw new Error('the thread did not begin');
    for await (const page of this.#journal.read(began.seq + 1)) {
      const records = page.filter((record) => record.seq <= untilSeq);
      if (records.length === 0) break;
      worker.postMessage({ kind: 'page', records } satisfies MakerFeed);
      await reports.next();
    }
    worker.postMessage({ kind: 'save' } satisfies MakerFeed);
    const saved = await reports.next();
    if (saved.kind !== 'saved') throw new Error('the thread did not save');
    return saved.seq;
  }
}

class Divergence extends Error {}

/** One report at a time, so that the thread is never fed faster than it eats. */
function reportsOf(worker: Worker): { next(): Promise<MakerReport> } {
  const next = () =>
    new Promise<MakerReport>((resolve, reject) => {
      const settle = (act: () => void) => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        act();
      };
      const onMessage = (report: MakerReport) =>
        settle(() =>
          report.kind === 'diverged' ? reject(new Divergence(report.message)) : resolve(report),
        );
      const onError = (error: unknown) => settle(() => reject(error));
      const onExit = () => settle(() => reject(new Error('its thread ended')));
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  return { next };
}
