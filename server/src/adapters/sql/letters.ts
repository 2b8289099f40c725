// Letters that wait, in either database, beside the users whom they are for.
import type { KeptLetter, LetterStore, TakenLetter, WaitingLetters } from '../../ports/letters.ts';
import type { AnyDatabase, TableWords } from './dialect.ts';
import type { PlatformTables } from './platform-schema.ts';
import type { StoreDatabase } from './store-database.ts';

export interface LetterTables {
  /** Sealed: nobody who reads this table learns an address or a link. */
  letters: {
    letter_id: string;
    user_id: string;
    sealed: string;
    attempts: number;
    due_at_ms: number;
    expires_at_ms: number;
  };
}

export async function createLetters({ text, whole, table }: TableWords, db: AnyDatabase) {
  await table(db, 'letters')
    .addColumn('letter_id', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', text, (column) => column.notNull().references('users.user_id'))
    .addColumn('sealed', text, (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at_ms', whole, (column) => column.notNull())
    .addColumn('expires_at_ms', whole, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('letters_by_due').on('letters').column('due_at_ms').execute();
  await db.schema.createIndex('letters_by_user').on('letters').column('user_id').execute();
}

export class SqlLetterStore implements LetterStore {
  readonly #database: StoreDatabase<PlatformTables>;

  constructor(database: StoreDatabase<PlatformTables>) {
    this.#database = database;
  }

  add(letter: KeptLetter, dueAtMs: number, waitingMax: number): Promise<boolean> {
    const { letterId, userId, sealed, expiresAtMs } = letter;
    return this.#database.write(async (tx) => {
      const { count } = await tx
        .selectFrom('letters')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= waitingMax) return false;
      await tx
        .insertInto('letters')
        .values({
          letter_id: letterId,
          user_id: userId,
          sealed,
          attempts: 0,
          due_at_ms: dueAtMs,
          expires_at_ms: expiresAtMs,
        })
        .execute();
      return true;
    });
  }

  take(nowMs: number, untilMs: number, limit: number): Promise<readonly TakenLetter[]> {
    return this.#database.write(async (tx) => {
      const due = await tx
        .selectFrom('letters')
        .selectAll()
        .where('due_at_ms', '<=', nowMs)
        .orderBy('due_at_ms')
        .orderBy('letter_id')
        .limit(limit)
        .execute();
      for (const { letter_id: id, attempts } of due) {
        await tx
          .updateTable('letters')
          .set({ due_at_ms: untilMs, attempts: attempts + 1 })
          .where('letter_id', '=', id)
          .execute();
      }
      return due.map((row) => ({
        letterId: row.letter_id,
        userId: row.user_id,
        sealed: row.sealed,
        expiresAtMs: row.expires_at_ms,
        attempts: row.attempts + 1,
      }));
    });
  }

  async postpone(letterId: string, dueAtMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .updateTable('letters')
        .set({ due_at_ms: dueAtMs })
        .where('letter_id', '=', letterId)
        .execute(),
    );
  }

  async remove(letterId: string): Promise<void> {
    await this.#database.write((tx) =>
      tx.deleteFrom('letters').where('letter_id', '=', letterId).execute(),
    );
  }

  async waiting(): Promise<WaitingLetters> {
    const { count, next } = await this.#database.reads
      .selectFrom('letters')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.min<number | null>('due_at_ms').as('next'),
      ])
      .executeTakeFirstOrThrow();
    return { count: Number(count), nextDueMs: next === null ? null : Number(next) };
  }

  async prune(beforeMs: number): Promise<void> {
    await this.#database.write((tx) =>
      tx.deleteFrom('letters').where('expires_at_ms', '<', beforeMs).execute(),
    );
  }
}
