// What an operator does to a market: halt, resume, approve, cancel, change, propose, rule.

import type { InputOf, OperatorOperations } from '@sibyl/contract';
import { asMarketId, type CommandBody, type MarketId, type ResolutionResult } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';
import { type Pips, parsePips, USDT_ZERO } from '@sibyl/money';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import { answerFirst } from '../wire/first-answer.ts';
import { publicWords } from '../wire/public-words.ts';
import {
  type Act,
  act,
  laneOf,
  type MarketView,
  type OperatorHandlers,
  type OperatorParts,
} from './parts.ts';

type MarketActs = Pick<
  OperatorHandlers,
  | 'haltMarket'
  | 'resumeMarket'
  | 'approveMarket'
  | 'cancelMarket'
  | 'setTickSize'
  | 'clarifyMarket'
  | 'proposeResolution'
  | 'ruleResolution'
>;

export function marketActs(parts: OperatorParts): MarketActs {
  return {
    haltMarket: (request, { params, body }) =>
      actOn(parts, request, params.market_id, body, (marketId) => ({
        type: 'halt_market',
        marketId,
        untilMs: null,
        reason: body.message ?? publicWords.cancel_only,
      })),
    resumeMarket: (request, { params, body }) =>
      actOn(parts, request, params.market_id, body, (marketId) => ({
        type: 'resume_market',
        marketId,
      })),
    approveMarket: (request, { params, body }) =>
      actOn(parts, request, params.market_id, body, (marketId) => ({
        type: 'approve_market',
        marketId,
      })),
    cancelMarket: async (request, { params, body }) =>
      lockedIfResolved(
        await actOn(parts, request, params.market_id, body, (marketId) => ({
          type: 'cancel_market',
          marketId,
          reason: body.message ?? publicWords.cancelled,
        })),
      ),
    setTickSize: (request, { params, body }) =>
      actOn(parts, request, params.market_id, body, (marketId) => {
        const tick = parsePips(body.tick_size);
        if (tick.ok) return { type: 'set_tick_size', marketId, tickPips: tick.value };
        const expected = 'a price between 0 and 1 with up to 4 places';
        return fail('VALIDATION_FAILED', { field: 'tick_size', expected });
      }),
    clarifyMarket: (request, { params, body }) =>
      actOn(parts, request, params.market_id, body, (marketId) => ({
        type: 'clarify_market',
        marketId,
        text: body.text,
      })),
    proposeResolution: (request, { params, body }) => propose(parts, request, params, body),
    ruleResolution: (request, { params, body }) => rule(parts, request, params, body),
  };
}

type Proposal = InputOf<OperatorOperations['proposeResolution']>;
type Ruling = InputOf<OperatorOperations['ruleResolution']>;
type Answered = Pick<Proposal['body'], 'winning_outcome_id' | 'payout_vector'>;

export async function actOn(
  parts: OperatorParts,
  request: RequestContext,
  marketId: string,
  input: Act,
  bodyOf: (marketId: MarketId) => CommandBody | ApiError,
): Promise<Reply<MarketView> | ApiError> {
  const watched = laneOf(parts, input.lane);
  if (watched instanceof ApiError) return watched;
  const body = bodyOf(asMarketId(marketId));
  if (body instanceof ApiError) return body;
  const outcome = await act(watched.lane, request, input, body);
  if (outcome instanceof ApiError) return outcome;
  return answerFirst(parts, watched.lane, request, outcome, async () => ({
    data: await parts.views.market(input.lane, marketId),
    replayed: outcome.replayed,
  }));
}

/** What has been paid out cannot be voided, which is more than a wrong moment. */
function lockedIfResolved<T>(answer: T | ApiError): T | ApiError {
  if (!(answer instanceof ApiError) || answer.code !== 'STATE_CONFLICT') return answer;
  const { details, replayed } = answer;
  if (details?.status !== 'resolved') return answer;
  return new ApiError('RESOLUTION_LOCKED', { details, replayed });
}

async function propose(
  parts: OperatorParts,
  request: RequestContext,
  { market_id: marketId }: Proposal['params'],
  body: Proposal['body'],
): Promise<Reply<MarketView> | ApiError> {
  const result = await resultOf(parts, body.lane, marketId, body);
  if (result instanceof ApiError) return result;
  if (result === null) return fail('MISSING_FIELD', { field: 'winning_outcome_id' });
  return actOn(parts, request, marketId, body, (id) => ({
    type: 'propose_resolution',
    marketId: id,
    proposerId: null,
    result,
    evidence: body.evidence,
    bond: USDT_ZERO,
  }));
}

