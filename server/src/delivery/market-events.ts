// Events that everybody may know: the life of markets, how they were decided, and breakers.
import { hash } from 'node:crypto';
import type { WebhookData } from '@sibyl/contract';
import type { Event, Lane, MarketId, Outcome, State } from '@sibyl/engine';
import { PIPS_ONE } from '@sibyl/money';
import { pipsText } from '../wire/amounts.ts';
import { resolutionIdText } from '../wire/ids.ts';
import { publicMarketView, resolutionView } from '../wire/market-view.ts';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';
import type { Draft } from './draft.ts';
import type { LaneMemory } from './lane-memory.ts';

/**
 * A proposal can be challenged once. A ruling of `too_early` makes room for a new proposal,
 * which counts from one again.
 */
const DISPUTE_ROUND = 1;

export function marketDrafts(
  { events, atMs }: Outcome,
  index: number,
  memory: LaneMemory,
): readonly Draft[] {
  const event = events[index]!;
  switch (event.type) {
    case 'market_created':
      return [
        draft('market.created', event.marketId, index, (state) => ({
          market: marketNow(state, event.marketId),
        })),
      ];
    case 'market_status_changed':
      return statusDrafts(event, events, index, atMs);
    case 'market_halted':
      return haltDrafts(event, index, atMs, memory);
    case 'market_resumed':
      return resumeDrafts(event, index, atMs, memory);
    case 'market_resolved':
      return resolvedDrafts(event, index, atMs, memory);
    case 'resolution_proposed':
      return [proposedDraft(event, index, memory)];
    case 'resolution_disputed':
      return [
        draft('resolution.disputed', event.marketId, index, () => ({
          market_id: event.marketId,
          resolution_id: resolutionIdText(event.marketId),
          dispute_id: `dsp_${event.marketId.slice('m_'.length)}`,
          round: DISPUTE_ROUND,
        })),
      ];
    case 'read_only_changed':
      return modeDrafts(event, index, atMs);
    default:
      return NONE;
  }
}

const NONE: readonly Draft[] = [];

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>;

function statusDrafts(
  event: EventOf<'market_status_changed'>,
  events: readonly Event[],
  index: number,
  atMs: number,
): readonly Draft[] {
  const { marketId, from, to } = event;
  const type = STATUS_TYPES.get(to);
  if (type === undefined) return NONE;
  const reason = to === 'cancelled' ? cancelReasonOf(events, marketId) : null;
  const data = { market_id: marketId, from, to, ts_ms: atMs, reason };
  return [draft(type, marketId, index, () => data)];
}

/** The other states have events of their own, or none. */
const STATUS_TYPES: ReadonlyMap<string, Draft['type']> = new Map([
  ['active', 'market.activated'],
  ['locked', 'market.locked'],
  ['cancelled', 'market.cancelled'],
]);

/** Why a market was called off is said by the event before the one that changes its status. */
function cancelReasonOf(events: readonly Event[], marketId: MarketId): string | null {
  for (const event of events) {
    if (event.type === 'market_cancelled' && event.marketId === marketId) return event.reason;
  }
  return null;
}

function haltDrafts(
  event: EventOf<'market_halted'>,
  index: number,
  atMs: number,
  memory: LaneMemory,
): readonly Draft[] {
  const { marketId, reason, untilMs } = event;
  const halted = draft('market.halted', marketId, index, () => ({
    market_id: marketId,
    reason,
    since_ms: atMs,
    resumes_at: isoTimeOrNull(untilMs),
    resumes_at_ms: untilMs,
    cancel_allowed: true,
  }));
  if (!memory.halt(marketId, reason)) return [halted];
  const retryAfterMs = untilMs === null ? null : Math.max(0, untilMs - atMs);
  return [halted, breaker(marketId, 'open', index, atMs, { reason, retryAfterMs })];
}

