// The markets_snapshot stream and what everybody hears: what becomes of markets, and breakers.
import { type StreamData, type WebhookEventType, webhookEvents } from '@sibyl/contract';
import type { Event, Market, State } from '@sibyl/engine';
import { LaneMemory } from '../delivery/lane-memory.ts';
import { marketDrafts } from '../delivery/market-events.ts';
import type { CommittedCommand } from '../sequencer/submission.ts';
import { marketView } from '../wire/market-view.ts';
import { isoTime } from '../wire/times.ts';
import type { Registry } from './registry.ts';

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
        if (message === 'circuit_breaker') {
          // What is said of a market needs no endpoint.
          this.#broadcast(message, draft.data(state, NO_ENDPOINT));
        } else if (draft.marketId !== null) {
          this.#publish(message, draft.marketId, atMs, draft.data(state, NO_ENDPOINT));
        }
      }
    }
  }

  snapshots(
    state: State,
    marketId: string | null,
    epoch: string,
    seq: number,
  ): readonly StreamData<'markets_snapshot'>[] {
    const rows: StreamData<'markets_snapshot'>['markets'] = [];
    for (const market of state.markets.values()) {
      if (marketId === null ? isOver(market) : market.id !== marketId) continue;
      rows.push(rowOf(state, market));
    }
    const parts = Math.max(1, Math.ceil(rows.length / ROWS_PER_PART));
    return Array.from({ length: parts }, (_, index) => ({
      epoch,
      seq,
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
    } else if (event.type === 'read_only_changed') {
      const data: StreamData<'platform_mode'> = {
        mode: event.readOnly ? 'read_only' : 'normal',
        reason: event.reason,
      };
      this.#broadcast('platform_mode', data);
    }
  }

  #publish(type: string, marketId: string, atMs: number, data: object): void {
    if (!this.#registry.hears('markets_snapshot', marketId)) return;
    const message = { type, atMs, data: JSON.stringify(data), key: null };
    this.#registry.publish('markets_snapshot', marketId, [], message);
  }
}

const NO_ENDPOINT = {} as never;

function isOver({ status }: Market): boolean {
  return status === 'resolved' || status === 'cancelled';
}

function rowOf(state: State, market: Market): StreamData<'markets_snapshot'>['markets'][number] {
  const view = marketView(state, market);
  return {
    market_id: view.market_id,
    title: view.title,
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
