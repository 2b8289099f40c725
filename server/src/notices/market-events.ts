// Notices that everybody may know: the life of markets, how they were decided, and breakers.
import { hash } from 'node:crypto';
import type { WebhookData } from '@sibyl/contract';
import type {
  ChainDataAttached,
  Event,
  LaneName,
  MarketApproved,
  MarketCancelled,
  MarketClarified,
  MarketCreated,
  MarketHalted,
  MarketId,
  MarketResolved,
  MarketResumed,
  MarketStatusChanged,
  ReadOnlyChanged,
  ResolutionDisputed,
  ResolutionProposed,
  ResolutionWindowMoved,
  State,
  TickSizeChanged,
} from '@sibyl/engine';
import { PIPS_ONE } from '@sibyl/money';
import { pipsText } from '../wire/amounts.ts';
import { cancellationView } from '../wire/cancellation-view.ts';
import { chainDataView } from '../wire/chain-data.ts';
import { resolutionIdText } from '../wire/ids.ts';
import { clarificationView, publicMarketView, resolutionView } from '../wire/market-view.ts';
import { platformModeOf } from '../wire/platform-mode.ts';
import { isoTime, isoTimeOrNull } from '../wire/times.ts';
import type { Facts, ToldAs } from './notice.ts';
import type { Teller } from './teller.ts';

type PublicTeller<Name extends ToldAs> = Teller<'everybody', Name>;

/**
 * A proposal can be challenged once. A ruling of `too_early` makes room for a new proposal,
 * which counts from one again.
 */
const DISPUTE_ROUND = 1;

export function tellCreated(
  { memory, say }: PublicTeller<'market.created'>,
  { marketId, outcomes }: MarketCreated,
  index: number,
): void {
  memory.addMarket(marketId, outcomes);
  const data = (state: State): object => ({ market: marketNow(state, marketId) });
  say('market.created', factsOf(marketId, index, data));
}

export function tellApproved(
  { say }: PublicTeller<'market_updated'>,
  { marketId }: MarketApproved,
  index: number,
): void {
  say('market_updated', updateFacts(marketId, index, { approved: true }));
}

type StatusNews = 'market.activated' | 'market.locked' | 'market.cancelled';

/** The other states are told by the message alone, which all of them have. */
const STATUS_TYPES: ReadonlyMap<string, StatusNews> = new Map([
  ['active', 'market.activated'],
  ['locked', 'market.locked'],
  ['cancelled', 'market.cancelled'],
]);

export function tellStatus(
  { say, memory, outcome }: PublicTeller<StatusNews | 'market_status_changed'>,
  { marketId, from, to }: MarketStatusChanged,
  index: number,
): void {
  const ended = endOf(outcome.events, marketId);
  const cancelled = ended?.type === 'market_cancelled' ? ended : null;
  const data = (): object => ({
    market_id: marketId,
    from,
    to,
    ts_ms: outcome.atMs,
    reason: cancelled?.reason ?? null,
    payout_vector:
      ended === null ? null : payouts(memory.outcomesOf(marketId), ended.payout).payout_vector,
    cancellation: cancelled === null ? null : cancellationView(cancelled),
  });
  say(STATUS_TYPES.get(to) ?? 'market_status_changed', factsOf(marketId, index, data));
}

/** The event before the change of status says what every share was paid. */
function endOf(
  events: readonly Event[],
  marketId: MarketId,
): MarketResolved | MarketCancelled | null {
  for (const event of events) {
    const isEnd = event.type === 'market_cancelled' || event.type === 'market_resolved';
    if (isEnd && event.marketId === marketId) return event;
  }
  return null;
}

export function tellHalted(
  { say, memory, outcome }: PublicTeller<'market.halted' | 'circuit_breaker.changed'>,
  { marketId, reason, untilMs }: MarketHalted,
  index: number,
): void {
  const { atMs } = outcome;
  const data = {
    market_id: marketId,
    reason,
    since_ms: atMs,
    resumes_at: isoTimeOrNull(untilMs),
    resumes_at_ms: untilMs,
    cancel_allowed: true,
  };
  say(
    'market.halted',
    factsOf(marketId, index, () => data),
  );
  if (!memory.halt(marketId, reason)) return;
  const retryAfterMs = untilMs === null ? null : Math.max(0, untilMs - atMs);
  const facts = { state: 'open', reason, sinceMs: atMs, retryAfterMs } as const;
  say('circuit_breaker.changed', breakerFacts(marketId, index, facts));
}

export function tellResumed(
  { say, memory, outcome }: PublicTeller<'market.resumed' | 'circuit_breaker.changed'>,
  { marketId }: MarketResumed,
  index: number,
): void {
  const { atMs } = outcome;
  const data = { market_id: marketId, ...instant('resumed_at', atMs) };
  say(
    'market.resumed',
    factsOf(marketId, index, () => data),
  );
  if (!memory.resume(marketId)) return;
  const facts = { state: 'closed', reason: 'resumed', sinceMs: atMs, retryAfterMs: null } as const;
  say('circuit_breaker.changed', breakerFacts(marketId, index, facts));
}

export function tellResolved(
  { say, memory, outcome }: PublicTeller<'market.resolved' | 'resolution.finalized'>,
  { marketId, payout }: MarketResolved,
  index: number,
): void {
  const resolved = (): object => ({
    market_id: marketId,
    ...payouts(memory.outcomesOf(marketId), payout),
    resolution_id: resolutionIdText(marketId),
    ...instant('settled_at', outcome.atMs),
  });
  const finalized = (state: State): object => {
    const market = state.markets.get(marketId);
    return {
      market_id: marketId,
      resolution: market === undefined ? null : resolutionView(market),
    };
  };
  say('market.resolved', factsOf(marketId, index, resolved));
  say('resolution.finalized', factsOf(marketId, index, finalized));
}

