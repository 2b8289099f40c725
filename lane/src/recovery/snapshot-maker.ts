// Makes snapshots beside the running lane: a process of its own replays the journal from the last one, and so checks every outcome.
import type { State } from '@sibyl/engine';
import type { ChainLink } from '../journal/chain.ts';
import type { Journal } from '../journal/journal.ts';
import { ReplayProcess } from './replay-process.ts';
import { Divergence, feedReplay } from './replay-thread.ts';
import type { SnapshotStore } from './snapshots.ts';

export interface MakerWatcher {
  readonly saved: (seq: number) => void;
  /** No snapshot this time; the lane can go on. */
  readonly failed: (message: string) => void;
  /** The replay came to something else than the lane did: the lane must not go on. */
  readonly diverged: (message: string) => void;
}

/** A failed attempt is not repeated before so many more commands. */
const RETRY_COMMANDS = 10_000;

export class SnapshotMaker {
  readonly #store: SnapshotStore;
  readonly #journal: Journal;
  readonly #watcher: MakerWatcher;
  #lastSeq: number;
  #worker: ReplayProcess | null = null;
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
    const program = new URL('./snapshot-worker.ts', import.meta.url);
    const worker = new ReplayProcess(program, this.#store.directory);
    this.#worker = worker;
    feedReplay(worker, this.#journal, durableSeq)
      .then(
        (seq) => {
          this.#lastSeq = Number(seq);
          this.#watcher.saved(this.#lastSeq);
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
}
