// The file of the request log: rows of the last days, tallies by hour, and what is dropped so that it stays as small as it
// may be. Nothing depends on it: one that cannot be read is thrown away.
import { rmSync } from 'node:fs';
import type { Database, Statement } from 'better-sqlite3';
import {
  HOUR_MS,
  type LoggedRequest,
  type RequestFilter,
  type RequestOwner,
  type RequestRecord,
  type RequestSummary,
  type RequestTotals,
} from '../../ports/requests.ts';
import { openRequestDatabase, PAGE_BYTES } from './request-database.ts';

export interface NewRequest extends Omit<RequestRecord, 'position'> {
  readonly holderId: string;
}

export interface RequestBounds {
  readonly bytesMax: number;
  readonly perHolderMax: number;
  readonly keptMs: number;
}

/** Of rows that are too many or too old, this part of all is deleted at once, and no more than so many. */
const PORTIONS = 64;
const PORTION_MAX = 1_000;
/** A holder may have so many more for a while, so that they are not deleted one by one. */
const SLACK = 200;
const DAY_HOURS = 24;
const KEPT_TALLIES_HOURS = 48;

const LOGGED = `position, request_id AS requestId, at_ms AS atMs, lane, method, path, operation, status, code,
  latency_us AS latencyUs, credential`;
const FULL = `${LOGGED}, is_withheld AS isWithheld, body_bytes AS bodyBytes, answer_bytes AS answerBytes, headers, body, answer`;
const OF_LANE = '(@lane IS NULL OR lane = @lane)';
const ROWS_OF_OWNER = `holder = @holderId AND ${OF_LANE} AND (@ownCredential IS NULL OR credential = @ownCredential)`;
/** Tallies are of a holder: those of a single credential are taken from the rows that are kept. */
const OWN_TALLIES = `(SELECT holder, lane, at_ms / ${HOUR_MS} AS hour, code, 1 AS count, at_ms AS last_ms, request_id
  FROM request WHERE holder = @holderId AND credential = @ownCredential)`;

type FullRow = Omit<RequestRecord, 'headers' | 'isWithheld'> & {
  readonly headers: string;
  readonly isWithheld: number;
};

interface Tally {
  readonly holder: string;
  readonly lane: string;
  readonly hour: number;
  readonly code: string;
  count: number;
  lastMs: number;
  requestId: string;
}

export class RequestFile {
  readonly #database: Database;
  readonly #bounds: RequestBounds;
  readonly #insert: Statement;
  readonly #tally: Statement;
  readonly #drop: Statement;
  /** How many rows each holder has. */
  readonly #counts: Map<string, number>;
  /** When tallies were last looked through for old ones. */
  #talliesHour = 0;

