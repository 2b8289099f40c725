// The projector of one lane: follows its committed commands and flushes what they came to in batches.
import type { State } from '@sibyl/engine';
import { type CommitListener, type CommittedCommand, LaneUnavailable } from '@sibyl/lane';
import type { ReadStore } from '../store/read-store.ts';
import type { Candles } from './candles.ts';
import { Projection } from './projection.ts';
import { UnflushedRows } from './unflushed-rows.ts';

/** Where commands come from: the lane. */
export interface CommandSource {
  /** Calls `begin` with the state it starts from, at or before `afterSeq`, then gives all that came after it. */
  replayAfter(
    afterSeq: number,
    begin: (state: State) => void,
  ): AsyncIterable<readonly CommittedCommand[]>;
  onCommitted(listener: CommitListener): () => void;
  status(): { readonly durableSeq: number };
}

export interface ProjectorOptions {
  readonly store: ReadStore;
  /** Told once, when a projection cannot go on: history is then unavailable, trading is not. */
  readonly failed: (error: Error) => void;
  readonly limits?: Partial<FlushLimits>;
}

export interface FlushLimits {
  /** Commands, and rows they came to, that may wait in memory: the more at once, the fewer pages are written. */
  readonly commandsMax: number;
  readonly rowsMax: number;
  readonly delayMs: number;
}

const FLUSH_LIMITS: FlushLimits = { commandsMax: 65_536, rowsMax: 500_000, delayMs: 5000 };

/** Rows of commands that the store has already are dropped in heaps of so many commands. */
const DROPPED_AT_ONCE = 1000;

export class Projector {
  readonly store: ReadStore;
  readonly #failed: (error: Error) => void;
  readonly #limits: FlushLimits;
  readonly #projection: Projection;
  /** What the store had when it was opened: earlier commands are followed but not written again. */
  readonly #storedSeq: number;
  readonly #committed: (candles: Candles) => void;
  #seq: number;
  #hasBegun = false;
  /** Being written: still read from memory until it is readable in the store. */
  #frozen: UnflushedRows | null = null;
  /** Two take turns, so that their memory is used again. */
  #spare = new UnflushedRows();
  #flushes = 0;
  #flushing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #failure: Error | null = null;
  #following: Promise<void> = Promise.resolve();
  /** Batches that come in while earlier ones are still being replayed. */
  #waiting: (readonly CommittedCommand[])[] | null = null;
  #stopFollowing: () => void = () => {};

  /** `committed` sees the candles of each batch when they move from memory to the store. */
  static async open(
    options: ProjectorOptions,
    committed: (candles: Candles) => void = () => {},
  ): Promise<Projector> {
    return new Projector(options, await options.store.cursor(), committed);
  }

