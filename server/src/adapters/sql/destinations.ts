// Destinations in either database, beside the users that they belong to.
import type { Kysely } from 'kysely';
import type {
  DestinationAddition,
  DestinationRecord,
  DestinationStore,
} from '../../ports/destinations.ts';
import type { PasswordReset } from '../../ports/links.ts';
import type { DestinationTables } from './destinations-schema.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

export class SqlDestinationStore implements DestinationStore {
  readonly #database: StoreDatabase<PlatformTables>;

  constructor(database: StoreDatabase<PlatformTables>) {
    this.#database = database;
  }

  of(userId: string): Promise<readonly DestinationRecord[]> {
    return readAll(this.#database.reads, userId);
  }

  add(destination: DestinationRecord, max: number): Promise<DestinationAddition> {
    return this.#database.write(async (tx) => {
      const known = await readAll(tx, destination.userId);
      if (known.some((each) => each.destination === destination.destination)) return 'taken';
      if (known.length >= max) return 'too_many';
      await tx.insertInto('destinations').values(rowOf(destination)).execute();
      return 'added';
    });
  }

  remove(userId: string, destinationId: string): Promise<DestinationRecord | null> {
    return this.#database.write(async (tx) => {
      const known = await readAll(tx, userId);
      const found = known.find((each) => each.destinationId === destinationId);
      if (found === undefined) return null;
      await tx.deleteFrom('destinations').where('destination_id', '=', destinationId).execute();
      return found;
    });
  }
}

/** Never shortens a delay that ends later. */
export async function restartDelay(
  db: Kysely<PlatformTables>,
  userId: string,
  { addedSinceMs, usableFromMs }: PasswordReset['destinations'],
): Promise<void> {
  await db
    .updateTable('destinations')
    .set({ usable_from_ms: usableFromMs })
    .where('user_id', '=', userId)
    .where('created_at_ms', '>=', addedSinceMs)
    .where('usable_from_ms', '<', usableFromMs)
    .execute();
}

async function readAll(
  db: Kysely<PlatformTables>,
  userId: string,
): Promise<readonly DestinationRecord[]> {
  const rows = await db
    .selectFrom('destinations')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at_ms')
    .orderBy('destination_id')
    .execute();
  return rows.map(recordOf);
}

type Row = DestinationTables['destinations'];

function rowOf(record: DestinationRecord): Row {
  return {
    destination_id: record.destinationId,
    user_id: record.userId,
    label: record.label,
    destination: record.destination,
    created_at_ms: record.createdAtMs,
    usable_from_ms: record.usableFromMs,
  };
}

function recordOf(row: Row): DestinationRecord {
  return {
    destinationId: row.destination_id,
    userId: row.user_id,
    label: row.label,
    destination: row.destination,
    createdAtMs: row.created_at_ms,
    usableFromMs: row.usable_from_ms,
  };
}