  private constructor(database: Database, bounds: RequestBounds) {
    this.#database = database;
    this.#bounds = bounds;
    this.#insert = database.prepare(`INSERT INTO request
      (holder, lane, at_ms, request_id, method, path, operation, status, code, latency_us, credential, is_withheld,
       body_bytes, answer_bytes, headers, body, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#tally =
      database.prepare(`INSERT INTO tally (holder, lane, hour, code, count, last_ms, request_id)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
      count = count + excluded.count, last_ms = excluded.last_ms, request_id = excluded.request_id`);
    this.#drop = database.prepare(`INSERT INTO dropped (holder, hour, count) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`);
    const rows = database
      .prepare<[], { holder: string; count: number }>(
        'SELECT holder, count(*) AS count FROM request GROUP BY holder',
      )
      .all();
    this.#counts = new Map(rows.map(({ holder, count }) => [holder, count]));
  }

  static open(file: string, bounds: RequestBounds): RequestFile {
    try {
      return new RequestFile(openRequestDatabase(file), bounds);
    } catch {
      RequestFile.remove(file);
      return new RequestFile(openRequestDatabase(file), bounds);
    }
  }

  static remove(file: string): void {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  }

  /** All of them or none. */
  write(
    requests: readonly NewRequest[],
    dropped: readonly (readonly [holderId: string, count: number])[],
    nowMs: number,
  ): void {
    const tallies = new Map<string, Tally>();
    const added = new Map<string, number>();
    this.#database.transaction(() => {
      for (const request of requests) {
        this.#add(request);
        tallyUp(tallies, request);
        added.set(request.holderId, (added.get(request.holderId) ?? 0) + 1);
      }
      for (const { holder, lane, hour, code, count, lastMs, requestId } of tallies.values()) {
        this.#tally.run(holder, lane, hour, code, count, lastMs, requestId);
      }
      for (const [holder, count] of dropped) this.#drop.run(holder, hourOf(nowMs), count);
    })();
    for (const [holder, count] of added) {
      this.#counts.set(holder, (this.#counts.get(holder) ?? 0) + count);
      this.#trim(holder);
    }
    this.#forget(nowMs);
  }

  list(filter: RequestFilter): readonly LoggedRequest[] {
    return this.#database
      .prepare<[RequestFilter], LoggedRequest>(
        `SELECT ${LOGGED} FROM request WHERE ${ROWS_OF_OWNER}
           AND (@beforePosition IS NULL OR position < @beforePosition)
           AND (@statusClass IS NULL OR status / 100 = @statusClass)
           AND (@code IS NULL OR code = @code)
           AND (@method IS NULL OR method = @method)
           AND (@operation IS NULL OR operation = @operation)
           AND (@path IS NULL OR instr(path, @path) > 0)
           AND (@credential IS NULL OR credential = @credential)
           AND (@fromMs IS NULL OR at_ms >= @fromMs)
           AND (@toMs IS NULL OR at_ms < @toMs)
         ORDER BY position DESC LIMIT @limit`,
      )
      .all(filter);
  }

  one(owner: RequestOwner, requestId: string): RequestRecord | null {
    const row = this.#database
      .prepare<[object], FullRow>(
        // Among the rows of one holder: an index of its own would cost every request more than this few.
        `SELECT ${FULL} FROM request WHERE ${ROWS_OF_OWNER} AND request_id = @requestId`,
      )
      .get({ ...owner, requestId });
    if (row === undefined) return null;
    // Written by `write`.
    const headers = JSON.parse(row.headers) as RequestRecord['headers'];
    return { ...row, headers, isWithheld: row.isWithheld !== 0 };
  }

  summary(owner: RequestOwner, nowMs: number): RequestSummary {
    const lastHour = hourOf(nowMs);
    const firstHour = lastHour - DAY_HOURS + 1;
    const midnight = lastHour - (lastHour % DAY_HOURS);
    const hours = this.#hours(owner, firstHour);
    return {
      today: this.#totals(hours, owner, midnight),
      day: this.#totals(hours, owner, firstHour),
      ...this.#percentiles(owner, firstHour * HOUR_MS),
      codes: this.#codes(owner, firstHour),
      hours,
    };
  }

  /** All of a holder. What is free is overwritten, so that nothing of it stays in the file. */
  forget(holder: string): void {
    this.#database.pragma('secure_delete = ON');
    for (const table of ['request', 'tally', 'dropped']) {
      this.#database.prepare(`DELETE FROM ${table} WHERE holder = ?`).run(holder);
    }
    this.#database.pragma('secure_delete = OFF');
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#counts.delete(holder);
  }

  close(): void {
    this.#database.close();
  }

  #add(request: NewRequest): void {
    this.#insert.run(
      request.holderId,
      request.lane,
      request.atMs,
      request.requestId,
      request.method,
      request.path,
      request.operation,
      request.status,
      request.code,
      request.latencyUs,
      request.credential,
      request.isWithheld ? 1 : 0,
      request.bodyBytes,
      request.answerBytes,
      JSON.stringify(request.headers),
      request.body,
      request.answer,
    );
  }

  #hours(owner: RequestOwner, from: number): RequestSummary['hours'] {
    return this.#database
      .prepare<[object], RequestSummary['hours'][number]>(
        `SELECT hour, sum(count) AS requests, sum(CASE code WHEN 'ok' THEN 0 ELSE count END) AS errors
         FROM ${talliesOf(owner)} WHERE holder = @holderId AND hour >= @from AND ${OF_LANE} GROUP BY hour ORDER BY hour`,
      )
      .all({ ...owner, from });
  }

  #codes(owner: RequestOwner, from: number): RequestSummary['codes'] {
    return this.#database
      .prepare<[object], RequestSummary['codes'][number]>(
        // Of a group with one max(), SQLite takes the other columns from the row that has it.
        `SELECT code, sum(count) AS count, max(last_ms) AS lastMs, request_id AS requestId
         FROM ${talliesOf(owner)} WHERE holder = @holderId AND hour >= @from AND code <> 'ok' AND ${OF_LANE}
         GROUP BY code ORDER BY count DESC, code`,
      )
      .all({ ...owner, from });
  }

  #totals(hours: RequestSummary['hours'], owner: RequestOwner, fromHour: number): RequestTotals {
    const since = hours.filter(({ hour }) => hour >= fromHour);
    return {
      requests: since.reduce((sum, { requests }) => sum + requests, 0),
      errors: since.reduce((sum, { errors }) => sum + errors, 0),
      dropped: this.#dropped(owner, fromHour),
    };
  }

  /** Nobody wrote down which credential they were of. */
  #dropped({ holderId, ownCredential }: RequestOwner, fromHour: number): number {
    if (ownCredential !== null) return 0;
    const row = this.#database
      .prepare<[string, number], { count: number | null }>(
        'SELECT sum(count) AS count FROM dropped WHERE holder = ? AND hour >= ?',
      )
      .get(holderId, fromHour);
    return row?.count ?? 0;
  }

  /** Of the rows that are kept, which for those who send much are the newest. */
  #percentiles(owner: RequestOwner, fromMs: number): Pick<RequestSummary, 'p50Us' | 'p99Us'> {
    const sorted = this.#database
      .prepare<[object], number>(
        `SELECT latency_us FROM request WHERE ${ROWS_OF_OWNER} AND at_ms >= @fromMs ORDER BY latency_us`,
      )
      .pluck()
      .all({ ...owner, fromMs });
    const at = (share: number): number | null =>
      sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
    return { p50Us: at(0.5), p99Us: at(0.99) };
  }

  #trim(holder: string): void {
    const { perHolderMax } = this.#bounds;
    const count = this.#counts.get(holder) ?? 0;
    if (count <= perHolderMax + Math.min(SLACK, perHolderMax)) return;
    const { changes } = this.#database
      .prepare(
        'DELETE FROM request WHERE position IN (SELECT position FROM request WHERE holder = ? ORDER BY position LIMIT ?)',
      )
      .run(holder, count - perHolderMax);
    this.#counts.set(holder, count - changes);
  }

  /** The oldest of all go first, until what is left is young and small enough. */
  #forget(nowMs: number): void {
    while (this.#isTooMuch(nowMs)) this.#dropOldest();
    if (hourOf(nowMs) === this.#talliesHour) return;
    this.#talliesHour = hourOf(nowMs);
    for (const table of ['tally', 'dropped']) {
      const early = this.#talliesHour - KEPT_TALLIES_HOURS;
      this.#database.prepare(`DELETE FROM ${table} WHERE hour < ?`).run(early);
    }
  }

  #isTooMuch(nowMs: number): boolean {
    const { bytesMax, keptMs } = this.#bounds;
    const oldestMs = this.#database
      .prepare<[], number>('SELECT at_ms FROM request ORDER BY position LIMIT 1')
      .pluck()
      .get();
    if (oldestMs === undefined) return false;
    return oldestMs < nowMs - keptMs || this.#usedBytes() > bytesMax;
  }

  /** A portion: what is too old goes with what is next to it, which will be soon. */
  #dropOldest(): void {
    const rows = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const portion = Math.min(PORTION_MAX, Math.ceil(rows / PORTIONS));
    const gone = this.#database
      .prepare<[number], string>(
        'DELETE FROM request WHERE position IN (SELECT position FROM request ORDER BY position LIMIT ?) RETURNING holder',
      )
      .pluck()
      .all(portion);
    for (const holder of gone) this.#counts.set(holder, (this.#counts.get(holder) ?? 1) - 1);
  }

  #usedBytes(): number {
    const pages = this.#pragma('page_count') - this.#pragma('freelist_count');
    return pages * PAGE_BYTES;
  }

  #pragma(name: string): number {
    return Number(this.#database.pragma(name, { simple: true }));
  }
}

function tallyUp(tallies: Map<string, Tally>, request: NewRequest): void {
  const { holderId: holder, lane, code, atMs, requestId } = request;
  const hour = hourOf(atMs);
  const name = `${holder} ${lane} ${hour} ${code}`;
  const tally = tallies.get(name);
  if (tally === undefined) {
    tallies.set(name, { holder, lane, hour, code, count: 1, lastMs: atMs, requestId });
    return;
  }
  tally.count += 1;
  tally.lastMs = atMs;
  tally.requestId = requestId;
}

function talliesOf({ ownCredential }: RequestOwner): string {
  return ownCredential === null ? 'tally' : OWN_TALLIES;
}

function hourOf(atMs: number): number {
  return Math.floor(atMs / HOUR_MS);
}
