// Everything public about a market: the list, one of them, its candles, its book and its tape.
import { limits, type Operations, type Trade } from '@sibyl/contract';
import { asMarketId, type Market, outcomeIndex, type State } from '@sibyl/engine';
import { fillPrice, type PastTrade } from '@sibyl/history';
import {
  ApiError,
  fail,
  type Handler,
  type LaneName,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { lotsText, priceText } from '../../wire/amounts.ts';
import { chainDataView } from '../../wire/chain-data.ts';
import { type Histories, historyOf } from '../../wire/histories.ts';
import { tradeIdText } from '../../wire/ids.ts';
import { readMarket, withDayVolumes } from '../../wire/market-view.ts';
import { CancellationPrices } from './cancellation-price.ts';
import { type CandleInput, readCandles, subjectOf } from './candles.ts';
import { withDayPrices } from './day-prices.ts';
import { type MarketFilter, orderBook, selectMarkets } from './queries.ts';

export interface MarketParts {
  readonly histories: Histories;
  /** The number of a book in its stream; to be asked right after the read that gave the book. */
  readonly bookSeq?: (lane: LaneName, marketId: string, outcomeId: string) => number;
}

interface MarketHandlers {
  readonly listMarkets: Handler<Operations['listMarkets']>;
  readonly getMarket: Handler<Operations['getMarket']>;
  readonly getCancellationPrice: Handler<Operations['getCancellationPrice']>;
  readonly listCandles: Handler<Operations['listCandles']>;
  readonly getOrderBook: Handler<Operations['getOrderBook']>;
  readonly listTrades: Handler<Operations['listTrades']>;
}

export function marketHandlers(parts: MarketParts): MarketHandlers {
  const cancellationPrices = new CancellationPrices();
  return {
    listMarkets: (request, { query }) => listMarkets(parts, request, query),
    getMarket: (request, { params }) => getMarket(parts, request, params.market_id),
    getCancellationPrice: async (request, { params }) => {
      const data = await cancellationPrices.of(request, params.market_id);
      return data instanceof ApiError ? data : { data };
    },
    listCandles: (request, { params, query }) =>
      listCandles(parts, request, params.market_id, query),
    getOrderBook: async (request, { params, query }) => {
      const depth = query.depth ?? limits.depth.default;
      const { market_id: marketId } = params;
      const data = await readOutcome(request, marketId, query.outcome_id, (state, market, index) =>
        orderBook(state, market, index, depth),
      );
      if (data instanceof ApiError || parts.bookSeq === undefined) {
        return data instanceof ApiError ? data : { data };
      }
      const seq = parts.bookSeq(request.laneName, marketId, query.outcome_id);
      return { data: { ...data, seq } };
    },
    listTrades: (request, { params, query }) => listTrades(parts, request, params.market_id, query),
  };
}

async function listMarkets(
  { histories }: MarketParts,
  request: RequestContext,
  query: MarketFilter,
) {
  const page = request.page(query);
  const { historyMax } = limits.page;
  if (query.history !== undefined && page.limit > historyMax) {
    const expected = `at most ${historyMax} with history`;
    return fail('VALIDATION_FAILED', { field: 'limit', expected });
  }
  const history = historyOf(histories, request.laneName);
  const list = await request.lane.read((state) => selectMarkets(state, query, page));
  const nowMs = Math.max(list.nowMs, request.receivedAtMs);
  const data = [];
  for (const { view, charted } of list.found) {
    const market = await withDayVolumes(view, history, request.receivedAtMs);
    data.push(charted === null ? market : await withDayPrices(market, charted, history, nowMs));
  }
  const { next, total } = list;
  const cursor = next === null ? null : page.cursor(next);
  return { data, meta: { next_cursor: cursor, total_count: total } };
}

async function getMarket({ histories }: MarketParts, request: RequestContext, marketId: string) {
  const history = historyOf(histories, request.laneName);
  const { lane, receivedAtMs } = request;
  const data = await readMarket(lane, history, asMarketId(marketId), receivedAtMs);
  return data === null ? unknownMarket(marketId) : { data };
}

async function listCandles(
  { histories }: MarketParts,
  request: RequestContext,
  marketId: string,
  query: CandleInput,
) {
  const page = request.page(query);
  const found = await readOutcome(request, marketId, query.outcome_id, (state, market, index) => ({
    ...subjectOf(market, index),
    // The lane's clock leads where commands are timed ahead of this host's.
    nowMs: Math.max(state.nowMs, request.receivedAtMs),
  }));
  if (found instanceof ApiError) return found;
  const history = historyOf(histories, request.laneName);
  const read = await readCandles(history, found, query, page, found.nowMs);
  if (read instanceof ApiError) return read;
  const { candles, next } = read;
  const meta = { next_cursor: next === null ? null : page.cursor(next) };
  return { data: [...candles], meta };
}

async function listTrades(
  { histories }: MarketParts,
  request: RequestContext,
  marketId: string,
  query: { readonly outcome_id?: string; readonly cursor?: string; readonly limit?: number },
): Promise<Reply<Trade[]> | ApiError> {
  const page = request.page(query);
  const outcome = await outcomeOrNull(request, marketId, query.outcome_id);
  if (outcome instanceof ApiError) return outcome;
  const history = historyOf(histories, request.laneName);
  const before = page.after === null ? null : Number(page.after[0]);
  const { rows, next } = await history.trades({ marketId, outcome, before }, page.limit);
  const meta = { next_cursor: next === null ? null : page.cursor([next]) };
  const attached = await history.chainData(rows.map(({ tradeId }) => tradeId));
  const data = rows.map((trade) => wireTrade(marketId, trade, attached.get(trade.tradeId) ?? null));
  return { data, meta };
}

function wireTrade(marketId: string, trade: PastTrade, chainData: string | null): Trade {
  return {
    trade_id: tradeIdText(trade.tradeId),
    market_id: marketId,
    outcome_id: trade.outcomeId,
    side: trade.side,
    price: priceText(fillPrice(trade.cost, trade.lots)),
    size: lotsText(trade.lots),
    ts_ms: trade.atMs,
    chain_data: chainDataView(chainData),
  };
}

/** Null for all outcomes. */
async function outcomeOrNull(
  request: RequestContext,
  marketId: string,
  outcomeId: string | undefined,
): Promise<number | null | ApiError> {
  if (outcomeId !== undefined) return readOutcome(request, marketId, outcomeId, (_, __, i) => i);
  const isKnown = await request.lane.read((state) => state.markets.has(asMarketId(marketId)));
  return isKnown ? null : unknownMarket(marketId);
}

/** Runs the query on an outcome of a market that exists; otherwise says which of the two is not there. */
function readOutcome<T>(
  request: RequestContext,
  marketId: string,
  outcomeId: string,
  query: (state: State, market: Market, outcome: number) => T,
): Promise<T | ApiError> {
  return request.lane.read((state) => {
    const market = state.markets.get(asMarketId(marketId));
    if (market === undefined) return unknownMarket(marketId);
    const outcome = outcomeIndex(market, outcomeId);
    if (outcome >= 0) return query(state, market, outcome);
    const expected = `one of ${market.outcomes.map(({ id }) => id).join(', ')}`;
    return fail('VALIDATION_FAILED', { field: 'outcome_id', expected });
  });
}

function unknownMarket(marketId: string): ApiError {
  return fail('MARKET_NOT_FOUND', { market_id: marketId });
}
