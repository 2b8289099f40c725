// Messages of the markets_snapshot stream: the list of markets, and what becomes of each.

import { Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import {
  epochMs,
  instant,
  Money,
  nullable,
  nullableInstant,
  oneOf,
  openObject,
} from '../primitives.ts';
import { Cancellation } from '../resources/cancellation.ts';
import { exampleMarket, exampleNewMarket, Market, marketStatuses } from '../resources/market.ts';
import { exampleResolution, Payout } from '../resources/resolution.ts';
import { message } from './define.ts';
import { epoch, sequence } from './frame.ts';

const stream = { stream: 'markets_snapshot', visibility: 'public' } as const;
const { market_id: exampleId } = exampleMarket;
const { resolution_id: exampleResolutionId, payout_vector: examplePayouts } = exampleResolution;
const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;
const fields = Market.properties;

const MarketRow = Type.Object(
  {
    market_id: fields.market_id,
    title: fields.title,
    rendered_title: fields.rendered_title,
    category: fields.category,
    market_type: fields.market_type,
    outcome_schema: fields.outcome_schema,
    status: fields.status,
    halted: fields.halted,
    outcomes: fields.outcomes,
    ...instant('closes_at', 'When trading closes.'),
    total_volume: Money,
    open_interest: Money,
  },
  { title: 'MarketRow', description: 'A Market without what only its own page needs.' },
);

const marketsSnapshot = message({
  ...stream,
  type: 'markets_snapshot',
  description: 'Every market that is not final yet; a long list comes in parts.',
  data: Type.Object(
    {
      epoch,
      seq: sequence,
      markets: Type.Array(MarketRow),
      part: Type.Integer({ minimum: 1 }),
      parts: Type.Integer({ minimum: 1 }),
    },
    { title: 'MarketsSnapshot' },
  ),
  example: {
    epoch: 'e_01J0000000000010',
    seq: 42,
    markets: [
      {
        market_id: exampleId,
        title: exampleMarket.title,
        rendered_title: exampleMarket.rendered_title,
        category: exampleMarket.category,
        market_type: exampleMarket.market_type,
        outcome_schema: exampleMarket.outcome_schema,
        status: exampleMarket.status,
        halted: exampleMarket.halted,
        outcomes: exampleMarket.outcomes,
        closes_at: exampleMarket.closes_at,
        closes_at_ms: exampleMarket.closes_at_ms,
        total_volume: exampleMarket.total_volume,
        open_interest: exampleMarket.open_interest,
      },
    ],
    part: 1,
    parts: 1,
  },
});

const marketCreated = message({
  ...stream,
  type: 'market_created',
  description: 'There is a new market.',
  data: Type.Object({ market: Market }, { title: 'MarketCreated' }),
  example: { market: exampleNewMarket },
});

const marketUpdated = message({
  ...stream,
  type: 'market_updated',
  description: 'Fields of a market changed, other than status and prices.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      changed: openObject('Fields of Market with their new values.'),
      clarification: nullable(Type.String({ description: 'A note on how it will be decided.' })),
    },
    { title: 'MarketUpdated' },
  ),
  example: { market_id: exampleId, changed: { approved: true }, clarification: null },
});

const marketStatusChanged = message({
  ...stream,
  type: 'market_status_changed',
  description: 'A market moved from one state to another.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      from: oneOf(marketStatuses),
      to: oneOf(marketStatuses),
      ts_ms: epochMs('When it moved.'),
      reason: nullable(Type.String()),
      payout_vector: nullable(
        Type.Array(Payout),
        'What each share was paid; null unless it has ended.',
      ),
      cancellation: nullable(Cancellation, 'Null unless it was cancelled.'),
    },
    { title: 'MarketStatusChange' },
  ),
  example: {
    market_id: exampleId,
    from: 'active',
    to: 'locked',
    ts_ms: exampleInstantMs,
    reason: null,
    payout_vector: null,
    cancellation: null,
  },
});

const marketHalted = message({
  ...stream,
  type: 'market_halted',
  description: 'Orders are refused with MARKET_HALTED; cancels still work.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      reason: Type.String(),
      since_ms: epochMs('Since when.'),
      ...nullableInstant('resumes_at', 'When trading goes on by itself; null if it does not.'),
      cancel_allowed: Type.Boolean(),
    },
    { title: 'MarketHalt' },
  ),
  example: {
    market_id: exampleId,
    reason: 'circuit_breaker',
    since_ms: exampleInstantMs,
    resumes_at: null,
    resumes_at_ms: null,
    cancel_allowed: true,
  },
});

const marketResumed = message({
  ...stream,
  type: 'market_resumed',
  description: 'Trading goes on.',
  data: Type.Object(
    { market_id: idOf('market'), ...instant('resumed_at', 'When.') },
    { title: 'MarketResume' },
  ),
  example: {
    market_id: exampleId,
    resumed_at: exampleInstant,
    resumed_at_ms: exampleInstantMs,
  },
});

const resolutionProposed = message({
  ...stream,
  type: 'resolution_proposed',
  description: 'An answer was proposed; it can be challenged until the window ends.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      resolution_id: idOf('resolution'),
      winning_outcome_id: nullable(outcomeId, 'Null for a scalar or split answer.'),
      payout_vector: Type.Array(Payout),
      evidence_hash: Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'SHA-256 of the evidence as JSON.',
      }),
      ...instant('challenge_ends_at', 'When the challenge window ends.'),
    },
    { title: 'ResolutionProposal' },
  ),
  example: {
    market_id: exampleId,
    resolution_id: exampleResolutionId,
    winning_outcome_id: 'yes',
    payout_vector: examplePayouts,
    evidence_hash: '0'.repeat(64),
    challenge_ends_at: '2026-11-14T14:00:00.000Z',
    challenge_ends_at_ms: 1_794_664_800_000,
  },
});

const resolutionDisputed = message({
  ...stream,
  type: 'resolution_disputed',
  description: 'The proposed answer is challenged.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      resolution_id: idOf('resolution'),
      dispute_id: idOf('dispute'),
      round: Type.Integer({ minimum: 1 }),
    },
    { title: 'ResolutionDispute' },
  ),
  example: {
    market_id: exampleId,
    resolution_id: exampleResolutionId,
    dispute_id: 'dsp_01J0000000000011',
    round: 1,
  },
});

const marketResolved = message({
  ...stream,
  type: 'market_resolved',
  description: 'The answer is final and everybody is paid.',
  data: Type.Object(
    {
      market_id: idOf('market'),
      winning_outcome_id: nullable(outcomeId, 'Null for a scalar or split answer.'),
      payout_vector: Type.Array(Payout),
      resolution_id: idOf('resolution'),
      ...instant('settled_at', 'When it was paid.'),
    },
    { title: 'MarketSettlement' },
  ),
  example: {
    market_id: exampleId,
    winning_outcome_id: 'yes',
    payout_vector: examplePayouts,
    resolution_id: exampleResolutionId,
    settled_at: exampleInstant,
    settled_at_ms: exampleInstantMs,
  },
});

export const marketMessages = Object.freeze({
  markets_snapshot: marketsSnapshot,
  market_created: marketCreated,
  market_updated: marketUpdated,
  market_status_changed: marketStatusChanged,
  market_halted: marketHalted,
  market_resumed: marketResumed,
  resolution_proposed: resolutionProposed,
  resolution_disputed: resolutionDisputed,
  market_resolved: marketResolved,
});