function resumeDrafts(
  { marketId }: EventOf<'market_resumed'>,
  index: number,
  atMs: number,
  memory: LaneMemory,
): readonly Draft[] {
  const resumed = draft('market.resumed', marketId, index, () => ({
    market_id: marketId,
    ...instant('resumed_at', atMs),
  }));
  if (!memory.resume(marketId)) return [resumed];
  const facts = { reason: 'resumed', retryAfterMs: null };
  return [resumed, breaker(marketId, 'closed', index, atMs, facts)];
}

function resolvedDrafts(
  event: EventOf<'market_resolved'>,
  index: number,
  atMs: number,
  memory: LaneMemory,
): readonly Draft[] {
  const { marketId, payout } = event;
  return [
    draft('market.resolved', marketId, index, () => ({
      market_id: marketId,
      ...payouts(memory.outcomesOf(marketId), payout),
      resolution_id: resolutionIdText(marketId),
      ...instant('settled_at', atMs),
    })),
    draft('resolution.finalized', marketId, index, (state) => {
      const market = state.markets.get(marketId);
      return {
        market_id: marketId,
        resolution: market === undefined ? null : resolutionView(market),
      };
    }),
  ];
}

function proposedDraft(
  event: EventOf<'resolution_proposed'>,
  index: number,
  memory: LaneMemory,
): Draft {
  const { marketId, payout, evidence, windowEndsAtMs } = event;
  return draft('resolution.proposed', marketId, index, () => ({
    market_id: marketId,
    resolution_id: resolutionIdText(marketId),
    ...payouts(memory.outcomesOf(marketId), payout),
    evidence_hash: hash('sha256', JSON.stringify(evidence), 'hex'),
    ...instant('challenge_ends_at', windowEndsAtMs),
  }));
}

/** One for each kind of traffic that it stops; all traffic of the sandbox is one kind. */
function modeDrafts(
  { readOnly, reason }: EventOf<'read_only_changed'>,
  index: number,
  atMs: number,
): readonly Draft[] {
  const of = (only: Lane, lane: TrafficLane): Draft => ({
    type: 'circuit_breaker.changed',
    accountId: null,
    aggregate: 'platform',
    marketId: null,
    index,
    only,
    part: lane,
    data: () => ({
      lane,
      market_id: null,
      state: readOnly ? 'open' : 'closed',
      reason,
      since_ms: atMs,
      retry_after_ms: null,
    }),
  });
  return [of('live', 'trade'), of('live', 'create'), of('sandbox', 'sandbox')];
}

type TrafficLane = NonNullable<WebhookData<'circuit_breaker.changed'>['lane']>;

function breaker(
  marketId: MarketId,
  state: 'open' | 'closed',
  index: number,
  atMs: number,
  facts: { readonly reason: string; readonly retryAfterMs: number | null },
): Draft {
  return draft('circuit_breaker.changed', marketId, index, () => ({
    lane: null,
    market_id: marketId,
    state,
    reason: facts.reason,
    since_ms: atMs,
    retry_after_ms: facts.retryAfterMs,
  }));
}

function draft(
  type: Draft['type'],
  marketId: MarketId,
  index: number,
  data: (state: State) => object,
): Draft {
  return { type, accountId: null, aggregate: `market:${marketId}`, marketId, index, data };
}

function payouts(
  outcomes: readonly string[],
  payout: readonly number[],
): { readonly winning_outcome_id: string | null; readonly payout_vector: readonly object[] } {
  const winner = payout.indexOf(PIPS_ONE);
  return {
    winning_outcome_id: winner < 0 ? null : (outcomes[winner] ?? null),
    payout_vector: payout.map((pips, index) => ({
      outcome_id: outcomes[index] ?? '',
      payout: pipsText(pips),
    })),
  };
}

function marketNow(state: State, marketId: MarketId): object | null {
  const market = state.markets.get(marketId);
  return market === undefined ? null : publicMarketView(state, market);
}

function instant(name: string, atMs: number): Readonly<Record<string, unknown>> {
  return { [name]: isoTime(atMs), [`${name}_ms`]: atMs };
}