  private constructor(
    { store, failed, limits }: ProjectorOptions,
    storedSeq: number,
    committed: (candles: Candles) => void,
  ) {
    this.store = store;
    this.#failed = failed;
    this.#limits = { ...FLUSH_LIMITS, ...limits };
    this.#projection = new Projection({
      account: store.numbering('account'),
      market: store.numbering('market'),
      key: store.numbering('key'),
      earner: store.numbering('earner'),
    });
    this.#storedSeq = storedSeq;
    this.#seq = storedSeq;
    this.#committed = committed;
  }

  /** To be given to a lane that opens, so that no command of its own is missed; `follow` is still needed. */
  readonly listener: CommitListener = (batch) => {
    if (this.#waiting === null) this.apply(batch);
    else this.#waiting.push(batch);
  };

  /** The last command that history reflects. */
  get seq(): number {
    return this.#seq;
  }

  /** Counts moves from memory to the store: whoever read both across one must read again. */
  get flushes(): number {
    return this.#flushes;
  }

  outcomeId(market: number, outcome: number): string {
    return this.#projection.outcomeId(market, outcome);
  }

  /** What the store does not have yet, oldest first. */
  get unflushed(): readonly UnflushedRows[] {
    const { unflushed } = this.#projection;
    return this.#frozen === null ? [unflushed] : [this.#frozen, unflushed];
  }

  get failure(): Error | null {
    return this.#failure;
  }

  /** Resolves when everything that was durable at the start has been seen; throws when history cannot be read. */
  async ready(): Promise<void> {
    await this.#following.catch(() => {});
    if (this.#failure !== null) throw unavailable(this.#failure.message);
  }

  /**
   * Shown every step of a recovery in turn, takes the state of the one that what is stored belongs to: what is stored
   * already need not be followed. True when it follows from here.
   */
  reach(seq: number, state: () => State): boolean {
    if (seq === this.#storedSeq) this.begin(state());
    return this.#hasBegun;
  }

  /** Takes a state to go on from; one that is later than what is stored would leave a gap, and is passed over. */
  begin(state: State): void {
    if (this.#hasBegun || state.seq > this.#storedSeq) return;
    this.#projection.begin(state);
    this.#hasBegun = true;
    this.#seq = state.seq;
  }

  /** Must be cheap: it runs before the answers of the batch leave. */
  apply(batch: readonly CommittedCommand[]): void {
    if (!this.#hasBegun || this.#failure !== null) return;
    try {
      for (const committed of batch) this.#applyOne(committed);
    } catch (error) {
      this.#fail(error);
      return;
    }
    const { commands } = this.#projection.unflushed;
    if (commands > 0) this.#flushSoon();
  }

  /** Follows the source from here on; resolves when everything that is durable now has been seen. */
  follow(source: CommandSource): Promise<void> {
    const waiting: (readonly CommittedCommand[])[] = [];
    this.#waiting = waiting;
    this.#stopFollowing = source.onCommitted(this.listener);
    this.#following = this.#catchUp(source).then(() => {
      this.#waiting = null;
      for (const batch of waiting) this.apply(batch);
    });
    this.#following.catch((error: unknown) => this.#fail(error));
    return this.#following;
  }

  /** Resolves when all that was applied is in the store; flushes follow one another. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing
      .then(() => this.#write())
      .catch((error: unknown) => this.#fail(error));
    return this.#flushing;
  }

  /** Follows no longer; what it has can still be read. */
  retire(): void {
    this.#stopFollowing();
  }

  /** Writes what is left and lets go of the store. */
  async close(): Promise<void> {
    this.#stopFollowing();
    await this.flush();
    this.#failure ??= unavailable('history is closed');
    await this.store.close();
  }

  #applyOne(committed: CommittedCommand): void {
    const { seq } = committed.command;
    if (seq <= this.#seq) return;
    if (seq !== this.#seq + 1) throw new Error(`command ${seq} came after ${this.#seq}`);
    this.#projection.apply(committed);
    this.#seq = seq;
    if (seq > this.#storedSeq) return;
    const isHeap = this.#projection.unflushed.commands >= DROPPED_AT_ONCE;
    if (isHeap || seq === this.#storedSeq) this.#projection.unflushed.clear();
  }

  async #write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const isBehind = this.#seq <= this.#storedSeq;
    if (isBehind || this.#failure !== null || this.#projection.unflushed.commands === 0) return;
    const unflushed = this.#projection.take(this.#spare);
    this.#frozen = unflushed;
    await this.store.write(unflushed.batch(), () => {
      this.#frozen = null;
      this.#flushes += 1;
      this.#committed(unflushed.candles);
    });
    unflushed.clear();
    this.#spare = unflushed;
  }

  async #catchUp(source: CommandSource): Promise<void> {
    if (this.#hasBegun && this.#seq >= source.status().durableSeq) return;
    const afterSeq = this.#hasBegun ? this.#seq : this.#storedSeq;
    const begin = (state: State): void => this.begin(state);
    for await (const batch of source.replayAfter(afterSeq, begin)) {
      this.apply(batch);
      if (this.#isFull) await this.flush();
    }
    if (!this.#hasBegun) throw new Error('the source gave no state to begin with');
  }

  get #isFull(): boolean {
    const { commands, rows } = this.#projection.unflushed;
    return commands >= this.#limits.commandsMax || rows >= this.#limits.rowsMax;
  }

  #flushSoon(): void {
    if (this.#isFull) {
      if (this.#frozen === null) void this.flush();
    } else {
      this.#timer ??= setTimeout(() => void this.flush(), this.#limits.delayMs);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#failed(this.#failure);
  }
}

/** Reads of history say so, and nothing else does: trading goes on without it. */
function unavailable(reason: string): LaneUnavailable {
  const text = `history cannot be read: ${reason}`;
  return new LaneUnavailable('SERVICE_UNAVAILABLE', 'history', text);
}
