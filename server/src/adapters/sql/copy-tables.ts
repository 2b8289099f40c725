// Copies every row of a store from one database to another, page by page: for backups, and for a move.
import { type ReferenceExpression, sql } from 'kysely';
import type { StoredTable, StoreSchema, Untyped } from './dialect.ts';

const PAGE = 500;

type Rows = Record<string, Record<string, unknown>>;

/** Both must stand still meanwhile: each in a transaction of its own. */
export async function copyTables(from: Untyped, to: Untyped, schema: StoreSchema): Promise<void> {
  for (const table of schema.tables) {
    let last: Record<string, unknown> | null = null;
    for (;;) {
      const rows = await readPage(from, table, last);
      if (rows.length > 0) await to.insertInto(table.name).values(rows).execute();
      if (rows.length < PAGE) break;
      last = rows.at(-1)!;
    }
  }
}

/** PostgreSQL counts on from the largest number that was copied. */
export async function continueCounters(
  to: Untyped,
  schema: StoreSchema,
  name: string,
): Promise<void> {
  for (const { name: table, counter } of schema.tables) {
    if (counter === undefined) continue;
    const [fullName, column] = [sql.table(`${name}.${table}`), sql.ref(counter)];
    await sql`select setval(pg_get_serial_sequence(${`${name}.${table}`}, ${counter}),
      (select coalesce(max(${column}), 0) + 1 from ${fullName}), false)`.execute(to);
  }
}

function readPage(
  from: Untyped,
  { name, order }: StoredTable,
  last: Readonly<Record<string, unknown>> | null,
): Promise<Record<string, unknown>[]> {
  const columns = order as readonly ReferenceExpression<Rows, string>[];
  let page = from.selectFrom(name).selectAll().limit(PAGE);
  for (const column of order) page = page.orderBy(column);
  if (last !== null) {
    const lastKey = order.map((column) => last[column]);
    page = page.where(
      sql<boolean>`(${sql.join(columns.map((column) => sql.ref(String(column))))}) > (${sql.join(lastKey)})`,
    );
  }
  return page.execute();
}
