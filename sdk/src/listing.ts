// A list that can be awaited for one page or walked to its end.

export type Page<Entry> = {
  readonly items: readonly Entry[];
  /** Send it as cursor for the next page; null on the last one. */
  readonly nextCursor: string | null;
  /** How many there are in all, where the server knows cheaply. */
  readonly totalCount: number | null;
};

/**
 * `await listing` is its first page; `for await (const entry of listing)` walks all pages; `pages()`
 * walks them whole.
 */
export type Listing<Entry> = Promise<Page<Entry>> &
  AsyncIterable<Entry> & { pages(): AsyncIterable<Page<Entry>> };

/** Begins at once with the first page; the others are fetched as the walk reaches them. */
export function listingOf<Entry>(
  fetchPage: (cursor: string | null) => Promise<Page<Entry>>,
): Listing<Entry> {
  const first = fetchPage(null);
  const pages = (): AsyncIterable<Page<Entry>> => walkPages(first, fetchPage);
  return Object.assign(first, { pages, [Symbol.asyncIterator]: () => walkEntries(pages()) });
}

async function* walkPages<Entry>(
  first: Promise<Page<Entry>>,
  fetchPage: (cursor: string | null) => Promise<Page<Entry>>,
): AsyncGenerator<Page<Entry>, void, undefined> {
  let page = await first;
  yield page;
  while (page.nextCursor !== null) {
    page = await fetchPage(page.nextCursor);
    yield page;
  }
}

async function* walkEntries<Entry>(
  pages: AsyncIterable<Page<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  for await (const page of pages) yield* page.items;
}
