// Cancellation of traded markets: looked at, proposed by one operator and confirmed by another.

import { Type } from 'typebox';
import { marketIdentified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, outcomeId, pathId } from '../ids.ts';
import { queryOf } from '../paging.ts';
import { epochMs, moneyInput, oneOf } from '../primitives.ts';
import {
  CancellationPreview,
  confirmations,
  exampleCancellation,
  exampleCancellationPreview,
  RoundPreview,
  RoundResult,
  voidCauses,
} from '../resources/cancellation.ts';
import { exampleMarket, Market } from '../resources/market.ts';
import {
  closed,
  exampleAct,
  lane,
  operatorErrors,
  operatorReadErrors,
  plane,
  reason,
} from './plane.ts';

const ROUNDS_MAX = 100;

const params = Type.Object({ market_id: pathId('market', 'The market.') });
const { market_id: exampleId } = exampleMarket;
const exampleParams = { market_id: exampleId };
const { payout_vector: examplePayout, window: exampleWindow } = exampleCancellationPreview.default;
const exampleToMs = exampleWindow?.to_at_ms ?? 0;

const evidence = Type.Array(Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }), {
  minItems: 1,
  maxItems: 20,
});
const cause = oneOf(voidCauses, {
  description: 'question: the creator of the market gains nothing by its pool.',
});

const ExpectedPayout = Type.Object(
  { outcome_id: outcomeId, payout: moneyInput('0 to 1; all of them sum to 1.') },
  { title: 'ExpectedPayout', ...closed },
);
/** The payout that the preview showed. */
const expectedOf = (outcomesMax: number) =>
  Type.Array(ExpectedPayout, {
    minItems: 2,
    maxItems: outcomesMax,
    description: 'The payout that the preview showed.',
  });
/** A body has at most 1,000 keys. */
const ROUND_OUTCOMES_MAX = 3;

const WindowInput = Type.Object(
  { from_ms: epochMs('Start of the window.'), to_ms: epochMs('End of the window.') },
  { title: 'WindowInput', ...closed },
);

const desk = { ...plane, role: 'market_manager' } as const;
const act = { ...desk, method: 'POST', stepUp: true, idempotency: 'optional' } as const;
const look = { ...desk, role: 'viewer', method: 'GET', idempotency: 'none' } as const;

export const previewCancellation = operation({
  ...look,
  id: 'previewCancellation',
  path: '/admin/v1/markets/{market_id}/cancellation',
  summary: 'What a cancellation would pay',
  description:
    'The payout by the default window, the last 24 hours and the window asked about, with who gains and who loses. Halt the market first: prices that go on change the payout.',
  input: {
    params,
    query: queryOf({
      lane,
      cause: Type.Optional(cause),
      from_ms: Type.Optional(epochMs('Start of the window; with to_ms.')),
      to_ms: Type.Optional(epochMs('End of the window; with from_ms.')),
      excluded: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: 'Outcome ids known to be false, separated by commas.',
        }),
      ),
    }),
    body: null,
  },
  data: CancellationPreview,
  errors: [...operatorReadErrors, ...marketIdentified, 'STATE_CONFLICT'],
  example: {
    params: exampleParams,
    query: { lane: 'sandbox' },
    data: exampleCancellationPreview,
  },
});

export const proposeCancellation = operation({
  ...act,
  id: 'proposeCancellation',
  path: '/admin/v1/markets/{market_id}/cancellation',
  summary: 'Propose a cancellation',
  description:
    'Locks the market and fixes the payout. After the notice (24 hours in live) another operator confirms or drops it; nothing happens by itself.',
  input: {
    params,
    query: null,
    body: Type.Object(
      {
        lane,
        reason,
        cause,
        evidence,
        window: Type.Optional(WindowInput),
        excluded: Type.Optional(
          Type.Array(outcomeId, { maxItems: 63, description: 'Outcomes known to be false.' }),
        ),
        expected: expectedOf(64),
      },
      { title: 'CancellationInput', ...closed },
    ),
  },
  data: Market,
  errors: [...operatorErrors, ...marketIdentified, 'STATE_CONFLICT'],
  example: {
    params: exampleParams,
    body: {
      ...exampleAct,
      cause: 'event',
      evidence: ['https://example.com/abandoned'],
      window: { from_ms: exampleWindow?.from_at_ms ?? 0, to_ms: exampleToMs },
      expected: examplePayout,
    },
    data: { ...exampleMarket, status: 'settling', cancellation: exampleCancellation },
  },
});

