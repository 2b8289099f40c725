// The journal as one SQLite file: every commit is on the disk before it returns, and one process at a time has it.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  FileInUse,
  isDiskFull,
  lookInto,
  migrate,
  ownFile,
  PageSums,
  PagesDamaged,
  requireBaseline,
  syncFolder,
} from '@sibyl/storage';
import SqliteDatabase, { type Database, SqliteError, type Statement } from 'better-sqlite3';
import { linksOf } from '../chain.ts';
import {
  type JournalCommit,
  JournalConflict,
  JournalCorrupt,
  JournalFailed,
  JournalFull,
  type JournalHead,
} from '../journal.ts';
import { HeadFile } from './head-file.ts';
import { Reserve } from './reserve.ts';

export interface JournalFileOptions {
  readonly file: string;
  /** Space kept back for cancels. */
  readonly reserveBytes: number;
  /** Pages of the log after which they are moved into the main file. */
  readonly checkpointPages?: number;
  /** False where this process has checked every page before. */
  readonly isChecked?: boolean;
  /** True for a copy in the making: it is durable once it is closed, and not commit by commit. */
  readonly isDraft?: boolean;
}

type Insertion = [
  seq: number,
  firstSeq: number,
  epoch: number,
  tsMs: number,
  records: Uint8Array,
  prevHash: string,
  hash: string,
];

const COLUMNS =
  'first_seq AS firstSeq, last_seq AS seq, epoch, ts_ms AS tsMs, CAST(records AS BLOB) AS records, prev_hash AS prevHash, hash';

/** With 4 KiB pages the log stays near 4 MiB: to move and to sum more at once would hold up those who wait. */
const CHECKPOINT_PAGES = 1000;
const PAGE_BYTES = 4096;
const BUSY_MS = 500;
const MIGRATIONS = path.join(import.meta.dirname, '../../../migrations');

export class JournalFile {
  readonly database: Database;
  readonly #sums: PageSums;
  readonly #head: HeadFile;
  readonly #reserve: Reserve;
  readonly #insert: Statement<Insertion>;
  readonly #select: Statement<[number], JournalCommit>;
  readonly #checkpointPages: number;
  #tip: JournalHead;
  #epoch: number | null = null;
  #logPages = 0;
  #failure: string | null = null;

  constructor(options: JournalFileOptions) {
    const { file, reserveBytes, checkpointPages = CHECKPOINT_PAGES } = options;
    const { isChecked = true, isDraft = false } = options;
    this.#checkpointPages = checkpointPages;
    const directory = path.dirname(file);
    makeDirectory(directory);
    this.#sums = reading(() => new PageSums({ file, isChecked }));
    // After its pages were checked: a damaged file could pass for one of another build.
    if (isChecked) requireBaseline(file, MIGRATIONS);
    this.database = openDatabase(file, isDraft, this.#sums);
    this.#head = new HeadFile(`${file}-head`);
    this.#reserve = new Reserve(`${file}-reserve`, reserveBytes);
    try {
      this.#insert = this.database.prepare<Insertion>(
        // The cast changes no byte: they are taken for the text that they are.
        'INSERT INTO batch (last_seq, first_seq, epoch, ts_ms, records, prev_hash, hash) VALUES (?, ?, ?, ?, CAST(? AS TEXT), ?, ?)',
      );
      this.#select = this.database.prepare<[number], JournalCommit>(
        `SELECT ${COLUMNS} FROM batch WHERE last_seq >= ? ORDER BY last_seq LIMIT 1`,
      );
      this.#tip = readTip(this.database);
      if (this.#sums.warning !== null) this.#checkChain();
      this.#checkWitness();
      this.#head.sync();
      this.#reserve.hold();
      this.#guard(() => this.#settleLog());
      syncFolder(directory);
    } catch (error) {
      this.close();
      throw readError(error);
    }
  }

  /** What an operator should know of the opening. */
  get warning(): string | null {
    return this.#sums.warning;
  }

  get isOnReserve(): boolean {
    return !this.#reserve.isHeld;
  }