export function tellProposed(
  { say, memory }: PublicTeller<'resolution.proposed' | 'market_updated'>,
  { marketId, payout, evidence, windowEndsAtMs, cancellation }: ResolutionProposed,
  index: number,
): void {
  const data = (): object => ({
    market_id: marketId,
    resolution_id: resolutionIdText(marketId),
    ...payouts(memory.outcomesOf(marketId), payout),
    evidence_hash: hash('sha256', JSON.stringify(evidence), 'hex'),
    ...instant('challenge_ends_at', windowEndsAtMs),
  });
  say('resolution.proposed', factsOf(marketId, index, data));
  if (cancellation === null) return;
  const changed = { cancellation: cancellationView(cancellation) };
  say('market_updated', updateFacts(marketId, index, changed));
}

export function tellDisputed(
  { say }: PublicTeller<'resolution.disputed'>,
  { marketId }: ResolutionDisputed,
  index: number,
): void {
  const data = {
    market_id: marketId,
    resolution_id: resolutionIdText(marketId),
    dispute_id: `dsp_${marketId.slice('m_'.length)}`,
    round: DISPUTE_ROUND,
  };
  say(
    'resolution.disputed',
    factsOf(marketId, index, () => data),
  );
}

export function tellWindowMoved(
  { say }: PublicTeller<'market_updated'>,
  { marketId, windowEndsAtMs }: ResolutionWindowMoved,
  index: number,
): void {
  const resolution = instant('challenge_ends_at', windowEndsAtMs);
  say('market_updated', updateFacts(marketId, index, { resolution }));
}

export function tellTickSize(
  { say, outcome }: PublicTeller<'tick_size_changed' | 'market_updated'>,
  { marketId, fromPips, toPips }: TickSizeChanged,
  index: number,
): void {
  const changed = {
    market_id: marketId,
    old_tick_size: pipsText(fromPips),
    new_tick_size: pipsText(toPips),
    ...instant('effective_at', outcome.atMs),
    orders_affected: 'kept',
  };
  say(
    'tick_size_changed',
    factsOf(marketId, index, () => changed),
  );
  say('market_updated', updateFacts(marketId, index, { tick_size: pipsText(toPips) }));
}

export function tellClarified(
  { say }: PublicTeller<'market_updated'>,
  { marketId, text }: MarketClarified,
  index: number,
): void {
  const data = (state: State): object => {
    const clarifications = state.markets.get(marketId)?.clarifications ?? [];
    const changed = { clarifications: clarifications.map(clarificationView) };
    return { market_id: marketId, changed, clarification: text };
  };
  say('market_updated', factsOf(marketId, index, data));
}

/** Of what it can be attached to, everybody sees markets alone. */
export function tellChainData(
  { say }: PublicTeller<'market_updated'>,
  { record, data }: ChainDataAttached,
  index: number,
): void {
  if (record.kind !== 'market') return;
  say('market_updated', updateFacts(record.id, index, { chain_data: chainDataView(data) }));
}

function updateFacts(marketId: MarketId, index: number, changed: object): Facts<'everybody'> {
  return factsOf(marketId, index, () => ({ market_id: marketId, changed, clarification: null }));
}

type TrafficLane = NonNullable<WebhookData<'circuit_breaker.changed'>['lane']>;

/** Kinds of traffic that read-only mode stops; all traffic of the sandbox is one kind. */
const STOPPED: readonly (readonly [only: LaneName, lane: TrafficLane])[] = [
  ['live', 'trade'],
  ['live', 'create'],
  ['sandbox', 'sandbox'],
];

/** A mode of the platform, and a breaker for each kind of traffic that it stops. */
export function tellReadOnly(
  { say, outcome }: PublicTeller<'platform_mode' | 'circuit_breaker.changed'>,
  { readOnly, cancelOnly, reason }: ReadOnlyChanged,
  index: number,
): void {
  const mode = { mode: platformModeOf(readOnly, cancelOnly), reason };
  say('platform_mode', { accountId: null, index, data: () => mode });
  for (const [only, lane] of STOPPED) {
    const data = {
      lane,
      market_id: null,
      state: readOnly ? 'open' : 'closed',
      reason,
      since_ms: outcome.atMs,
      retry_after_ms: null,
    };
    say('circuit_breaker.changed', { accountId: null, index, only, part: lane, data: () => data });
  }
}

interface Breaker {
  readonly state: 'open' | 'closed';
  readonly reason: string;
  readonly sinceMs: number;
  readonly retryAfterMs: number | null;
}

/** The breaker of one market keeps its place among the events of that market. */
function breakerFacts(marketId: MarketId, index: number, breaker: Breaker): Facts<'everybody'> {
  const { state, reason, sinceMs, retryAfterMs } = breaker;
  const data = {
    lane: null,
    market_id: marketId,
    state,
    reason,
    since_ms: sinceMs,
    retry_after_ms: retryAfterMs,
  };
  return { ...factsOf(marketId, index, () => data), aggregate: 'market' };
}

function factsOf(
  marketId: MarketId,
  index: number,
  data: (state: State) => object,
): Facts<'everybody'> {
  return { accountId: null, id: marketId, marketId, index, data };
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
