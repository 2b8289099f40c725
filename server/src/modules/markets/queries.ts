// Reads of markets from the engine's state: selection and order of a list, and the ladder of a book.
import type { OperationInput, OrderBook, Market as WireMarket } from '@sibyl/contract';
import { depthOf, type Market, type State } from '@sibyl/engine';
import type { Page, Position } from '../../handling/handler.ts';
import { lotsText, pipsText } from '../../wire/amounts.ts';
import { isCreator } from '../../wire/creator-address.ts';
import { firstOf } from '../../wire/first-of.ts';
import { marketView } from '../../wire/market-view.ts';
import { type Charted, chartedOf } from './day-prices.ts';

export type MarketFilter = OperationInput<'listMarkets'>['query'];

export interface MarketPage {
  readonly found: readonly FoundMarket[];
  readonly next: Position | null;
  readonly total: number;
  readonly nowMs: number;
}

interface FoundMarket {
  readonly view: WireMarket;
  /** Null unless history is wanted. */
  readonly charted: Charted | null;
}

/** Every market is looked at: they are all in memory, and a list names how many there are. */
export function selectMarkets(state: State, filter: MarketFilter, page: Page): MarketPage {
  const order = SORT_ORDERS[filter.sort ?? 'created_at'];
  const words = wordsOf(filter.q);
  const after = page.after === null ? null : order.read(page.after);
  let total = 0;
  function* following(): Generator<SortKey & { readonly market: Market }> {
    for (const market of state.markets.values()) {
      if (!matches(market, filter, words)) continue;
      total += 1;
      const key = { rank: order.rank(market, words), id: market.id, market };
      if (after === null || compare(order, key, after) > 0) yield key;
    }
  }
  // One more than asked for shows that there is another page.
  const found = firstOf(following(), page.limit + 1, (a, b) => compare(order, a, b));
  const shown = found.slice(0, page.limit);
  const last = shown.at(-1);
  const hasMore = found.length > shown.length && last !== undefined;
  return {
    found: shown.map(({ market }) => ({
      view: marketView(state, market),
      charted: filter.history === undefined ? null : chartedOf(market),
    })),
    next: hasMore ? [String(last.rank), last.id] : null,
    total,
    nowMs: state.nowMs,
  };
}

export function orderBook(state: State, market: Market, outcome: number, depth: number): OrderBook {
  // Only an active market trades: the pool of any other one stands still.
  const ladder = market.status === 'active' ? depthOf(market, outcome, depth) : EMPTY;
  return {
    market_id: market.id,
    outcome_id: market.outcomes[outcome]!.id,
    bids: ladder.bids.map(({ price, lots }) => [pipsText(price), lotsText(lots)]),
    asks: ladder.asks.map(({ price, lots }) => [pipsText(price), lotsText(lots)]),
    tick_size: pipsText(market.tickPips),
    seq: state.seq,
    ts_ms: state.nowMs,
  };
}

const EMPTY: ReturnType<typeof depthOf> = { bids: [], asks: [] };

interface SortKey {
  readonly rank: bigint;
  readonly id: string;
}

interface SortOrder {
  readonly descends: boolean;
  readonly rank: (market: Market, words: readonly Word[]) => bigint;
  readonly read: (position: Position) => SortKey;
}

const SORT_ORDERS: Readonly<Record<NonNullable<MarketFilter['sort']>, SortOrder>> = {
  created_at: { descends: true, rank: (market) => BigInt(market.createdAtMs), read: readSortKey },
  volume: { descends: true, rank: (market) => market.totalVolume, read: readSortKey },
  closes_at: { descends: false, rank: (market) => BigInt(market.closesAtMs), read: readSortKey },
  relevance: { descends: true, rank: relevanceOf, read: readSortKey },
};

/** Above any volume. */
const RELEVANCE_UNIT = 1n << 128n;
/** More than the words of a search. */
const STATE_UNIT = 1_000n;

/** What can be traded comes first, what is over last; then whole words before parts of them, then volume. */
function relevanceOf({ status, title, totalVolume }: Market, words: readonly Word[]): bigint {
  const isOver = status === 'resolved' || status === 'cancelled';
  const state = status === 'active' ? 2n : isOver ? 0n : 1n;
  const begun = ` ${title.toLowerCase()}`;
  const begins = words.filter((word) => word.spellings.some((one) => begun.includes(` ${one}`)));
  return (state * STATE_UNIT + BigInt(begins.length)) * RELEVANCE_UNIT + totalVolume;
}

interface Word {
  /** As it was typed, and a number also without the separators that pages show. */
  readonly spellings: readonly string[];
}

const SEPARATOR = /(?<=\d)[.,'’\u00a0\u202f](?=\d{3}(?!\d))/g;

function wordsOf(q = ''): readonly Word[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return words.map((word) => ({ spellings: [word, word.replace(SEPARATOR, '')] }));
}

function readSortKey([rank = '0', id = '']: Position): SortKey {
  return { rank: BigInt(rank), id: String(id) };
}

function matches(market: Market, filter: MarketFilter, words: readonly Word[]): boolean {
  const { definition } = market.template;
  if (filter.status !== undefined && market.status !== filter.status) return false;
  if (filter.state !== undefined && market.status !== filter.state) return false;
  if (filter.category !== undefined && definition.category !== filter.category) return false;
  if (filter.market_type !== undefined && definition.marketType !== filter.market_type)
    return false;
  if (filter.creator_address !== undefined && !isBy(market, filter.creator_address)) return false;
  if (words.length === 0) return true;
  const title = market.title.toLowerCase();
  return words.every(({ spellings }) => spellings.some((word) => title.includes(word)));
}

function isBy(market: Market, address: string): boolean {
  return !market.platform && isCreator(market.creator.id, address);
}

/** Equal ranks go by id, so that every market has its own position. */
function compare({ descends }: SortOrder, a: SortKey, b: SortKey): number {
  if (a.rank !== b.rank) return a.rank < b.rank === descends ? 1 : -1;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
