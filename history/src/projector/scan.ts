// Walks pages from new to old until a list is full, and gives up after so many entries, whatever it found.

import type { Turns } from '@sibyl/lane';
import type { CursorPage } from '../store/history.ts';
import type { PageRow } from '../store/read-store.ts';

export interface Scan<Row, Cursor> {
  /** Newest first, of those that begin at or before `firstMax`. */
  readonly pages: (firstMax: number, limit: number) => Promise<readonly PageRow[]>;
  readonly firstMax: number;
  /** Oldest first, as a page holds them. */
  readonly entries: (page: PageRow) => Promise<readonly Row[]>;
  readonly cursorOf: (row: Row) => Cursor;
  /** False for entries that an earlier answer has shown. */
  readonly isAfter: (row: Row) => boolean;
  readonly isWanted: (row: Row) => boolean;
  /** True where nothing further back can be wanted. */
  readonly isPast?: (row: Row) => boolean;
  readonly limit: number;
  /** Long scans take turns with everybody else. */
  readonly turns: Turns;
}

/** A filter that lets little through must not hold up everybody: the caller goes on from where this stopped. */
const SCANNED_MAX = 10_000;
const PAGES_AT_ONCE = 32;

export async function scan<Row, Cursor>(
  query: Scan<Row, Cursor>,
): Promise<CursorPage<Row, Cursor>> {
  const { isAfter, isWanted, isPast, cursorOf, limit } = query;
  const rows: Row[] = [];
  let scanned = 0;
  let firstMax = query.firstMax;
  for (;;) {
    const pages = await query.pages(firstMax, PAGES_AT_ONCE);
    for (const page of pages) {
      const entries = await query.entries(page);
      for (let index = entries.length - 1; index >= 0; index -= 1) {
        const row = entries[index]!;
        if (!isAfter(row)) continue;
        if (isPast?.(row) === true) return { rows, next: null };
        scanned += 1;
        if (!isWanted(row)) {
          if (scanned >= SCANNED_MAX) return { rows, next: cursorOf(row) };
          continue;
        }
        // One more than asked for shows that there is another page of rows.
        if (rows.length === limit) return { rows, next: cursorOf(rows[limit - 1]!) };
        rows.push(row);
      }
      firstMax = page.first - 1;
      await query.turns.pause();
    }
    if (pages.length < PAGES_AT_ONCE) return { rows, next: null };
  }
}
