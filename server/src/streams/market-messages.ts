// The markets_snapshot stream and what everybody hears: what becomes of markets, and breakers.
import { type StreamData, type WebhookEventType, webhookEvents } from '@sibyl/contract';
import type { Locale } from '@sibyl/contract/locales';
import { asMarketId, type Event, type Market, type State } from '@sibyl/engine';
import type { CommittedCommand } from '@sibyl/lane';
import { LaneMemory } from '../delivery/lane-memory.ts';
import { marketDrafts } from '../delivery/market-events.ts';
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

/** Those that say no more than the message of the status does. */
const STATUS_TYPES: ReadonlySet<WebhookEventType> = new Set([
  'market.activated',
  'market.locked',
  'market.cancelled',
]);

const ROWS_PER_PART = 100;
const BREAKER_REASON = 'circuit_breaker';

export class MarketMessages {
  readonly #registry: Registry;
  readonly #broadcast: Broadcast;
  readonly #memory = new LaneMemory();

  constructor(registry: Registry, broadcast: Broadcast) {
    this.#registry = registry;
    this.#broadcast = broadcast;
  }

  begin(state: State): void {
    for (const { id, outcomes, haltReason } of state.markets.values()) {
      this.#memory.addMarket(id, outcomes);
      if (haltReason === BREAKER_REASON) this.#memory.halt(id, BREAKER_REASON);
    }
  }

  add({ outcome }: CommittedCommand, state: State): void {
    const { events, atMs } = outcome;
    for (const [index, event] of events.entries()) {
      if (event.type === 'market_created') this.#memory.addMarket(event.marketId, event.outcomes);
      this.#addOwn(event, events, atMs);
      for (const draft of marketDrafts(outcome, index, this.#memory)) {
        const { message } = webhookEvents[draft.type];
        if (message === null || STATUS_TYPES.has(draft.type)) continue;
        if (draft.only !== undefined && draft.only !== state.lane) continue;
        if (message === 'circuit_breaker') {
          // What is said of a market needs no endpoint.
          this.#broadcast(message, draft.data(state, NO_ENDPOINT));
        } else if (draft.marketId !== null) {
          const data = draft.data(state, NO_ENDPOINT);
          this.#publish(message, draft.marketId, atMs, data, localizedOf(state, data));
        }
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

  #addOwn(event: Event, events: readonly Event[], atMs: number): void {
    if (event.type === 'market_status_changed') {
      const { marketId, from, to } = event;
      const data: StreamData<'market_status_changed'> = {
        market_id: marketId,
        from,
        to,
        ts_ms: atMs,
        reason: to === 'cancelled' ? cancelReasonOf(events, marketId) : null,
      };
      this.#publish('market_status_changed', marketId, atMs, data);
    } else if (event.type === 'market_approved') {
      const data: StreamData<'market_updated'> = {
        market_id: event.marketId,
        changed: { approved: true },
        clarification: null,
      };
      this.#publish('market_updated', event.marketId, atMs, data);
    } else if (event.type === 'resolution_window_moved') {
      const { marketId, windowEndsAtMs } = event;
      const ends = { challenge_ends_at: isoTime(windowEndsAtMs) };
      const data: StreamData<'market_updated'> = {
        market_id: marketId,
        changed: { resolution: { ...ends, challenge_ends_at_ms: windowEndsAtMs } },
        clarification: null,
      };
      this.#publish('market_updated', marketId, atMs, data);
    } else if (event.type === 'read_only_changed') {
      const data: Told<'platform_mode'> = {
        mode: event.readOnly ? 'read_only' : 'normal',
        reason: event.reason,
      };
      this.#broadcast('platform_mode', data);
    }
  }

  #publish(
    type: string,
    marketId: string,
    atMs: number,
    data: object,
    localized?: Message['localized'],
  ): void {
    if (!this.#registry.hears('markets_snapshot', marketId)) return;
    const text = localized?.[defaultLocale] ?? JSON.stringify(data);
    const message = { type, atMs, data: text, key: null };
    this.#registry.publish('markets_snapshot', marketId, [], {
      ...message,
      ...(localized === undefined ? {} : { localized }),
    });
  }
}

const NO_ENDPOINT = {} as never;

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

function cancelReasonOf(events: readonly Event[], marketId: string): string | null {
  for (const event of events) {
    if (event.type === 'market_cancelled' && event.marketId === marketId) return event.reason;
  }
  return null;
}
