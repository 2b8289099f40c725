// sibyl markets, market and book: what everybody may read.

import { marketStatuses } from '@sibyl/contract';
import {
  type BookChange,
  createSocket,
  type Level,
  type LiveOrderBook,
  type Market,
} from '@sibyl/sdk';
import { type Command, Option } from 'commander';
import { exitCodes } from '../exit.ts';
import { amountText, type Column, painter, tableOf, timeText } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { ask } from './ask.ts';
import { askLaneList, type PageOptions, withPages } from './listed.ts';
import {
  connectionOf,
  given,
  type ServerOptions,
  serve,
  visitorOf,
  wholeNumber,
  withExamples,
  withServer,
} from './server.ts';

interface MarketsOptions extends ServerOptions, PageOptions {
  readonly state?: (typeof marketStatuses)[number];
  readonly category?: string;
  readonly sort?: 'created_at' | 'closes_at' | 'volume' | 'relevance';
}

interface BookOptions extends ServerOptions {
  readonly depth?: number;
  readonly watch?: boolean;
  readonly count?: number;
}

export function addMarkets(program: Command): void {
  withExamples(
    withPages(withServer(program.command('markets [words...]')))
      .description('markets, newest first; words look for titles')
      .addOption(new Option('--state <state>', 'of this state alone').choices([...marketStatuses]))
      .option('--category <category>', 'of this category alone')
      .addOption(
        new Option('--sort <order>', 'what comes first').choices([
          'created_at',
          'closes_at',
          'volume',
          'relevance',
        ]),
      ),
    'sibyl markets --state active --sort volume --limit 10',
    'sibyl markets bitcoin --json | jq -r .items[].market_id',
  ).action((words: readonly string[], options: MarketsOptions) => {
    const { state, category, sort } = options;
    const q = words.length === 0 ? undefined : words.join(' ');
    const filter = given({ q, state, category, sort });
    return askLaneList(
      options,
      (page) => visitorOf(options).markets.list({ ...filter, ...page }),
      marketColumns(),
    );
  });
  withExamples(
    withServer(program.command('market <market-id>')).description(
      'one market: its outcomes and prices, its rules, its times, its grid',
    ),
    'sibyl market m_0123456789abcdef',
  ).action((marketId: string, options: ServerOptions) =>
    ask(options, () => visitorOf(options).markets.get(marketId)),
  );
  addBook(program);
}

function addBook(program: Command): void {
  withExamples(
    withServer(program.command('book <market-id> [outcome-id]'))
      .description('the order book of an outcome, yes unless told')
      .option('--depth <levels>', 'levels on each side', wholeNumber, 10)
      .option('--watch', 'and every change of it, until Ctrl-C')
      .option('--count <changes>', 'with --watch: end after so many', wholeNumber),
    'sibyl book m_0123456789abcdef yes',
    'sibyl book m_0123456789abcdef yes --watch --json   # a line for each change',
  ).action((marketId: string, outcomeId: string | undefined, options: BookOptions) =>
    serve(options, async (terminal) => {
      const outcome = outcomeId ?? 'yes';
      if (options.watch === true) return watchBook(terminal, marketId, outcome, options);
      const { depth = 10 } = options;
      const book = await visitorOf(options).markets.orderBook(marketId, {
        outcome_id: outcome,
        depth,
      });
      terminal.result(book, bookWords(book.bids, book.asks, depth));
      return exitCodes.done;
    }),
  );
}

function marketColumns(): readonly Column<Market>[] {
  const paint = painter();
  return [
    { head: 'MARKET', of: ({ market_id: id }) => id },
    {
      head: 'STATE',
      of: ({ status, halted }) => (halted ? 'halted' : status),
      color: (text, { status, halted }) =>
        halted ? paint.red(text) : status === 'active' ? paint.green(text) : paint.dim(text),
    },
    { head: 'CLOSES', of: ({ closes_at: at }) => timeText(at) },
    { head: 'VOLUME', of: ({ total_volume: volume }) => amountText(volume), align: 'right' },
    { head: 'PRICES', of: pricesOf },
    { head: 'TITLE', of: ({ title }) => title },
  ];
}

const SHOWN_OUTCOMES = 3;

function pricesOf({ outcomes }: Market): string {
  const shown = outcomes.slice(0, SHOWN_OUTCOMES);
  const prices = shown.map(({ id, price }) => `${id} ${Number(price).toFixed(2)}`).join(', ');
  const more = outcomes.length - shown.length;
  return more > 0 ? `${prices} +${more}` : prices;
}

interface LevelRow {
  readonly side: 'ask' | 'bid';
  readonly price: string;
  readonly size: string;
}

/** Asks above bids, as a ladder stands. */
function bookWords(
  bids: readonly Level[],
  asks: readonly Level[],
  depth: number,
): readonly string[] {
  const paint = painter();
  const rowsOf = (side: LevelRow['side'], levels: readonly Level[]): LevelRow[] =>
    levels.slice(0, depth).map(([price, size]) => ({ side, price, size }));
  const rows = [...rowsOf('ask', asks).reverse(), ...rowsOf('bid', bids)];
  if (rows.length === 0) return ['the book is empty'];
  const color = (text: string, { side }: LevelRow): string =>
    side === 'ask' ? paint.red(text) : paint.green(text);
  return tableOf<LevelRow>(
    [
      { head: 'SIDE', of: ({ side }) => side, color },
      { head: 'PRICE', of: ({ price }) => amountText(price), align: 'right', color },
      { head: 'SIZE', of: ({ size }) => amountText(size), align: 'right' },
    ],
    rows,
  );
}

/** Until it is told to end, or as many changes were shown as were asked for. */
async function watchBook(
  terminal: Terminal,
  marketId: string,
  outcomeId: string,
  options: BookOptions,
): Promise<number> {
  const { baseUrl, token } = connectionOf(options);
  const { depth = 10, count = Number.POSITIVE_INFINITY } = options;
  // A socket says of what it cannot watch less than this does: the other lane, the outcomes that there are.
  await visitorOf(options).markets.orderBook(marketId, { outcome_id: outcomeId, depth: 1 });
  // As whoever asks: a key of the sandbox is in the sandbox at both addresses.
  const socket = createSocket(token === null ? { baseUrl } : { baseUrl, token });
  const ended = Promise.withResolvers<void>();
  let shown = 0;
  const onChange = (book: LiveOrderBook, change: BookChange): void => {
    if (shown >= count) return;
    shown += 1;
    showBook(terminal, book, change, depth);
    if (shown >= count) ended.resolve();
  };
  const end = (): void => ended.resolve();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  const book = socket.orderBook(marketId, outcomeId, { onChange });
  book.ready.catch(ended.reject);
  socket.connect().catch(ended.reject);
  try {
    await ended.promise;
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
    book.close();
    socket.close();
  }
  return exitCodes.done;
}

const CLEAR = '\x1b[H\x1b[2J';

function showBook(
  terminal: Terminal,
  book: LiveOrderBook,
  { kind, bids, asks }: BookChange,
  depth: number,
): void {
  const { marketId, outcomeId, seq } = book;
  const words = bookWords(book.bids, book.asks, depth).join('\n');
  const clear = process.stdout.isTTY === true ? CLEAR : '';
  const title = `${marketId} ${outcomeId} #${seq}`;
  terminal.entry(
    { kind, market_id: marketId, outcome_id: outcomeId, seq, bids, asks },
    `${clear}${title}\n${words}\n`,
  );
}
