// The read model as one SQLite file per lane: read here, written by a thread of its own.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { migrate, ownFile, PageSums } from '@sibyl/storage';
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import type { EarningQuery, EarningRow } from '../store/earnings.ts';
import type {
  CandleQuery,
  CandleRow,
  ChainDataRow,
  NameKind,
  OrderStateRow,
  PageQuery,
  PageRow,
  ReadBatch,
  ReadStore,
  SettlementRow,
  StoredInterval,
  TemplateRow,
} from '../store/read-store.ts';
import { NameFinder } from './name-index.ts';
import { openReadFile, ReadFile } from './read-file.ts';
import { ReadNames } from './read-names.ts';
import { ReadThread } from './read-thread.ts';
import { kindCode } from './read-writer.ts';

/** In memory, for tests; without a thread, since its readers share the connection. */
export const IN_MEMORY = ':memory:';

export class SqliteReadStore implements ReadStore {
  /** Sees committed batches only, while the thread is in the middle of one. */
  readonly #reading: Database;
  readonly #names: Readonly<Record<NameKind, ReadNames>>;
  readonly #thread: ReadThread;
  /** Instead of the thread, in memory. */
  readonly #direct: ReadFile | null;
  /** While a batch is being committed nobody can tell whether a read would see it: readers wait for this. */
  #committing: Promise<void> | null = null;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #orderNames: NameFinder;
  readonly #damaged: (error: Error) => void;

  constructor(file: string, damaged: (error: Error) => void = () => {}) {
    this.#damaged = damaged;
    if (file !== IN_MEMORY) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      ownFile(file);
    }
    const sums = file === IN_MEMORY ? null : new PageSums({ file, isSynced: false });
    this.#reading = openReadFile(file);
    sums?.begin(this.#reading);
    migrate(this.#reading, path.join(import.meta.dirname, '../../migrations'));
    sums?.settle(this.#reading);
    sums?.leave();
    this.#names = {
      account: new ReadNames(this.#reading, 'account'),
      market: new ReadNames(this.#reading, 'market'),
      key: new ReadNames(this.#reading, 'key'),
      earner: new ReadNames(this.#reading, 'earner'),
    };
    this.#thread = new ReadThread(file);
    this.#direct = file === IN_MEMORY ? new ReadFile(this.#reading, null) : null;
    this.#statements = prepare(this.#reading);
    this.#orderNames = new NameFinder(this.#reading);
  }

  async cursor(): Promise<number> {
    return this.#read(({ cursor }) => cursor.get() ?? 0);
  }

  async write(batch: ReadBatch, committed: () => void): Promise<void> {
    const names = Object.values(this.#names).flatMap((kind) => kind.takeNew());
    if (this.#direct !== null) {
      this.#direct.write(batch, names);
      this.#direct.commit();
      committed();
      return;
    }
    await this.#thread.write(batch, names);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#committing = promise;
    try {
      await this.#thread.commit();
      committed();
    } finally {
      this.#committing = null;
      resolve();
    }
  }

  numbering(kind: NameKind): (name: string) => number {
    const names = this.#names[kind];
    return (name) => names.number(name);
  }

  find(kind: NameKind, name: string): number | null {
    return this.#names[kind].find(name);
  }

  name(kind: NameKind, number: number): string {
    const name = this.#names[kind].name(number);
    if (name !== null) return name;
    const error = new Error(`the read model has no name for ${kind} ${number}`);
    this.#damaged(error);
    throw error;
  }

  async pages({ kind, owner, firstMax, limit }: PageQuery): Promise<readonly PageRow[]> {
    const rows = await this.#read(({ pages }) => pages.all(kindCode(kind), owner, firstMax, limit));
    return rows.map(({ first, cells, texts }) => ({ kind, owner, first, cells, texts }));
  }

  async orderStates(
    account: number,
    fromId: number,
    toId: number,
  ): Promise<readonly OrderStateRow[]> {
    return this.#read(({ orderStates }) => orderStates.all(account, fromId, toId));
  }

  async ordersNamed(account: number, name: string): Promise<readonly number[]> {
    return this.#read(() => this.#orderNames.find(account, name));
  }

  async candles(query: CandleQuery): Promise<readonly CandleRow[]> {
    const rows = await this.#read(({ candles }) => candles.all(query));
    return rows.map(readCandle);
  }

  async candleBefore(query: Omit<CandleQuery, 'fromMs'>): Promise<CandleRow | null> {
    const cells = await this.#read(({ candleBefore }) => candleBefore.get(query));
    return cells === undefined ? null : readCandle(cells);
  }

  async volumeIn(query: CandleQuery): Promise<bigint> {
    return (await this.#read(({ volumeIn }) => volumeIn.get(query))) ?? 0n;
  }

  async keyVolume(key: number, firstDay: number, lastDay: number): Promise<bigint> {
    return (await this.#read(({ keyVolume }) => keyVolume.get(firstDay, lastDay, key))) ?? 0n;
  }

  async earnings(query: EarningQuery): Promise<readonly EarningRow[]> {
    const rows = await this.#read(({ earnings }) => earnings.all(query));
    return rows.map(({ day, market, fills, ...amounts }) => ({
      day: Number(day),
      market: Number(market),
      fills: Number(fills),
      ...amounts,
    }));
  }

  async settlement(market: number): Promise<SettlementRow | null> {
    const row = await this.#read(({ settlement }) => settlement.get(market));
    return row === undefined ? null : { market, accounts: Number(row.accounts), total: row.total };
  }

  async templates(): Promise<readonly TemplateRow[]> {
    return this.#read(({ templates }) => templates.all());
  }

  async chainData(tradeIds: readonly number[]): Promise<readonly ChainDataRow[]> {
    return this.#read(({ chainData }) => chainData.all(JSON.stringify(tradeIds)));
  }

  async close(): Promise<void> {
    this.#reading.close();
    await this.#thread.close();
  }

  async #read<T>(query: (statements: ReturnType<typeof prepare>) => T): Promise<T> {
    while (this.#committing !== null) await this.#committing;
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

type StoredEarning = { readonly [Column in keyof EarningRow]: bigint };
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
        // Day by day: the rows of one day are by key, so that each takes one step however many keys traded.
        `WITH RECURSIVE span(day, last) AS (SELECT ?, ? UNION ALL SELECT day + 1, last FROM span WHERE day < last)
         SELECT sum(volume) FROM span CROSS JOIN key_volume USING (day) WHERE key = ?`,
      )
      .pluck()
      .safeIntegers(),
    earnings: database
      .prepare<[EarningQuery], StoredEarning>(
        `SELECT day, market, fills, volume, accrued, returned, credited FROM earning
         WHERE earner = @earner AND day BETWEEN @firstDay AND @lastDay`,
      )
      .safeIntegers(),
    settlement: database
      .prepare<[number], { readonly accounts: bigint; readonly total: bigint }>(
        'SELECT accounts, total FROM settlement WHERE market = ?',
      )
      .safeIntegers(),
    templates: database.prepare<[], TemplateRow>(
      'SELECT template_id AS templateId, version, published_ms AS publishedAtMs FROM template',
    ),
    chainData: database.prepare<[string], ChainDataRow>(
      'SELECT trade_id AS tradeId, data FROM chain_data WHERE trade_id IN (SELECT value FROM json_each(?))',
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
