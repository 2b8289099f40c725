// The newest lines of an account's statement, as far as a summary goes back.
import type { CursorPage, History, StatementCursor, StatementEntry } from '@sibyl/history';

/** A longer statement is summed up from its newest lines: whoever asks must not hold up others for long. */
const LINES_MAX = 10_000;
const PIECE = 2_500;

export interface PastLines {
  /** Oldest first. */
  readonly lines: readonly StatementEntry[];
  /** Time of the first, if there are older ones; null if these are all. */
  readonly coversFromMs: number | null;
}

export async function readPast(history: History, accountId: string): Promise<PastLines> {
  const filter = { accountId, reason: null, marketId: null, fromMs: null, toMs: null };
  const newest: StatementEntry[] = [];
  let before: StatementCursor | null = null;
  do {
    const page: CursorPage<StatementEntry, StatementCursor> = await history.statement(
      { ...filter, before },
      PIECE,
    );
    newest.push(...page.rows);
    before = page.next;
  } while (before !== null && newest.length < LINES_MAX);
  const lines = newest.reverse();
  return { lines, coversFromMs: before === null ? null : (lines[0]?.atMs ?? null) };
}
