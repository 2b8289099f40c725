// The journal port on SQLite: the serving thread writes it while the disk is quick, a thread of its own once it is not.
import type { Journal, JournalCommit, JournalHead } from '../journal.ts';
import { DirectJournal } from './direct-journal.ts';
import type { JournalFileOptions } from './journal-file.ts';
import { ThreadedJournal } from './threaded-journal.ts';

export interface SqliteJournalOptions extends Omit<JournalFileOptions, 'reserveBytes'> {
  readonly reserveBytes?: number;
  /** Receives what an operator should know of the opening. */
  readonly warn?: (message: string) => void;
  /** How long a commit may hold up the serving thread; with 0 none ever does. */
  readonly quickMs?: number;
  /** By how many slow ones must outnumber quick ones before the serving thread is spared them. */
  readonly slowMax?: number;
}

const RESERVE_BYTES = 16 << 20;
/** Whoever only reads does not notice it either. */
const QUICK_MS = 2;
/** A few are slow wherever other threads want the core as well; on a slow disk nearly all are. */
const SLOW_MAX = 128;
/** A disk that stalls is to be left sooner than one that is merely slow. */
const STALL_MS = 100;
const STALL_WEIGHT = 16;
/** While a larger one is written, whoever serves could read the next requests: some four hundred orders. */
const SMALL_BYTES = 64 << 10;
/** So many commits make the average. */
const COMMITS = 128;

type Host = DirectJournal | ThreadedJournal;

/**
 * It begins on its own thread, which reads ahead while a lane recovers, and moves to the serving thread with the first
 * commit: on a quick disk the way to another thread and back costs more than the commit itself. Once commits are slow or
 * large, it moves back for good. File, locks and promises are the same in both places, and it is open in one at a time.
 */
export class SqliteJournal implements Journal {
  /** How it is opened in the other place: its pages were checked at the first opening. */
  readonly #again: JournalFileOptions;
  readonly #quickMs: number;
  readonly #slowMax: number;
  #host: Host;
  #moving: Promise<void> | null = null;
  #epoch: number | null = null;
  #hasMoved = false;
  /** Slow commits less quick ones, not counted below none. */
  #slow = 0;
  #averageBytes = 0;

  /** Resolves when the file is open, locked, migrated and known to sync every commit. */
  static async open(options: SqliteJournalOptions): Promise<SqliteJournal> {
    const { quickMs = QUICK_MS, slowMax = SLOW_MAX, warn, ...given } = options;
    const kept = { reserveBytes: RESERVE_BYTES, ...given };
    const host = await ThreadedJournal.open(kept);
    if (host.warning !== null) warn?.(host.warning);
    return new SqliteJournal(kept, quickMs, slowMax, host);
  }

  /**
   * For a copy in the making: thousands of commits in a row while others are served, so that none of them may hold those up
   * and none need be durable before the last.
   */
  static openDraft(file: string): Promise<SqliteJournal> {
    return SqliteJournal.open({ file, quickMs: 0, isDraft: true });
  }

  private constructor(options: JournalFileOptions, quickMs: number, slowMax: number, host: Host) {
    this.#again = { ...options, isChecked: false };
    this.#quickMs = quickMs;
    this.#slowMax = slowMax;
    this.#host = host;
  }

  /** Whether the serving thread is spared its commits. */
  get hasThread(): boolean {
    return this.#host instanceof ThreadedJournal;
  }

  get isOnReserve(): boolean {
    return this.#host.isOnReserve;
  }

  async lead(): Promise<number> {
    const epoch = await (await this.#settled()).lead();
    this.#epoch = epoch;
    return epoch;
  }

  async append(commit: JournalCommit, epoch: number): Promise<void> {
    if (!this.#hasMoved && this.#quickMs > 0 && epoch === this.#epoch) {
      this.#hasMoved = true;
      this.#move(async () => DirectJournal.open(this.#again));
    }
    if (this.#moving !== null) {
      // What is given is the caller's again before it is anywhere.
      const held = { ...commit, records: new Uint8Array(commit.records) };
      await (await this.#settled()).append(held, epoch);
      return;
    }
    const host = this.#host;
    const beganMs = performance.now();
    await host.append(commit, epoch);
    if (host instanceof DirectJournal) {
      this.#consider(performance.now() - beganMs, commit.records.length);
    }
  }

  async *read(fromSeq: number): AsyncGenerator<readonly JournalCommit[]> {
    for (let from = fromSeq; ; ) {
      const host = await this.#settled();
      const isLeft = (): boolean => this.#moving !== null || this.#host !== host;
      for await (const commits of host.read(from)) {
        yield commits;
        from = commits[commits.length - 1]!.seq + 1;
        if (isLeft()) break;
      }
      if (!isLeft()) return;
    }
  }

  async head(): Promise<JournalHead> {
    return await (await this.#settled()).head();
  }

  async refillReserve(): Promise<boolean> {
    return await (await this.#settled()).refillReserve();
  }

  async close(): Promise<void> {
    const host = await this.#settled().catch(() => null);
    await host?.close();
  }

  #consider(tookMs: number, bytes: number): void {
    if (tookMs <= this.#quickMs) this.#slow -= this.#slow > 0 ? 1 : 0;
    else this.#slow += tookMs > STALL_MS ? STALL_WEIGHT : 1;
    this.#averageBytes += (bytes - this.#averageBytes) / COMMITS;
    // Commits that came together end together: the first of them has it moving already.
    if (this.#moving !== null) return;
    if (this.#slow >= this.#slowMax || this.#averageBytes > SMALL_BYTES) {
      this.#move(() => ThreadedJournal.open(this.#again));
    }
  }

  /** If it cannot be opened again it stays closed, and whoever asks for it is told why. */
  #move(open: () => Promise<Host>): void {
    const moved = this.#host.close().then(async () => {
      const host = await open();
      if (this.#epoch !== null) await resumeIn(host, this.#epoch);
      this.#host = host;
      this.#moving = null;
    });
    moved.catch(ignore);
    this.#moving = moved;
  }

  /** Where it is, once it is there. */
  async #settled(): Promise<Host> {
    await this.#moving;
    return this.#host;
  }
}

async function resumeIn(host: Host, epoch: number): Promise<void> {
  try {
    await host.resume(epoch);
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** Whoever asks next awaits the same promise and sees the error. */
function ignore(): void {}
