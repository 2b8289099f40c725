// A checksum of every page of a SQLite file: whatever byte of it changes by itself is found before the file is used.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { isDiskFull } from './disk-full.ts';
import { type LogPages, readFrames, readLog, readSalts } from './log-pages.ts';
import { lookInto } from './look-into.ts';
import { SumsFile, type SumsHeader } from './sums-file.ts';

export interface PageSumsOptions {
  readonly file: string;
  /** False where a power cut may take the file, because it can be made anew. */
  readonly isSynced?: boolean;
  /** False where this process has checked the file before. */
  readonly isChecked?: boolean;
}

/** Bytes of the file are not as they were written. */
export class PagesDamaged extends Error {
  override readonly name = 'PagesDamaged';
}

/** Another process had the file open a moment ago, or still has. */
export class FileInUse extends Error {
  override readonly name = 'FileInUse';

  constructor(file: string) {
    super(`another process has ${nameOf(file)} open`);
  }
}

const NO_LOG = { salts: '0'.repeat(16), frames: 0 } as const;
/** Sums that are not written yet: what a header says then covers no page. */
const UNWRITTEN: SumsHeader = { ...NO_LOG, pageBytes: 1, pages: 0, place: 'behind' };
/** The log is gone and the sums of its pages were never written. */
const BEHIND = Symbol('behind');
const CHUNK_BYTES = 1 << 20;
/** SQLite keeps its locks on this byte and leaves the page that holds it alone. */
const LOCK_BYTE = 0x40000000;
const NAMED_MAX = 5;
const PAGE_BYTES_AT = 16;
const SMALLEST_PAGE = 512;
/** Which SQLite writes as 1, since its number does not fit. */
const LARGEST_PAGE = 65_536;
/** The log of a store that is written seldom stays near 4 MiB. */
const LOG_FRAMES_MAX = 1000;

/**
 * Pages of the main file change only when the log is moved there. Before the first commit after a move the header is
 * durably marked `behind`, because SQLite itself moves and deletes the log when a process ends without closing the file,
 * and better-sqlite3 cannot switch that off. After a move the sums are written, and only then may the log begin anew.
 * SQLite's automatic moves must be off (`wal_autocheckpoint = 0`).
 */
export class PageSums {
  readonly #file: string;
  readonly #log: string;
  readonly #sums: SumsFile;
  /** As on the disk. */
  #header: SumsHeader;
  /** What the sums in memory cover. */
  #covered: Pick<SumsHeader, 'pageBytes' | 'pages'>;
  /** The log was moved, or may have been, and the sums are not written yet. */
  #isDue = false;
  #failure: unknown = null;
  #warning: string | null = null;

