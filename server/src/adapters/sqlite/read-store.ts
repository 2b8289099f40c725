// The read model as one SQLite file per lane. It is disposable: no commit of it waits for the disk.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type {
  CandleQuery,
  CandleRow,
  NameKind,
  OrderStateRow,
  PageQuery,
  PageRow,
  ReadBatch,
  ReadStore,
  SettlementRow,
  StoredInterval,
  TemplateRow,
} from '../../ports/read-store.ts';
import { migrate } from './migrate.ts';
import { ReadNames } from './read-names.ts';
import { kindCode, ReadWriter } from './read-writer.ts';

/** In memory, for tests; it is written without pauses, since its readers share the connection. */
export const IN_MEMORY = ':memory:';

/** Pages of the log after which they are moved into the main file: moving the same page seldom is what is cheap. */
const CHECKPOINT_PAGES = 4000;
const PAGE_BYTES = 8192;
const CACHE_KIB = 16_384;
/** How long a batch holds up the event loop before others have a turn. */
const SLICE_MS = 3;

export class SqliteReadStore implements ReadStore {
  readonly #writing: Database;
  /** Sees committed batches only, while the other connection is in the middle of one. */
  readonly #reading: Database;
  readonly #names: Readonly<Record<NameKind, ReadNames>>;
  readonly #writer: ReadWriter;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #damaged: (error: Error) => void;

