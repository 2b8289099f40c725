// The books of the local custody in either database, in a table that nothing else writes to.
import { sql } from 'kysely';
import type { TillEntry, TillStore } from '../../ports/till.ts';
import type { AnyDatabase, TableWords } from './dialect.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

export interface TillTables {
  /** Amounts are whole numbers as text: they may be larger than what a number holds. */
  till_entries: TillRow;
}

interface TillRow {
  entry_id: string;
  amount: string;
  note: string;
  at_ms: number;
  told_by: string | null;
}

export async function createTill({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'till_entries')
    .addColumn('entry_id', text, (column) => column.primaryKey().notNull())
    .addColumn('amount', text, (column) => column.notNull())
    .addColumn('note', text, (column) => column.notNull())
    .addColumn('at_ms', whole, (column) => column.notNull())
    // By whose word a payout ended.
    .addColumn('told_by', text)
    .execute();
}

/** As many as a statement takes as parameters in either database. */
const ASKED_MAX = 500;

export class SqlTillStore implements TillStore {
  readonly #database: StoreDatabase<PlatformTables>;

  constructor(database: StoreDatabase<PlatformTables>) {
    this.#database = database;
  }

  async enter({ entryId, amount, note, atMs, by }: TillEntry): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.#database.write((tx) =>
      tx
        .insertInto('till_entries')
        .values({
          entry_id: entryId,
          amount: String(amount),
          note,
          at_ms: atMs,
          told_by: by ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow(),
    );
    return numInsertedOrUpdatedRows === 1n;
  }

  async entries(entryIds: readonly string[]): Promise<readonly TillEntry[]> {
    const found: TillEntry[] = [];
    for (let from = 0; from < entryIds.length; from += ASKED_MAX) {
      const rows = await this.#database.reads
        .selectFrom('till_entries')
        .selectAll()
        .where('entry_id', 'in', entryIds.slice(from, from + ASKED_MAX))
        .execute();
      found.push(...rows.map(entryOf));
    }
    return found;
  }

  async noted(note: string): Promise<readonly TillEntry[]> {
    const rows = await this.#database.reads
      .selectFrom('till_entries')
      .selectAll()
      .where('note', '=', note)
      .execute();
    return rows.map(entryOf);
  }

  async balance(): Promise<bigint | null> {
    const { sum } = await this.#database.reads
      .selectFrom('till_entries')
      .select(sql<string | null>`cast(sum(cast(amount as bigint)) as text)`.as('sum'))
      .executeTakeFirstOrThrow();
    return sum === null ? null : BigInt(sum);
  }
}

function entryOf({
  entry_id: entryId,
  amount,
  note,
  at_ms: atMs,
  told_by: by,
}: TillRow): TillEntry {
  return { entryId, amount: BigInt(amount), note, atMs, ...(by !== null && { by }) };
}