async function rule(
  parts: OperatorParts,
  request: RequestContext,
  { market_id: marketId }: Ruling['params'],
  body: Ruling['body'],
): Promise<Reply<MarketView> | ApiError> {
  const elsewhere = await cancellationFault(parts, body.lane, marketId);
  if (elsewhere !== null) return elsewhere;
  const result = await resultOf(parts, body.lane, marketId, body);
  if (result instanceof ApiError) return result;
  if (body.ruling === 'overturned' && result === null) {
    return fail('MISSING_FIELD', { field: 'winning_outcome_id' });
  }
  const answer = await actOn(parts, request, marketId, body, (id) => ({
    type: 'rule_resolution',
    marketId: id,
    ruling: body.ruling,
    result: body.ruling === 'overturned' ? result : null,
  }));
  const isRefused = answer instanceof ApiError && answer.code === 'PROPOSAL_STATE_INVALID';
  const isEarly = isRefused && (await isUndisputed(parts, body.lane, marketId));
  return isEarly ? fail('RESOLUTION_CHALLENGE_OPEN', { market_id: marketId }) : answer;
}

/** A proposed cancellation has an act of its own, which asks for another operator than the proposer. */
async function cancellationFault(
  parts: Pick<OperatorParts, 'opened'>,
  lane: Act['lane'],
  marketId: string,
): Promise<ApiError | null> {
  const isProposed = await parts.opened[lane]?.lane.read((state) => {
    const cancellation = state.markets.get(asMarketId(marketId))?.proposal?.cancellation ?? null;
    return cancellation !== null;
  });
  if (isProposed !== true) return null;
  const message = 'A cancellation is proposed: confirm or drop it (confirmCancellation).';
  return fail('PROPOSAL_STATE_INVALID', { market_id: marketId }, message);
}

/** There is a proposal, and its window is still open: nothing to rule on yet. */
async function isUndisputed(
  parts: OperatorParts,
  lane: Act['lane'],
  marketId: string,
): Promise<boolean> {
  const watched = parts.opened[lane];
  if (watched === undefined) return false;
  return watched.lane.read((state) => {
    const market = state.markets.get(asMarketId(marketId));
    return market?.status === 'settling' && market.proposal?.state === 'proposed';
  });
}

/** The one answer that was given; null if none was. */
async function resultOf(
  parts: OperatorParts,
  laneName: Act['lane'],
  marketId: string,
  { winning_outcome_id: outcomeId, payout_vector: vector }: Answered,
): Promise<ResolutionResult | ApiError | null> {
  if (vector === undefined) return outcomeId === undefined ? null : { kind: 'outcome', outcomeId };
  if (outcomeId !== undefined) {
    const expected = 'one of winning_outcome_id and payout_vector';
    return fail('VALIDATION_FAILED', { field: 'payout_vector', expected });
  }
  const watched = laneOf(parts, laneName);
  if (watched instanceof ApiError) return watched;
  const payout = await payoutOf(watched.lane, marketId, vector, 'payout_vector');
  return payout instanceof ApiError ? payout : { kind: 'payout', payout };
}

/** In the order of the outcomes. */
export async function payoutOf(
  lane: Lane,
  marketId: string,
  vector: NonNullable<Answered['payout_vector']>,
  field: string,
): Promise<readonly Pips[] | ApiError> {
  const ids = await outcomeIds(lane, marketId);
  if (ids === null) return fail('MARKET_NOT_FOUND');
  const named = new Map(vector.map(({ outcome_id: id, payout }) => [id, payout]));
  const payout = ids.map((id) => parsePips(named.get(id) ?? '0'));
  const isKnown = vector.every(({ outcome_id: id }) => ids.includes(id));
  const pips = payout.flatMap((part) => (part.ok ? [part.value] : []));
  if (!isKnown || named.size !== vector.length || pips.length !== ids.length) {
    const expected = 'each outcome once, from 0 to 1 in steps of 0.0001';
    return fail('VALIDATION_FAILED', { field, expected });
  }
  return pips;
}

function outcomeIds(lane: Lane, marketId: string): Promise<readonly string[] | null> {
  return lane.read(
    (state) => state.markets.get(asMarketId(marketId))?.outcomes.map(({ id }) => id) ?? null,
  );
}
