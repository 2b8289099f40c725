// Cancellation of a market: looked at, proposed by one operator, confirmed or dropped by another.
import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import {
  asMarketId,
  hasTraded,
  type MarketId,
  type Proposal,
  roundValue,
  type State,
  windowOfRound,
} from '@sibyl/engine';
import type { Pips } from '@sibyl/money';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { payoutView, windowView } from '../wire/cancellation-view.ts';
import { confirmation, peopleFault } from './cancellation-people.ts';
import { readPreview, type Terms, windowFlags } from './cancellation-preview.ts';
import { MARKET_ID } from './finding.ts';
import { actOn, payoutOf } from './markets.ts';
import {
  act,
  laneOf,
  type MarketView,
  type OperatorHandlers,
  type OperatorParts,
  type WatchedLane,
} from './parts.ts';
import { actOnce } from './saved-answer.ts';

type CancellationActs = Pick<
  OperatorHandlers,
  | 'previewCancellation'
  | 'proposeCancellation'
  | 'confirmCancellation'
  | 'previewRounds'
  | 'proposeRounds'
  | 'confirmRounds'
>;

export function cancellationActs(parts: OperatorParts): CancellationActs {
  return {
    async previewCancellation(_request, { params, query }) {
      const watched = laneOf(parts, query.lane);
      const terms = termsOf(params.market_id, query);
      if (watched instanceof ApiError) return watched;
      if (terms instanceof ApiError) return terms;
      const data = await readPreview(watched, terms);
      return data instanceof ApiError ? data : { data };
    },
    // A repeated key is answered before the checks: the market has changed by its own act.
    proposeCancellation: (request, { params, body }) =>
      actOnce(parts, request, () => propose(parts, request, params.market_id, body)),
    confirmCancellation: (request, { params, body }) =>
      actOnce(parts, request, () => confirm(parts, request, params.market_id, body)),
    async previewRounds(_request, { query }) {
      const watched = laneOf(parts, query.lane);
      if (watched instanceof ApiError) return watched;
      const ids = listOf(query.market_ids);
      if (ids.length === 0 || ids.length > ROUNDS_MAX || !ids.every((id) => MARKET_ID.test(id))) {
        const expected = `1 to ${ROUNDS_MAX} ids of markets, separated by commas`;
        return fail('VALIDATION_FAILED', { field: 'market_ids', expected });
      }
      return { data: { rounds: await previewRounds(watched, ids, query.to_ms) } };
    },
    proposeRounds: (request, { body }) =>
      actOnce(parts, request, () => proposeRounds(parts, request, body)),
    confirmRounds: (request, { body }) => confirmRounds(parts, request, body),
  };
}

const ROUNDS_MAX = 100;

type Query = InputOf<OperatorOperations['previewCancellation']>['query'];
type Wanted = InputOf<OperatorOperations['proposeCancellation']>['body'];
type Ruling = InputOf<OperatorOperations['confirmCancellation']>['body'];
type Rounds = InputOf<OperatorOperations['proposeRounds']>['body'];
type RoundsRuling = InputOf<OperatorOperations['confirmRounds']>['body'];
type RoundPreview = OutputOf<OperatorOperations['previewRounds']>['rounds'][number];
type RoundResults = OutputOf<OperatorOperations['confirmRounds']>;

function termsOf(marketId: string, query: Query): Terms | ApiError {
  const { cause = 'other', from_ms: fromMs, to_ms: toMs, excluded = '' } = query;
  if ((fromMs === undefined) !== (toMs === undefined)) {
    return fail('MISSING_FIELD', { field: fromMs === undefined ? 'from_ms' : 'to_ms' });
  }
  const window = fromMs === undefined || toMs === undefined ? null : { fromMs, toMs };
  return { marketId, cause, window, excluded: listOf(excluded) };
}

/** Ids of a query, which are separated by commas. */
function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
}

async function propose(
  parts: OperatorParts,
  request: RequestContext,
  marketId: string,
  body: Wanted,
): Promise<Reply<MarketView> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const id = asMarketId(marketId);
  const expected = await payoutOf(watched.lane, marketId, body.expected, 'expected');
  if (expected instanceof ApiError) return expected;
  const { cause, excluded = [] } = body;
  const window =
    body.window === undefined ? null : { fromMs: body.window.from_ms, toMs: body.window.to_ms };
  const fault =
    (await peopleFault(parts, watched, request, [id])) ??
    (await untraded(watched, id)) ??
    (await windowFault(watched, { marketId, cause, window, excluded }));
  if (fault !== null) return fault;
  return actOn(parts, request, marketId, body, () => ({
    type: 'propose_void',
    marketId: id,
    cause,
    reason: body.reason,
    evidence: body.evidence,
    window,
    excluded,
    expected,
  }));
}

async function untraded({ lane }: WatchedLane, id: MarketId): Promise<ApiError | null> {
  const isTraded = await lane.read((state) => {
    const market = state.markets.get(id);
    return market === undefined || hasTraded(market);
  });
  if (isTraded) return null;
  const message = 'Nothing was traded in this market: cancel it at once (cancelMarket).';
  return fail('STATE_CONFLICT', { market_id: id, reason: 'untraded' }, message);
}

