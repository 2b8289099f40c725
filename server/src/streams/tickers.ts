// The ticker stream: prices and best levels, the public tape, the candle being made, open interest.
import { type StreamData, streamName } from '@sibyl/contract';
import {
  asMarketId,
  depthOf,
  type Market,
  publicVolume,
  type State,
  type TradeExecuted,
} from '@sibyl/engine';
import { fillPrice, type History } from '@sibyl/history';
import type { Clock } from '@sibyl/lane';
import { amountText, lotsText, pipsText, priceText } from '../wire/amounts.ts';
import { tradeIdText } from '../wire/ids.ts';
import { openingPrice, pricesOf } from '../wire/market-view.ts';
import { Candles } from './candles.ts';
import type { Registry } from './registry.ts';

/** What history knows of a market's last day. */
interface DayFigures {
  readonly volumes: bigint[];
  /** Prices a day ago, in micro-USDT; null before the first trade. */
  readonly prices: readonly (number | null)[];
  readonly loadedAtMs: number;
}

export interface TickersOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  readonly history: History;
  readonly epoch: string;
  readonly failed: (error: unknown) => void;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export class Tickers {
  readonly #options: TickersOptions;
  readonly #figures = new Map<string, DayFigures>();
  readonly #loading = new Map<string, Promise<void>>();
  readonly #candles: Candles;
  /** As last told, so that nothing is told twice. */
  readonly #told = new Map<string, string>();
  readonly #touched = new Set<string>();

  constructor(options: TickersOptions) {
    this.#options = options;
    this.#candles = new Candles(options.history, (candle, atMs) => {
      const { market_id: marketId, outcome_id: outcomeId, interval, ts_ms: startMs } = candle;
      const key = `candle ${marketId} ${outcomeId} ${interval} ${startMs}`;
      this.#publish('candle_update', marketId, [outcomeId], atMs, candle, key);
    });
  }

  touch(marketId: string): void {
    if (this.#options.registry.hears('ticker', marketId)) this.#touched.add(marketId);
  }

  trade(event: TradeExecuted, outcome: number, atMs: number): void {
    const { marketId, outcomeId, lots, cost } = event;
    if (!this.#options.registry.hears('ticker', marketId)) return;
    const figures = this.#figures.get(marketId);
    const volume = BigInt(publicVolume(event.costMicro, lots));
    if (figures !== undefined) figures.volumes[outcome] = (figures.volumes[outcome] ?? 0n) + volume;
    const price = fillPrice(cost, lots);
    const print: StreamData<'trade_print'> = {
      trade_id: tradeIdText(event.tradeId),
      market_id: marketId,
      outcome_id: outcomeId,
      side: event.side,
      price: priceText(price),
      size: lotsText(lots),
      ts_ms: atMs,
    };
    this.#publish('trade_print', marketId, [outcomeId], atMs, print, null);
    this.#candles.trade(marketId, outcomeId, price, volume, atMs);
  }

  /** What the last commands came to, for every market they touched. */
  tell(state: State, nowMs: number): void {
    for (const marketId of this.#touched) {
      const market = state.markets.get(asMarketId(marketId));
      if (market === undefined) continue;
      if (!this.#figures.has(marketId)) this.#load(market, nowMs).catch(this.#options.failed);
      else this.#tellMarket(state, market, nowMs);
    }
    this.#touched.clear();
  }

  /** Candles that are over or have changed, and figures that have grown old. */
  tick(state: State, nowMs: number): void {
    this.#candles.tick(nowMs);
    for (const [marketId, { loadedAtMs }] of this.#figures) {
      if (nowMs - loadedAtMs < MINUTE_MS) continue;
      const market = state.markets.get(asMarketId(marketId));
      if (market === undefined || !this.#options.registry.hears('ticker', marketId)) {
        this.#forget(marketId);
      } else {
        this.#load(market, nowMs)
          .then(() => this.#touched.add(marketId))
          .catch(this.#options.failed);
      }
    }
    this.tell(state, nowMs);
  }

  /** Resolves once everything that a snapshot of the market shows is at hand. */
  async prepare(market: Market, nowMs: number): Promise<void> {
    if (!this.#figures.has(market.id)) await this.#load(market, nowMs);
  }

  snapshots(market: Market): readonly StreamData<'ticker'>[] {
    const { registry, epoch } = this.#options;
    return market.outcomes.map(({ id }, index) => {
      const { seq } = registry.instance(streamName('ticker', market.id, id));
      return { ...this.#tickerOf(market, index), seq, epoch };
    });
  }

  #tellMarket(state: State, market: Market, nowMs: number): void {
    const { id, outcomes } = market;
    const interest: StreamData<'open_interest'> = {
      market_id: id,
      open_interest: amountText(-state.ledger.balance(market.issue[0]!)),
      total_volume: amountText(market.totalVolume),
    };
    if (this.#isNew(`open_interest ${id}`, interest)) {
      const outcomeIds = outcomes.map((outcome) => outcome.id);
      const key = `open_interest ${id}`;
      this.#publish('open_interest', id, outcomeIds, nowMs, interest, key);
    }
    for (const [index, outcome] of outcomes.entries()) {
      const ticker = this.#tickerOf(market, index);
      const key = `ticker ${id} ${outcome.id}`;
      if (!this.#isNew(key, ticker)) continue;
      const seq = this.#options.registry.nextSeq('ticker', id, outcome.id);
      const data: StreamData<'ticker'> = { ...ticker, seq };
      this.#publish('ticker', id, [outcome.id], nowMs, data, key);
    }
  }

  #tickerOf(market: Market, index: number): Omit<StreamData<'ticker'>, 'seq' | 'epoch'> {
    const { id, lastPrice } = market.outcomes[index]!;
    const { bids, asks } =
      market.status === 'active' ? depthOf(market, index, 1) : { bids: [], asks: [] };
    const [bid] = bids;
    const [ask] = asks;
    const figures = this.#figures.get(market.id);
    const price = pricesOf(market)[index]!;
    const before = BigInt(figures?.prices[index] ?? openingPrice(market, index));
    return {
      market_id: market.id,
      outcome_id: id,
      price: amountText(price),
      best_bid: bid === undefined ? null : pipsText(bid.price),
      best_ask: ask === undefined ? null : pipsText(ask.price),
      bid_size: bid === undefined ? null : lotsText(bid.lots),
      ask_size: ask === undefined ? null : lotsText(ask.lots),
      last_price: lastPrice === null ? null : amountText(lastPrice),
      volume_24h: amountText(figures?.volumes[index] ?? 0n),
      change_24h: amountText(price - before),
    };
  }

  #load(market: Market, nowMs: number): Promise<void> {
    const { id, outcomes } = market;
    const under = this.#loading.get(id);
    if (under !== undefined) return under;
    const names = outcomes.map((outcome) => outcome.id);
    const loading = this.#read(id, names, nowMs).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  async #read(marketId: string, outcomeIds: readonly string[], nowMs: number): Promise<void> {
    const { history } = this.#options;
    const prices: (number | null)[] = [];
    for (const [outcome, outcomeId] of outcomeIds.entries()) {
      prices.push(await history.closeBefore(marketId, outcome, nowMs - DAY_MS));
      await this.#candles.load(marketId, outcomeId, outcome, nowMs);
    }
    const volumes = [...(await history.dayVolumes(marketId, outcomeIds.length, nowMs))];
    this.#figures.set(marketId, { volumes, prices, loadedAtMs: nowMs });
  }

  #forget(marketId: string): void {
    this.#figures.delete(marketId);
    for (const name of this.#told.keys()) {
      if (name.includes(marketId)) this.#told.delete(name);
    }
    this.#candles.forget(marketId);
  }

  #isNew(key: string, data: object): boolean {
    const text = JSON.stringify(data);
    if (this.#told.get(key) === text) return false;
    this.#told.set(key, text);
    return true;
  }

  #publish(
    type: 'ticker' | 'trade_print' | 'candle_update' | 'open_interest',
    marketId: string,
    outcomeIds: readonly string[],
    atMs: number,
    data: object,
    key: string | null,
  ): void {
    const message = { type, atMs, data: JSON.stringify(data), key };
    this.#options.registry.publish('ticker', marketId, outcomeIds, message);
  }
}
