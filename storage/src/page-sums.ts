// A checksum of every page of a SQLite file: whatever byte of it changes by itself is found before the file is used.
import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { type LogPages, readFrames, readLog, readSalts } from './log-pages.ts';
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

const NO_LOG = { salts: '0'.repeat(16), frames: 0, isMoved: true };
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
 * Pages change in the main file only when the log is moved there, and the log has checksums of its own. So the sums are
 * written after every move and before the log begins anew: until then a crash finds the pages in the log, and afterwards
 * in the sums. SQLite's own moves must be off (`wal_autocheckpoint = 0`).
 */
export class PageSums {
  readonly #file: string;
  readonly #log: string;
  readonly #sums: SumsFile;
  #header: SumsHeader;
  #isBehind = false;

  /** To be made before SQLite opens the file: to close it here would take SQLite's locks off it. */
  constructor({ file, isSynced = true, isChecked = true }: PageSumsOptions) {
    this.#file = file;
    this.#log = `${file}-wal`;
    this.#sums = new SumsFile(`${file}-sums`, isSynced);
    const header = this.#sums.read();
    const isKept = header !== null && header !== 'damaged';
    // A file without sums, of an earlier build or from elsewhere, is taken as it is.
    this.#header = isKept ? header : sumInto(this.#sums, file);
    const fault = header === 'damaged' ? this.#faultInSums() : this.#findFault(isKept && isChecked);
    // Whoever has it open changes it meanwhile; SQLite says so.
    if (fault === null || isInUse(file)) return;
    // Whoever has just closed it wrote the sums before.
    this.confirm();
    throw new PagesDamaged(fault);
  }

  /**
   * To be asked once SQLite holds the file for this process alone. Between the look at the sums and that moment another process
   * may have closed the file: what it wrote then is not in the sums that were read, and would be called damage by the next start.
   */
  confirm(): void {
    if (this.#sums.hasChanged()) throw new FileInUse(this.#file);
  }

  /** The log was moved, or may have been, and the sums do not say so yet: before the next commit they must. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Moves the log into the main file. False when somebody still reads what the log has not moved. */
  settle(database: Database): boolean {
    this.#isBehind = true;
    const { log, checkpointed } = logOf(database, 'PASSIVE');
    const isWhole = checkpointed >= log;
    if (isWhole && log > 0 && !this.#isKnown(log)) this.#take(readFrames(this.#log, log));
    if (this.#sums.hasUnwritten) this.#sums.write(this.#header);
    this.#isBehind = false;
    return isWhole;
  }

  /**
   * Runs what commits. If it is durable then, a log that does not hold it any more is known to be damaged; if it is not,
   * the log may lose it without a word.
   */
  commit<T>(database: Database, work: () => T, isDurable: boolean): T {
    if (this.#isBehind) this.settle(database);
    const result = work();
    try {
      this.#note(database, isDurable);
    } catch {
      // It is committed, whatever becomes of its sums: those are tried again before the next.
      this.#isBehind = true;
    }
    return result;
  }

  #note(database: Database, isDurable: boolean): void {
    const { log } = logOf(database, 'NOOP');
    if (log >= LOG_FRAMES_MAX) {
      this.settle(database);
    } else if (isDurable && log > 0) {
      const salts = readSalts(this.#log);
      this.#header = { ...this.#header, salts, frames: log, isMoved: false };
      this.#sums.writeHeader(this.#header);
    }
  }

  /** Closes the database, whose last act is to move its log: sums that could not follow are given up. */
  close(database: Database): void {
    let isSettled = false;
    try {
      isSettled = this.settle(database);
    } catch {
      // Said by whoever asked for a commit; here the file is only left.
    }
    if (isSettled) this.#sums.close();
    else this.#sums.remove();
    database.close();
  }

  /** Lets go of the sums; the database stays open. */
  leave(): void {
    this.#sums.close();
  }

  #isKnown(frames: number): boolean {
    const { isMoved, salts } = this.#header;
    return isMoved && this.#header.frames === frames && salts === readSalts(this.#log);
  }

  #take({ sums, pageBytes, pages, salts, frames }: LogPages): void {
    for (const [page, sum] of sums) this.#sums.set(page, sum);
    this.#header = { pageBytes, pages, salts, frames, isMoved: true };
  }

  #faultInSums(): string {
    const name = nameOf(this.#sums.file);
    return `${name} is damaged; if nothing else is, remove it, and the next start makes it anew`;
  }

  #findFault(isWanted: boolean): string | null {
    if (!isWanted) return null;
    const log = readLog(this.#log);
    const { salts, frames, isMoved, pages, pageBytes } = this.#header;
    const isSame = log?.salts === salts;
    if (isSame ? log.frames < frames : !isMoved) {
      return `${nameOf(this.#log)} is damaged: commits that were durable are not in it`;
    }
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
    return wrong.length === 0 ? null : this.#faultIn(wrong);
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
  sums.write({ pageBytes, pages, ...NO_LOG });
  sums.close();
}

function sumInto(sums: SumsFile, file: string): SumsHeader {
  const pageBytes = pageBytesOf(file);
  let pages = 0;
  for (const [page, sum] of pagesIn(file, pageBytes)) {
    sums.set(page, sum);
    pages = page;
  }
  return { pageBytes, pages, ...NO_LOG };
}

/** Looks at a file without changing it or its log. */
export function lookInto<T>(file: string, look: (database: Database) => T): T {
  const hadIndex = existsSync(`${file}-shm`);
  const database = new SqliteDatabase(file, { readonly: true, timeout: 0 });
  try {
    return look(database);
  } finally {
    database.close();
    if (!hadIndex) rmSync(`${file}-shm`, { force: true });
  }
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
