// Keeps a lane's history: opens it whatever became of its file, and makes it anew while the old one serves.
import type { BackgroundRun, Clock, CommittedCommand } from '@sibyl/lane';
import type { NextStore, ReadStores } from '../store/read-store.ts';
import { LiveHistory } from './live-history.ts';
import type { CommandSource } from './projector.ts';

export interface KeeperOptions {
  readonly stores: ReadStores;
  /** The last command of the journal: a store that is ahead of it is of another one. */
  readonly headSeq: number;
  readonly clock: Clock;
  readonly note: (message: string, error: Error | null) => void;
}

/** What fails again so soon after it was made anew is not the fault of the file. */
const SELF_REPAIR_GAP_MS = 600_000;

/** Whoever began to read before a rebuild took effect has long finished by then. */
const RETIRED_MS = 60_000;

export class HistoryKeeper {
  readonly history: LiveHistory;
  readonly #options: KeeperOptions;
  #source: CommandSource | null = null;
  #rebuild: BackgroundRun | null = null;
  #running: Promise<void> = Promise.resolve();
  #isClosing = false;
  #repairedAtMs = Number.NEGATIVE_INFINITY;
  #cancelTidy: () => void = () => undefined;

  static async open(options: KeeperOptions): Promise<HistoryKeeper> {
    let failed = (_error: Error): void => undefined;
    const history = await openHistory(options, (error) => failed(error));
    const keeper = new HistoryKeeper(history, options);
    failed = (error) => keeper.#repair('history is not available', error);
    options.stores.damaged = (error) => keeper.#repair('history is damaged', error);
    return keeper;
  }

  private constructor(history: LiveHistory, options: KeeperOptions) {
    this.history = history;
    this.#options = options;
  }

  /** The last one since the start. */
  get rebuild(): BackgroundRun | null {
    return this.#rebuild;
  }

  /** One that is far behind catches up while serving; whoever reads history waits for it. */
  follow(source: CommandSource): void {
    this.#source = source;
    // What goes wrong is told by `failed`.
    this.history.follow(source).catch(() => undefined);
  }

  /** False if one is under way already. */
  begin(actor: string, reason: string): boolean {
    const source = this.#source;
    if (this.#isClosing || source === null || this.#rebuild?.state === 'running') return false;
    this.#rebuild = {
      state: 'running',
      seq: 0,
      headSeq: source.status().durableSeq,
      startedAtMs: this.#options.clock.wallMs(),
      endedAtMs: null,
      actor,
      reason,
      error: null,
    };
    this.#running = this.#make(source);
    return true;
  }

  /** A rebuild that is under way is given up: the next start finds the old one. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#running;
    this.#cancelTidy();
    await this.history.close();
  }

  async #make(source: CommandSource): Promise<void> {
    const { stores, clock, note } = this.#options;
    let next: NextStore | null = null;
    try {
      next = stores.next();
      const { store, adopt, tidy } = next;
      await this.history.rebuild(this.#watched(source), store, adopt);
      this.#end('done', null);
      note('history was made anew', null);
      this.#cancelTidy = clock.setAlarm(RETIRED_MS, () => {
        this.history.dropRetired().then(tidy, (error: Error) => note('history', error));
      });
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      next?.tidy();
      this.#end('failed', cause.message);
      if (!this.#isClosing) note('history could not be made anew', cause);
    }
  }

  /** The source, with what it gives counted; ends when the keeper closes. */
  #watched(source: CommandSource): CommandSource {
    const seen = (batch: readonly CommittedCommand[]): void => {
      if (this.#isClosing) throw new Error('the server is closing');
      const seq = batch.at(-1)?.command.seq ?? 0;
      if (this.#rebuild !== null) this.#rebuild = { ...this.#rebuild, seq };
    };
    return {
      async *replayAfter(afterSeq, begin) {
        for await (const batch of source.replayAfter(afterSeq, begin)) {
          seen(batch);
          yield batch;
        }
      },
      onCommitted: (listener) => source.onCommitted(listener),
      status: () => source.status(),
    };
  }

  #end(state: 'done' | 'failed', error: string | null): void {
    if (this.#rebuild === null) return;
    const seq = state === 'done' ? this.history.projector.seq : this.#rebuild.seq;
    this.#rebuild = {
      ...this.#rebuild,
      state,
      seq,
      endedAtMs: this.#options.clock.wallMs(),
      error,
    };
  }

  /** Trading never waits for history, and nobody has to be called for it. */
  #repair(message: string, error: Error): void {
    const { clock, note } = this.#options;
    note(message, error);
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#repairedAtMs < SELF_REPAIR_GAP_MS) return;
    if (this.begin('system', `${message}: ${error.message}`)) this.#repairedAtMs = nowMs;
  }
}

/** A damaged file, one of another version and one of another journal are all as good as none. */
async function openHistory(
  { stores, headSeq, note }: KeeperOptions,
  failed: (error: Error) => void,
): Promise<LiveHistory> {
  const store = stores.current();
  try {
    const cursor = await store.cursor();
    if (cursor <= headSeq) return await LiveHistory.open({ store, failed });
    note(`history is at ${cursor}, ahead of the journal at ${headSeq}: it is made anew`, null);
  } catch (error) {
    note('history cannot be read: it is made anew', error instanceof Error ? error : null);
  }
  await store.close();
  return LiveHistory.open({ store: stores.anew(), failed });
}