export const confirmCancellation = operation({
  ...act,
  id: 'confirmCancellation',
  path: '/admin/v1/markets/{market_id}/cancellation/ruling',
  summary: 'Confirm or drop a cancellation',
  description:
    'By another operator than the one who proposed it: upheld pays every share, final; too_early drops the proposal.',
  input: {
    params,
    query: null,
    body: Type.Object(
      { lane, reason, ruling: oneOf(confirmations) },
      { title: 'CancellationRulingInput', ...closed },
    ),
  },
  data: Market,
  errors: [...operatorErrors, ...marketIdentified, 'STATE_CONFLICT', 'PROPOSAL_STATE_INVALID'],
  example: {
    params: exampleParams,
    body: { ...exampleAct, ruling: 'upheld' },
    data: {
      ...exampleMarket,
      status: 'cancelled',
      payout_vector: examplePayout,
      cancellation: exampleCancellation,
    },
  },
});

const roundIds = Type.Array(idOf('market'), { minItems: 1, maxItems: ROUNDS_MAX });

export const previewRounds = operation({
  ...look,
  id: 'previewRounds',
  path: '/admin/v1/cancellations',
  summary: 'What a cancellation of rounds would pay',
  description:
    'For rounds of one template whose source failed: each is paid by the third of its trading time before to_ms.',
  input: {
    ...noInput,
    query: queryOf({
      lane,
      market_ids: Type.String({
        minLength: 1,
        maxLength: 2048,
        description: `At most ${ROUNDS_MAX}, separated by commas.`,
      }),
      to_ms: epochMs('The last valid reading of the source.'),
    }),
  },
  data: Type.Object({ rounds: Type.Array(RoundPreview) }, { title: 'RoundPreviews' }),
  errors: [...operatorReadErrors],
  example: {
    query: { lane: 'sandbox', market_ids: exampleId, to_ms: exampleToMs },
    data: {
      rounds: [
        {
          market_id: exampleId,
          title: exampleMarket.title,
          payout_vector: examplePayout,
          window: exampleWindow,
          error: null,
        },
      ],
    },
  },
});

export const proposeRounds = operation({
  ...act,
  id: 'proposeRounds',
  path: '/admin/v1/cancellations',
  summary: 'Propose a cancellation of rounds',
  description:
    'Of all of them or of none: up to 100 locked or halted rounds of one template with at most 3 outcomes. Cancel rounds with more outcomes one by one.',
  input: {
    ...noInput,
    body: Type.Object(
      {
        lane,
        reason,
        cause,
        evidence,
        to_ms: epochMs('The last valid reading of the source.'),
        rounds: Type.Array(
          Type.Object(
            { market_id: idOf('market'), expected: expectedOf(ROUND_OUTCOMES_MAX) },
            { title: 'RoundInput', ...closed },
          ),
          { minItems: 1, maxItems: ROUNDS_MAX },
        ),
      },
      { title: 'RoundsInput', ...closed },
    ),
  },
  data: Type.Object({ rounds: Type.Array(RoundResult) }, { title: 'RoundResults' }),
  errors: [...operatorErrors, 'MARKET_NOT_FOUND', 'STATE_CONFLICT'],
  example: {
    body: {
      ...exampleAct,
      cause: 'source',
      evidence: ['https://status.example.com/outage'],
      to_ms: exampleToMs,
      rounds: [{ market_id: exampleId, expected: examplePayout }],
    },
    data: { rounds: [{ market_id: exampleId, status: 'settling', error: null }] },
  },
});

export const confirmRounds = operation({
  ...act,
  id: 'confirmRounds',
  path: '/admin/v1/cancellations/ruling',
  summary: 'Confirm or drop a cancellation of rounds',
  description: 'As confirmCancellation, each round by itself; what was refused says why.',
  idempotency: 'none',
  input: {
    ...noInput,
    body: Type.Object(
      { lane, reason, ruling: oneOf(confirmations), market_ids: roundIds },
      { title: 'RoundsRulingInput', ...closed },
    ),
  },
  data: Type.Object({ rounds: Type.Array(RoundResult) }, { title: 'RuledRounds' }),
  errors: [...operatorReadErrors, 'STATE_CONFLICT'],
  example: {
    body: { ...exampleAct, ruling: 'upheld', market_ids: [exampleId] },
    data: { rounds: [{ market_id: exampleId, status: 'cancelled', error: null }] },
  },
});
