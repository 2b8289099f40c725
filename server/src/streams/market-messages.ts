// The markets_snapshot stream and what everybody hears: what becomes of markets, and breakers.
import type { StreamData } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import { asMarketId, type Market, type State } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { publicNotices } from '../notices/command-notices.ts';
import { LaneMemory } from '../notices/lane-memory.ts';
import { defaultLocale, inEveryLocale } from '../texts/locale.ts';
import { titlesOf } from '../wire/market-titles.ts';
import { marketView } from '../wire/market-view.ts';
import { isoTime } from '../wire/times.ts';
import type { Message } from './instance.ts';
import type { Registry } from './registry.ts';

/** Without the words, which each connection adds in its language. */
export type Told<Type extends 'circuit_breaker' | 'platform_mode'> = Omit<
  StreamData<Type>,
  'message'
>;

/** Tells every connection of the lane. */
export type Broadcast = (type: 'circuit_breaker' | 'platform_mode', data: object) => void;
type ModeChanged = (mode: Told<'platform_mode'>) => void;
export type LaneMessage = readonly [type: Parameters<Broadcast>[0], data: object];

const ROWS_PER_PART = 100;
const BREAKER_REASON = 'circuit_breaker';

export class MarketMessages {
  readonly #registry: Registry;
  readonly #broadcast: Broadcast;
  readonly #memory = new LaneMemory();
  readonly #modeChanged: ModeChanged;

  constructor(registry: Registry, broadcast: Broadcast, modeChanged: ModeChanged) {
    this.#registry = registry;
    this.#broadcast = broadcast;
    this.#modeChanged = modeChanged;
  }

  begin(state: State): void {
    for (const { id, outcomes, haltReason } of state.markets.values()) {
      this.#memory.addMarket(id, outcomes);
      if (haltReason === BREAKER_REASON) this.#memory.halt(id, BREAKER_REASON);
    }
  }

  add(committed: CommittedCommand, state: State): void {
    const { atMs } = committed.outcome;
    for (const { message, marketId, only, data } of publicNotices(committed, this.#memory)) {
      if (only !== undefined && only !== state.lane) continue;
      if (message === 'circuit_breaker') {
        this.#broadcast(message, data(state, null));
      } else if (message === 'platform_mode') {
        this.#modeChanged(data(state, null) as Told<'platform_mode'>);
      } else if (message === 'tick_size_changed' && marketId !== null) {
        this.#tellBooks(message, marketId, atMs, data(state, null));
      } else if (message !== null && marketId !== null) {
        this.#publish(message, marketId, atMs, data(state, null), state);
      }
    }
  }

  snapshots(
    state: State,
    marketId: string | null,
    locale: Locale,
    head: Pick<StreamData<'markets_snapshot'>, 'epoch' | 'seq'>,
  ): readonly StreamData<'markets_snapshot'>[] {
    const rows: StreamData<'markets_snapshot'>['markets'] = [];
    for (const market of state.markets.values()) {
      if (marketId === null ? isOver(market) : market.id !== marketId) continue;
      rows.push(rowOf(state, market, locale));
    }
    const parts = Math.max(1, Math.ceil(rows.length / ROWS_PER_PART));
    return Array.from({ length: parts }, (_, index) => ({
      ...head,
      markets: rows.slice(index * ROWS_PER_PART, (index + 1) * ROWS_PER_PART),
      part: index + 1,
      parts,
    }));
  }

  /** To every book of the market, beside those who follow all of them. */
  #tellBooks(type: string, marketId: string, atMs: number, data: object): void {
    if (!this.#registry.hears('orderbook', marketId)) return;
    const message = { type, atMs, data: JSON.stringify(data), key: null };
    this.#registry.publish('orderbook', marketId, this.#memory.outcomesOf(marketId), message);
  }

  #publish(type: string, marketId: string, atMs: number, data: object, state: State): void {
    if (!this.#registry.hears('markets_snapshot', marketId)) return;
    const localized = localizedOf(state, data);
    const text = localized?.[defaultLocale] ?? JSON.stringify(data);
    const message = { type, atMs, data: text, key: null };
    this.#registry.publish('markets_snapshot', marketId, [], {
      ...message,
      ...(localized === undefined ? {} : { localized }),
    });
  }
}

function isOver({ status }: Market): boolean {
  return status === 'resolved' || status === 'cancelled';
}

/** A new market's title and subtitle in each language; nothing for messages without a title. */
function localizedOf(state: State, data: object): Message['localized'] {
  if (!isMarketCreated(data)) return undefined;
  const market = state.markets.get(asMarketId(data.market.market_id));
  if (market === undefined) return undefined;
  return inEveryLocale((locale) =>
    JSON.stringify({ market: { ...data.market, ...titlesOf(market, locale) } }),
  );
}

function isMarketCreated(data: object): data is StreamData<'market_created'> {
  return 'market' in data;
}

function rowOf(
  state: State,
  market: Market,
  locale: Locale,
): StreamData<'markets_snapshot'>['markets'][number] {
  const view = marketView(state, market);
  const { title, rendered_title: rendered } = titlesOf(market, locale);
  return {
    market_id: view.market_id,
    title,
    rendered_title: rendered,
    category: view.category,
    market_type: view.market_type,
    outcome_schema: view.outcome_schema,
    status: view.status,
    halted: view.halted,
    outcomes: view.outcomes,
    closes_at: isoTime(market.closesAtMs),
    closes_at_ms: market.closesAtMs,
    total_volume: view.total_volume,
    open_interest: view.open_interest,
  };
}