  lead(): number {
    this.#refuseAfterFailure();
    const epoch = this.#guard(() => {
      const next = Math.max(this.#lastReign(), this.#tip.epoch) + 1;
      this.#sums.ready(this.database);
      this.database.prepare('INSERT INTO reign (epoch) VALUES (?)').run(next);
      return next;
    });
    this.#epoch = epoch;
    return epoch;
  }

  /** Goes on with a lead that this process took before it opened the file anew. */
  resume(epoch: number): void {
    this.#refuseAfterFailure();
    const last = this.#lastReign();
    if (last !== epoch) throw new JournalConflict(`epoch ${epoch} was taken over by ${last}`);
    this.#epoch = epoch;
  }

  append(commit: JournalCommit, epoch: number): void {
    this.#refuseAfterFailure();
    if (epoch !== this.#epoch)
      throw new JournalConflict(`epoch ${epoch} does not lead; ${this.#epoch} does`);
    const { seq, firstSeq, tsMs, records, prevHash, hash } = commit;
    if (firstSeq !== this.#tip.seq + 1) {
      throw new JournalConflict(`the journal ends at ${this.#tip.seq}; ${firstSeq} cannot follow`);
    }
    this.#guard(() => this.#sums.ready(this.database));
    // A statement of its own is a transaction of its own, with the lock that this process has anyway.
    this.#guard(() => this.#insert.run(seq, firstSeq, commit.epoch, tsMs, records, prevHash, hash));
    this.#tip = { seq, hash, tsMs, epoch: commit.epoch };
    this.#logPages += 2 + records.length / PAGE_BYTES;
    this.#guard(() => this.#head.write(seq, hash));
  }

  /**
   * Moves the log into the main file when it has grown; apart from append so that an answer need not wait for it. A failure here
   * takes back no commit: it is remembered, and the next append is refused.
   */
  tidy(): void {
    if (this.#logPages < this.#checkpointPages || this.#failure !== null) return;
    this.#logPages = 0;
    try {
      this.#guard(() => this.#sums.settle(this.database));
    } catch {
      // A full disk is met by the next append as well.
    }
  }

  /** Commits from the one that holds the record, until so many records are there or no more. */
  page(fromSeq: number, limit: number): readonly JournalCommit[] {
    return reading(() => {
      const commits: JournalCommit[] = [];
      for (let next = fromSeq; next < fromSeq + limit; ) {
        const commit = this.#select.get(next);
        if (commit === undefined) break;
        // A damaged index can lead back to where the search was before, over and over.
        if (!(commit.seq >= next))
          throw new JournalCorrupt(`${commit.seq} where ${next} was sought`);
        commits.push(commit);
        next = commit.seq + 1;
      }
      return commits;
    });
  }

  head(): JournalHead {
    return this.#tip;
  }

  refillReserve(): boolean {
    return this.#guard(() => this.#reserve.hold());
  }

  close(): void {
    this.#head.close();
    this.#sums.close(this.database);
  }

  /**
   * After a failed sync the kernel may show us commits that never reached the disk. Whatever the log holds at the
   * start is therefore written out again, into the main file, before anything is built on it.
   */
  #settleLog(): void {
    this.#sums.settle(this.database);
    const [result] = this.database.pragma('wal_checkpoint(TRUNCATE)') as [
      { readonly busy: number },
    ];
    if (result.busy !== 0) throw new Error('the log cannot be moved into the main file');
  }

  /** A full disk is met once by giving up the reserve. Any other error leaves unknown what is on the disk: never again. */
  #guard<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (!isDiskFull(error)) throw this.#fail(error);
      if (!this.#reserve.isHeld)
        throw new JournalFull('the disk is full and the reserve is used up');
    }
    this.#reserve.release();
    try {
      return action();
    } catch (error) {
      if (isDiskFull(error))
        throw new JournalFull('the disk is full and the reserve does not suffice');
      throw this.#fail(error);
    }
  }

  #fail(error: unknown): JournalFailed {
    this.#failure = error instanceof Error ? error.message : String(error);
    return new JournalFailed(`the journal cannot be written: ${this.#failure}`);
  }

  #lastReign(): number {
    const last = this.database
      .prepare<[], { epoch: number | null }>('SELECT max(epoch) AS epoch FROM reign')
      .get();
    return last?.epoch ?? 0;
  }

  #refuseAfterFailure(): void {
    if (this.#failure !== null)
      throw new JournalFailed(`the journal failed before: ${this.#failure}`);
  }

  /** Every record: no sums covered the pages of this file. */
  #checkChain(): void {
    let endsAt = 0;
    for (const { seq } of linksOf(allCommits(this.database))) endsAt = seq;
    if (endsAt === this.#tip.seq) return;
    throw new JournalCorrupt(`the journal ends at ${this.#tip.seq} but reads to ${endsAt}`);
  }

  #checkWitness(): void {
    const witnessed = this.#head.read();
    if (witnessed === null) return;
    const { seq, hash } = witnessed;
    const [commit] = this.page(seq, 1);
    if (commit?.seq === seq && commit.hash === hash) return;
    throw new JournalCorrupt(
      `record ${seq} was durable once, but the journal ends at ${this.#tip.seq} or has another in its place`,
    );
  }
}