  constructor(file: string, damaged: (error: Error) => void = () => {}) {
    this.#damaged = damaged;
    if (file !== IN_MEMORY) mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    this.#writing = open(file);
    migrate(this.#writing, path.join(import.meta.dirname, '../../../migrations/sqlite/read-model'));
    this.#reading = file === IN_MEMORY ? this.#writing : open(file);
    this.#names = {
      account: new ReadNames(this.#writing, 'account_name'),
      market: new ReadNames(this.#writing, 'market_name'),
      key: new ReadNames(this.#writing, 'key_name'),
    };
    this.#writer = new ReadWriter(this.#writing);
    this.#statements = prepare(this.#reading);
  }

  async cursor(): Promise<number> {
    return this.#statements.cursor.get() ?? 0;
  }

  async write(batch: ReadBatch, committed: () => void): Promise<void> {
    this.#writing.exec('BEGIN IMMEDIATE');
    try {
      let startMs = performance.now();
      for (const _ of this.#writer.write(batch)) {
        if (this.#reading === this.#writing || performance.now() - startMs < SLICE_MS) continue;
        await nextTurn();
        startMs = performance.now();
      }
      for (const names of Object.values(this.#names)) names.store();
      this.#writing.exec('COMMIT');
    } catch (error) {
      if (this.#writing.inTransaction) this.#writing.exec('ROLLBACK');
      throw error;
    }
    committed();
  }

  number(kind: NameKind, name: string): number {
    return this.#names[kind].number(name);
  }

  find(kind: NameKind, name: string): number | null {
    return this.#names[kind].find(name);
  }

  name(kind: NameKind, number: number): string {
    return this.#names[kind].name(number);
  }

  async pages({ kind, owner, firstMax, limit }: PageQuery): Promise<readonly PageRow[]> {
    const rows = this.#read(({ pages }) => pages.all(kindCode(kind), owner, firstMax, limit));
    return rows.map(({ first, cells, texts }) => ({ kind, owner, first, cells, texts }));
  }

  async orderStates(
    account: number,
    fromId: number,
    toId: number,
  ): Promise<readonly OrderStateRow[]> {
    return this.#read(({ orderStates }) => orderStates.all(account, fromId, toId));
  }

  async candles(query: CandleQuery): Promise<readonly CandleRow[]> {
    return this.#read(({ candles }) => candles.all(query)).map(readCandle);
  }

  async candleBefore(query: Omit<CandleQuery, 'fromMs'>): Promise<CandleRow | null> {
    const cells = this.#read(({ candleBefore }) => candleBefore.get(query));
    return cells === undefined ? null : readCandle(cells);
  }

  async volumeIn(query: CandleQuery): Promise<bigint> {
    return this.#read(({ volumeIn }) => volumeIn.get(query)) ?? 0n;
  }

  async keyVolume(key: number, firstDay: number, lastDay: number): Promise<bigint> {
    return this.#read(({ keyVolume }) => keyVolume.get(firstDay, lastDay, key)) ?? 0n;
  }

  async settlement(market: number): Promise<SettlementRow | null> {
    const row = this.#read(({ settlement }) => settlement.get(market));
    return row === undefined ? null : { market, accounts: Number(row.accounts), total: row.total };
  }

  async templates(): Promise<readonly TemplateRow[]> {
    return this.#read(({ templates }) => templates.all());
  }

  async close(): Promise<void> {
    if (this.#reading !== this.#writing) this.#reading.close();
    this.#writing.close();
  }

  #read<T>(query: (statements: ReturnType<typeof prepare>) => T): T {
    try {
      return query(this.#statements);
    } catch (error) {
      if (isDamage(error)) this.#damaged(error);
      throw error;
    }
  }
}

/** The file itself is at fault, not the question. */
function isDamage(error: unknown): error is Error {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

function open(file: string): Database {
  const database = new SqliteDatabase(file);
  database.pragma(`page_size = ${PAGE_BYTES}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}

type StoredPage = Pick<PageRow, 'first' | 'cells' | 'texts'>;

function prepare(database: Database) {
  const outcome = 'market = @market AND outcome = @outcome AND interval = @interval';
  const range = `${outcome} AND start_ms >= @fromMs AND start_ms < @toMs`;
  const columns = 'market, outcome, interval, start_ms, open, high, low, close, volume';
  return {
    cursor: database.prepare<[], number>('SELECT last_seq FROM cursor').pluck(),
    pages: database.prepare<[number, number, number, number], StoredPage>(
      `SELECT first, cells, texts FROM page WHERE kind = ? AND owner = ? AND first <= ?
       ORDER BY first DESC LIMIT ?`,
    ),
    orderStates: database.prepare<[number, number, number], OrderStateRow>(
      `SELECT account, order_id AS orderId, filled_lots AS filledLots, status, reason,
         updated_ms AS updatedAtMs, amended
       FROM order_state WHERE account = ? AND order_id BETWEEN ? AND ?`,
    ),
    candles: candleStatement(
      database,
      `SELECT ${columns} FROM candle WHERE ${range} ORDER BY start_ms`,
    ),
    candleBefore: candleStatement(
      database,
      `SELECT ${columns} FROM candle WHERE ${outcome} AND start_ms < @toMs ORDER BY start_ms DESC LIMIT 1`,
    ),
    volumeIn: database
      .prepare<[object], bigint | null>(`SELECT sum(volume) FROM candle WHERE ${range}`)
      .pluck()
      .safeIntegers(),
    keyVolume: database
      .prepare<[number, number, number], bigint | null>(
        'SELECT sum(volume) FROM key_volume WHERE day BETWEEN ? AND ? AND key = ?',
      )
      .pluck()
      .safeIntegers(),
    settlement: database
      .prepare<[number], { readonly accounts: bigint; readonly total: bigint }>(
        'SELECT accounts, total FROM settlement WHERE market = ?',
      )
      .safeIntegers(),
    templates: database.prepare<[], TemplateRow>(
      'SELECT template_id AS templateId, version, published_ms AS publishedAtMs FROM template',
    ),
  };
}

/** Money does not fit a number: every integer of such a row comes as a bigint. */
function candleStatement(database: Database, sql: string): Statement<[object], readonly bigint[]> {
  return database.prepare<[object], readonly bigint[]>(sql).raw().safeIntegers();
}

function readCandle(cells: readonly bigint[]): CandleRow {
  return {
    market: Number(cells[0]),
    outcome: Number(cells[1]),
    interval: Number(cells[2]) as StoredInterval,
    startMs: Number(cells[3]),
    open: Number(cells[4]),
    high: Number(cells[5]),
    low: Number(cells[6]),
    close: Number(cells[7]),
    volume: cells[8]!,
  };
}