/** The default window is refused where few families traded in it or the price has moved since. */
async function windowFault(watched: WatchedLane, terms: Terms): Promise<ApiError | null> {
  if (terms.window !== null) return null;
  const flags = await windowFlags(watched, terms);
  if (flags instanceof ApiError) return flags;
  const { thin, moved } = flags;
  if (!thin && !moved) return null;
  const expected = 'a window named by the operators';
  const message = thin
    ? 'Too few families or too little depth in the default window: name a window.'
    : 'The default window and the last 24 hours pay differently: name a window.';
  return fail('VALIDATION_FAILED', { field: 'window', expected, thin, moved }, message);
}

async function confirm(
  parts: OperatorParts,
  request: RequestContext,
  marketId: string,
  body: Ruling,
): Promise<Reply<MarketView> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const ruling = await rulingOn(parts, watched, request, asMarketId(marketId), body);
  if (ruling instanceof ApiError) return ruling;
  return actOn(parts, request, marketId, body, () => ruling);
}

async function rulingOn(
  parts: OperatorParts,
  watched: WatchedLane,
  request: RequestContext,
  marketId: MarketId,
  { ruling }: Pick<Ruling, 'ruling'>,
) {
  const fault = await peopleFault(parts, watched, request, [marketId]);
  if (fault !== null) return fault;
  const proposal = await watched.lane.read((state) => proposalOf(state, marketId));
  if (proposal instanceof ApiError) return proposal;
  const allowed = await confirmation(parts, watched, request, proposal);
  if (allowed instanceof ApiError) return allowed;
  const { alone } = allowed;
  return { type: 'rule_resolution', marketId, ruling, result: null, alone } as const;
}

function proposalOf(state: State, marketId: MarketId): Proposal | ApiError {
  const market = state.markets.get(marketId);
  if (market === undefined) return fail('MARKET_NOT_FOUND', { market_id: marketId });
  const { proposal } = market;
  if (market.status === 'settling' && proposal?.cancellation != null) return proposal;
  const message = 'No operator has proposed to cancel this market.';
  return fail('PROPOSAL_STATE_INVALID', { market_id: marketId }, message);
}

function previewRounds(
  { lane }: WatchedLane,
  ids: readonly string[],
  toMs: number,
): Promise<RoundPreview[]> {
  return lane.read((state) =>
    ids.map((id) => {
      const nothing = { market_id: id, title: '', payout_vector: null, window: null };
      const market = state.markets.get(asMarketId(id));
      if (market === undefined) return { ...nothing, error: 'MARKET_NOT_FOUND' };
      const { title, outcomes } = market;
      const value = roundValue(state, market, windowOfRound(state, market, toMs));
      if ('code' in value) return { ...nothing, title, error: value.code };
      const window = value.span === null ? null : windowView(value.span);
      const payout = payoutView(outcomes, value.payout);
      return { market_id: id, title, payout_vector: payout, window, error: null };
    }),
  );
}

async function proposeRounds(
  parts: OperatorParts,
  request: RequestContext,
  body: Rounds,
): Promise<Reply<RoundResults> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const ids = body.rounds.map(({ market_id: id }) => asMarketId(id));
  const fault = await peopleFault(parts, watched, request, ids);
  if (fault !== null) return fault;
  const rounds: { marketId: MarketId; expected: readonly Pips[] }[] = [];
  for (const { market_id: id, expected: vector } of body.rounds) {
    const expected = await payoutOf(watched.lane, id, vector, 'expected');
    if (expected instanceof ApiError) return expected;
    rounds.push({ marketId: asMarketId(id), expected });
  }
  const outcome = await act(watched.lane, request, body, {
    type: 'propose_void_rounds',
    rounds,
    cause: body.cause,
    reason: body.reason,
    evidence: body.evidence,
    toMs: body.to_ms,
  });
  if (outcome instanceof ApiError) return outcome;
  return { data: { rounds: await statusesOf(watched, ids) }, replayed: outcome.replayed };
}

async function confirmRounds(
  parts: OperatorParts,
  request: RequestContext,
  body: RoundsRuling,
): Promise<Reply<RoundResults> | ApiError> {
  const watched = laneOf(parts, body.lane);
  if (watched instanceof ApiError) return watched;
  const refusals = new Map<string, string>();
  const ids = body.market_ids.map(asMarketId);
  const fault = await peopleFault(parts, watched, request, ids);
  if (fault !== null) return fault;
  for (const id of ids) {
    const ruling = await rulingOn(parts, watched, request, id, body);
    const outcome =
      ruling instanceof ApiError ? ruling : await act(watched.lane, request, body, ruling);
    if (outcome instanceof ApiError) refusals.set(id, outcome.code);
  }
  const rounds = await statusesOf(watched, ids);
  return {
    data: { rounds: rounds.map((one) => ({ ...one, error: refusals.get(one.market_id) ?? null })) },
  };
}

function statusesOf(
  { lane }: WatchedLane,
  ids: readonly MarketId[],
): Promise<RoundResults['rounds']> {
  return lane.read((state) =>
    ids.map((id) => ({
      market_id: id,
      status: state.markets.get(id)?.status ?? 'unknown',
      error: null,
    })),
  );
}
