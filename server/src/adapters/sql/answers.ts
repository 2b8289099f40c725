// Answers to writes with an Idempotency-Key, which every store keeps beside what it wrote.
import type { CompiledQuery, Kysely } from 'kysely';
import type { SavedAnswer } from '../../ports/platform.ts';
import { type SavedRow, savedOf, savedRow } from './platform-rows.ts';

interface AnswerTables {
  saved_answers: SavedRow;
}

/** A store that has such a table, whatever else it has. */
type Answers<Tables extends AnswerTables> = Kysely<Tables>;

export async function saveAnswer<Tables extends AnswerTables>(
  db: Answers<Tables>,
  saved: SavedAnswer | undefined,
): Promise<void> {
  if (saved !== undefined) await insert(answersOf(db), savedRow(saved)).execute();
}

/** For a statement that is built once: the values stand in it in the order of `valuesOf`. */
export function saving<Tables extends AnswerTables>(db: Answers<Tables>): CompiledQuery {
  return insert(answersOf(db), PATTERN).compile();
}

export function valuesOf(saved: SavedAnswer): readonly unknown[] {
  const { scope, key, body_hash, answer, at_ms } = savedRow(saved);
  return [scope, key, body_hash, answer, at_ms];
}

const PATTERN: SavedRow = { scope: '', key: '', body_hash: '', answer: '', at_ms: 0 };

function insert(db: Kysely<AnswerTables>, row: SavedRow) {
  return db
    .insertInto('saved_answers')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['scope', 'key']).doUpdateSet(({ ref }) => ({
        body_hash: ref('excluded.body_hash'),
        answer: ref('excluded.answer'),
        at_ms: ref('excluded.at_ms'),
      })),
    );
}

/** One that is older than the time given is as good as absent. */
export async function findAnswer<Tables extends AnswerTables>(
  db: Answers<Tables>,
  scope: string,
  key: string,
  sinceMs: number,
): Promise<SavedAnswer | null> {
  const row = await answersOf(db)
    .selectFrom('saved_answers')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('at_ms', '>=', sinceMs)
    .executeTakeFirst();
  return savedOf(row);
}

export async function pruneAnswers<Tables extends AnswerTables>(
  db: Answers<Tables>,
  beforeMs: number,
): Promise<void> {
  await answersOf(db).deleteFrom('saved_answers').where('at_ms', '<', beforeMs).execute();
}

/** Answers are kept under whoever asked. */
export async function forgetAnswers<Tables extends AnswerTables>(
  db: Answers<Tables>,
  holderId: string,
): Promise<void> {
  await answersOf(db).deleteFrom('saved_answers').where('scope', 'like', `${holderId} %`).execute();
}

function answersOf<Tables extends AnswerTables>(db: Answers<Tables>): Kysely<AnswerTables> {
  // Kysely's builders cannot be used with a type that is still open.
  return db as unknown as Kysely<AnswerTables>;
}