  /** To be made before SQLite opens the file: to close it here would take SQLite's locks off it. */
  constructor({ file, isSynced = true, isChecked = true }: PageSumsOptions) {
    this.#file = file;
    this.#log = `${file}-wal`;
    this.#sums = new SumsFile(`${file}-sums`, isSynced);
    const header = this.#sums.read() ?? UNWRITTEN;
    const isDamaged = header === 'damaged';
    this.#header = isDamaged ? UNWRITTEN : header;
    this.#covered = this.#header;
    // A file without sums, such as one from elsewhere, is taken as it is.
    const isNew = !isDamaged && header.pages === 0 && header.place === 'behind';
    if (isNew) this.#sumAnew();
    const isWanted = !isNew && (isChecked || this.#header.place !== 'moved');
    const fault = isDamaged ? this.#faultInSums() : isWanted ? this.#findFault() : null;
    // Another process that has it open changes it meanwhile; SQLite reports that.
    if (fault === null || isInUse(file)) return;
    // A process that has just closed it wrote the sums before.
    this.#requireUnchanged();
    if (fault !== BEHIND) throw new PagesDamaged(fault);
    this.#rebuild();
  }

  /** What an operator should know: the sums did not cover the file and were made anew. */
  get warning(): string | null {
    return this.#warning;
  }

  /**
   * To be called once SQLite holds the file for this process alone, before anything is committed. Between the look at the
   * sums and that moment another process may have closed the file: its last pages are not in the sums that were read.
   */
  begin(database: Database): void {
    this.#requireUnchanged();
    if (this.#sums.hasUnwritten) this.settle(database);
    this.ready(database);
  }

  /** To be called before each transaction: the last move has its sums, and the header says `behind`. */
  ready(database: Database): void {
    this.#requireSound();
    if (this.#isDue) this.settle(database);
    if (this.#header.place === 'moved') this.#write({ ...this.#header, place: 'behind' });
  }

  /** Moves the log into the main file. False when a reader still needs what the log has not moved. */
  settle(database: Database): boolean {
    this.#requireSound();
    this.#isDue = true;
    const { log, checkpointed } = logOf(database, 'PASSIVE');
    const isWhole = checkpointed >= log;
    if (isWhole) this.#settle(log);
    this.#isDue = false;
    return isWhole;
  }

  /**
   * Runs what commits. If it is durable then, a log that does not hold it any more is known to be damaged; if it is not,
   * the log may lose it without a word.
   */
  commit<T>(database: Database, work: () => T, isDurable: boolean): T {
    const result = work();
    try {
      this.#note(database, isDurable);
    } catch (error) {
      // It is committed. On a full disk its sums are tried again before the next commit; any other error refuses that.
      this.#isDue = true;
      if (!isDiskFull(error)) this.#failure = error;
    }
    return result;
  }

  /** Closes the database, whose last act is to move its log. Sums that could not follow stay `behind`. */
  close(database: Database): void {
    try {
      this.settle(database);
    } catch {
      // The commit that failed has thrown it; here the file is only left.
    }
    this.#sums.close();
    database.close();
  }

  /** Lets go of the sums; the database stays open. */
  leave(): void {
    this.#sums.close();
  }

  #note(database: Database, isDurable: boolean): void {
    const { log } = logOf(database, 'NOOP');
    const isNew = isDurable && log > 0 && this.#header.pages > 0 && !this.#isNoted(log);
    if (log >= LOG_FRAMES_MAX) this.settle(database);
    else if (isNew) {
      this.#header = { ...this.#header, salts: readSalts(this.#log), frames: log, place: 'kept' };
      this.#sums.writeHeader(this.#header);
    }
  }

  #settle(frames: number): void {
    const { place } = this.#header;
    const isNew = frames > 0 && (place === 'kept' || !this.#isNoted(frames));
    if (!isNew && place === 'moved') return;
    const log = isNew ? this.#take(frames) : this.#header;
    // SQLite may have given a new file its first page, which no log has held.
    if (this.#covered.pages === 0) return;
    // A process may end in the middle: this header needs neither the log nor blocks that are not written yet.
    this.#write({ ...this.#header, ...NO_LOG, place: 'behind' });
    const { salts, frames: moved } = log;
    this.#header = { ...this.#covered, salts, frames: moved, place: 'moved' };
    this.#sums.writeHeader(this.#header);
  }

  #write(header: SumsHeader): void {
    this.#sums.write(header);
    this.#header = header;
  }

  #requireUnchanged(): void {
    if (this.#sums.hasChanged()) throw new FileInUse(this.#file);
  }

  #requireSound(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  /** So many frames of this log are what the header speaks of. */
  #isNoted(frames: number): boolean {
    return this.#header.frames === frames && this.#header.salts === readSalts(this.#log);
  }

  #take(frames: number): LogPages {
    const log = readFrames(this.#log, frames);
    for (const [page, sum] of log.sums) this.#sums.set(page, sum);
    this.#covered = { pageBytes: log.pageBytes, pages: log.pages };
    return log;
  }

  /** No sums cover the pages that a deleted log had, so SQLite's own check has to do. */
  #rebuild(): void {
    const found = lookInto(this.#file, (database) =>
      database.pragma('quick_check(1)', { simple: true }),
    );
    const name = nameOf(this.#file);
    if (found !== 'ok') throw new PagesDamaged(`${name} is damaged: ${String(found)}`);
    this.#warning = `${name} was not closed properly: its checksums were behind, and were made anew after a check`;
    this.#header = UNWRITTEN;
    this.#sumAnew();
  }

  #sumAnew(): void {
    const pageBytes = pageBytesOf(this.#file);
    let pages = 0;
    for (const [page, sum] of pagesIn(this.#file, pageBytes)) {
      this.#sums.set(page, sum);
      pages = page;
    }
    this.#covered = { pageBytes, pages };
  }

  #faultInSums(): string {
    const name = nameOf(this.#sums.file);
    return `${name} is damaged; if nothing else is, remove it, and the next start makes it anew`;
  }

  #findFault(): string | typeof BEHIND | null {
    const log = readLog(this.#log);
    const isGone = bytesOf(this.#log) === 0;
    const { salts, frames, place } = this.#header;
    const isSame = log?.salts === salts;
    const isShort = isSame ? log.frames < frames : place === 'kept' && !isGone;
    const wrong = isShort ? [] : this.#wrongPages(log);
    // A log that SQLite moved is gone as well, and has changed pages.
    if (isShort || (place === 'kept' && isGone && wrong.length === 0)) {
      return `${nameOf(this.#log)} is damaged: commits that were durable are not in it`;
    }
    if (wrong.length === 0) return null;
    return isGone && place !== 'moved' ? BEHIND : this.#faultIn(wrong);
  }

  #wrongPages(log: LogPages | null): readonly number[] {
    const { pages, pageBytes } = this.#header;
    const wrong: number[] = [];
    let last = 0;
    for (const [page, sum] of pagesIn(this.#file, pageBytes)) {
      last = page;
      if (log?.sums.has(page) || page === LOCK_BYTE / pageBytes + 1) continue;
      if (page > pages || sum !== this.#sums.get(page)) wrong.push(page);
    }
    for (let page = last + 1; page <= pages; page += 1) {
      if (!log?.sums.has(page)) wrong.push(page);
    }
    return wrong;
  }

  #faultIn(wrong: readonly number[]): string {
    const named = wrong.slice(0, NAMED_MAX).map((page) => `page ${page}${useOf(this.#file, page)}`);
    const more = wrong.length > NAMED_MAX ? ` and ${wrong.length - NAMED_MAX} more` : '';
    const name = nameOf(this.#file);
    return `${name} is damaged: ${named.join(', ')}${more} not as written`;
  }
}

/** With its folder: every lane has a journal. */
function nameOf(file: string): string {
  return path.join(path.basename(path.dirname(file)), path.basename(file));
}

/** The sums of a file that was written otherwise, such as a copy. */
export async function sumPages(file: string): Promise<void> {
  const sums = new SumsFile(`${file}-sums`, true);
  const pageBytes = pageBytesOf(file);
  let pages = 0;
  for (const [page, sum] of pagesIn(file, pageBytes)) {
    sums.set(page, sum);
    pages = page;
    // Others are served meanwhile.
    if (page % (CHUNK_BYTES / pageBytes) === 0) await setImmediate();
  }
  sums.write({ pageBytes, pages, ...NO_LOG, place: 'moved' });
  sums.close();
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function isInUse(file: string): boolean {
  try {
    lookInto(file, (database) => database.prepare('SELECT 1 FROM sqlite_schema').get());
    return false;
  } catch (error) {
    return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
  }
}

/** What the page is used for, where the file can still tell. */
function useOf(file: string, page: number): string {
  try {
    const name = lookInto(file, (database) =>
      database
        .prepare<[number], string>('SELECT name FROM dbstat WHERE pageno = ?')
        .pluck()
        .get(page),
    );
    return name === undefined ? '' : ` (${name})`;
  } catch {
    return '';
  }
}

function logOf(
  database: Database,
  mode: 'PASSIVE' | 'NOOP',
): { readonly log: number; readonly checkpointed: number } {
  const [result] = database.pragma(`wal_checkpoint(${mode})`) as [
    { readonly log: number; readonly checkpointed: number },
  ];
  return result;
}

/** A piece of a page at the end counts as one. */
function* pagesIn(
  file: string,
  pageBytes: number,
): Generator<readonly [page: number, sum: number]> {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 0, page = 0; ; ) {
      const length = readSync(descriptor, chunk, 0, chunk.length, at);
      if (length === 0) return;
      for (let start = 0; start < length; start += pageBytes) {
        page += 1;
        yield [page, crc32(chunk.subarray(start, Math.min(start + pageBytes, length)))];
      }
      at += length;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** As the file's own header says, which is believed only where nothing is known of the file. */
function pageBytesOf(file: string): number {
  const header = Buffer.alloc(PAGE_BYTES_AT + 2);
  if (existsSync(file)) {
    const descriptor = openSync(file, 'r');
    readSync(descriptor, header, 0, header.length, 0);
    closeSync(descriptor);
  }
  const stated = header.readUInt16BE(PAGE_BYTES_AT);
  return stated < SMALLEST_PAGE ? LARGEST_PAGE : stated;
}