/** Every commit that can still be read, in order, of a file that is left as it is. */
export function lookIntoJournal<T>(file: string, see: (commits: Iterable<JournalCommit>) => T): T {
  return lookInto(file, (database) => see(allCommits(database)));
}

function allCommits(database: Database): Iterable<JournalCommit> {
  return database
    .prepare<[], JournalCommit>(`SELECT ${COLUMNS} FROM batch ORDER BY last_seq`)
    .iterate();
}

/** Exclusive comes before WAL: then no shared-memory file is made and a second process cannot even look. */
function openDatabase(file: string, isDraft: boolean, sums: PageSums): Database {
  ownFile(file);
  const database = new SqliteDatabase(file, { timeout: BUSY_MS });
  try {
    require(database, 'locking_mode = EXCLUSIVE', 'locking_mode', 'exclusive');
    require(database, 'journal_mode = WAL', 'journal_mode', 'wal');
    // Without FULL the log is synced when it moves into the main file, which closing does at the latest.
    if (isDraft) require(database, 'synchronous = NORMAL', 'synchronous', 1);
    else require(database, 'synchronous = FULL', 'synchronous', 2);
    require(database, 'fullfsync = ON', 'fullfsync', 1);
    require(database, 'checkpoint_fullfsync = ON', 'checkpoint_fullfsync', 1);
    require(database, 'foreign_keys = ON', 'foreign_keys', 1);
    require(database, 'trusted_schema = OFF', 'trusted_schema', 0);
    require(database, 'cell_size_check = ON', 'cell_size_check', 1);
    require(database, 'mmap_size = 0', 'mmap_size', 0);
    // Checkpoints are ours to run: SQLite's own swallow their errors.
    require(database, 'wal_autocheckpoint = 0', 'wal_autocheckpoint', 0);
    sums.begin(database);
    migrate(database, MIGRATIONS);
    return database;
  } catch (error) {
    sums.leave();
    database.close();
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) {
      throw new JournalConflict(`another process has ${file} open`);
    }
    throw readError(error);
  }
}

/** A pragma that SQLite ignores is a promise broken silently, so each one is read back. */
function require(
  database: Database,
  setting: string,
  name: string,
  expected: string | number,
): void {
  database.pragma(setting);
  const actual: unknown = database.pragma(name, { simple: true });
  if (actual !== expected) throw new Error(`SQLite refuses ${setting}: it says ${String(actual)}`);
}

function readTip(database: Database): JournalHead {
  const last = reading(() =>
    database
      .prepare<[], JournalHead>(
        'SELECT last_seq AS seq, hash, ts_ms AS tsMs, epoch FROM batch ORDER BY last_seq DESC LIMIT 1',
      )
      .get(),
  );
  return last ?? { seq: 0, hash: '', tsMs: 0, epoch: 0 };
}

function reading<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw readError(error);
  }
}

function readError(error: unknown): unknown {
  if (error instanceof PagesDamaged) return new JournalCorrupt(error.message);
  if (error instanceof FileInUse) return new JournalConflict(error.message);
  if (!(error instanceof SqliteError)) return error;
  const { code, message } = error;
  const isDamage = code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB');
  return isDamage ? new JournalCorrupt(message) : new JournalFailed(`${code}: ${message}`);
}

function makeDirectory(directory: string): void {
  const created = mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (created !== undefined) syncFolder(path.dirname(created));
}
