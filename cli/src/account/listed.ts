// Lists: a page of them, or all with a bar that says how far it is.

import { type Listing, SibylError } from '@sibyl/sdk';
import type { Command } from 'commander';
import { exitCodes } from '../exit.ts';
import { type Column, tableOf } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import {
  connectionOf,
  given,
  type ServerOptions,
  serve,
  visitorOf,
  wholeNumber,
} from './server.ts';

export interface PageOptions {
  readonly limit?: number;
  readonly cursor?: string;
  readonly all?: boolean;
}

export function withPages(command: Command): Command {
  return command
    .option('--limit <count>', 'entries of a page', wholeNumber)
    .option('--cursor <cursor>', 'the page that begins there')
    .option('--all', 'every page');
}

/** Where a list is read from, as its query says it. */
export interface PageQuery {
  readonly limit?: number;
  readonly cursor?: string;
}

type ListOf<Entry> = (page: PageQuery) => Listing<Entry>;

export async function askList<Entry>(
  options: ServerOptions & PageOptions,
  list: ListOf<Entry>,
  columns: readonly Column<Entry>[],
): Promise<void> {
  await serve(options, async (terminal) => {
    await showList(terminal, list, columns, options);
    return exitCodes.done;
  });
}

/** A list that each lane has of its own: where nothing is in it, people are told which lane was asked. */
export async function askLaneList<Entry>(
  options: ServerOptions & PageOptions,
  list: ListOf<Entry>,
  columns: readonly Column<Entry>[],
  isNothing: (entry: Entry) => boolean = () => false,
): Promise<void> {
  await serve(options, async (terminal) => {
    const items = await showList(terminal, list, columns, options);
    if (items.every(isNothing) && !terminal.isJson) await tellLane(terminal, options);
    return exitCodes.done;
  });
}

/** Programs get items and the cursor of the next page; people a table, and how to get more. */
async function showList<Entry>(
  terminal: Terminal,
  list: ListOf<Entry>,
  columns: readonly Column<Entry>[],
  { all, limit, cursor }: PageOptions,
): Promise<readonly Entry[]> {
  const listing = list(given({ limit, cursor }));
  const { items, nextCursor } = all === true ? await wholeList(terminal, listing) : await listing;
  terminal.result(
    { items, next_cursor: nextCursor },
    items.length === 0 ? ['none'] : tableOf(columns, items),
  );
  if (nextCursor !== null) terminal.note(`There are more: --cursor ${nextCursor}, or --all`);
  return items;
}

/** Who finds nothing with real money has often meant the other lane. */
async function tellLane(terminal: Terminal, options: ServerOptions): Promise<void> {
  if (await isLive(options)) {
    terminal.note(`This is the live lane at ${options.url}; --sandbox asks the one of play money`);
  }
}

/** A key says itself which lane it is in; what may not ask for its account is not told. */
async function isLive(options: ServerOptions): Promise<boolean> {
  const { baseUrl, token } = connectionOf(options);
  if (baseUrl.endsWith('/sandbox')) return false;
  if (token === null) return true;
  try {
    return (await visitorOf(options).account.get()).mode === 'live';
  } catch (error) {
    if (error instanceof SibylError) return false;
    throw error;
  }
}

async function wholeList<Entry>(
  terminal: Terminal,
  listing: Listing<Entry>,
): Promise<{ readonly items: readonly Entry[]; readonly nextCursor: null }> {
  const bar = terminal.bar('reading');
  const items: Entry[] = [];
  for await (const page of listing.pages()) {
    items.push(...page.items);
    if (page.totalCount !== null && page.totalCount > 0) {
      bar.update(items.length / page.totalCount, `${items.length} of ${page.totalCount}`);
    }
  }
  bar.end(`${items.length} entries`);
  return { items, nextCursor: null };
}
