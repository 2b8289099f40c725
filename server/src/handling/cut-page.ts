// A page of a list, cut from rows of which there is at least one more where another page follows.
import type { Page, Position } from './handler.ts';

export interface CutPage<Row> {
  readonly shown: readonly Row[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** `positionOf` says by which the next page goes on after a row. */
export function cutPage<Row>(
  found: readonly Row[],
  page: Page,
  positionOf: (last: Row) => Position,
): CutPage<Row> {
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = found.length > shown.length && last !== undefined;
  return { shown, nextCursor: hasMore ? page.cursor(positionOf(last)) : null };
}
