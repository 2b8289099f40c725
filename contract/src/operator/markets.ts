// What an operator does to a market: halt, resume, approve, cancel, propose an answer, rule.

import { Type } from 'typebox';
import { marketIdentified } from '../bundles.ts';
import { operation } from '../define.ts';
import { outcomeId, pathId } from '../ids.ts';
import { moneyInput, oneOf } from '../primitives.ts';
import { exampleMarket, Market } from '../resources/market.ts';
import { ActInput, act, closed, exampleAct, operatorErrors, plane } from './plane.ts';

const marketParams = Type.Object({ market_id: pathId('market', 'The market.') });
const marketExample = { market_id: exampleMarket.market_id };

const marketAct = {
  ...plane,
  method: 'POST',
  idempotency: 'optional',
  input: { params: marketParams, query: null, body: ActInput },
  data: Market,
  errors: [...operatorErrors, ...marketIdentified, 'STATE_CONFLICT'],
  example: { params: marketExample, body: exampleAct, data: exampleMarket },
} as const;

export const haltMarket = operation({
  ...marketAct,
  id: 'haltMarket',
  path: '/admin/v1/markets/{market_id}/halt',
  summary: 'Halt a market',
  description: 'Orders are refused with MARKET_HALTED; cancels work.',
});

export const resumeMarket = operation({
  ...marketAct,
  id: 'resumeMarket',
  path: '/admin/v1/markets/{market_id}/resume',
  summary: 'Resume a market',
  description: 'Ends a halt.',
});

export const approveMarket = operation({
  ...marketAct,
  id: 'approveMarket',
  path: '/admin/v1/markets/{market_id}/approve',
  summary: 'Approve a market',
  description: 'Lets a market trade whose template needs approval.',
});

export const cancelMarket = operation({
  ...marketAct,
  id: 'cancelMarket',
  path: '/admin/v1/markets/{market_id}/cancel',
  summary: 'Cancel a market',
  description: 'Voids it and returns the stakes; cannot be undone.',
  errors: [...marketAct.errors, 'RESOLUTION_LOCKED'],
});

/** An answer: the outcome that won, or what one share of each outcome pays. */
const answer = {
  winning_outcome_id: Type.Optional(outcomeId),
  payout_vector: Type.Optional(
    Type.Array(
      Type.Object(
        { outcome_id: outcomeId, payout: moneyInput('0 to 1; all of them sum to 1.') },
        { title: 'PayoutInput', ...closed },
      ),
      { minItems: 2, maxItems: 64 },
    ),
  ),
};

export const proposeResolution = operation({
  ...plane,
  id: 'proposeResolution',
  method: 'POST',
  path: '/admin/v1/markets/{market_id}/resolution',
  summary: 'Propose an answer',
  description: 'Opens the challenge window of the template; the market settles when it ends.',
  idempotency: 'optional',
  input: {
    params: marketParams,
    query: null,
    body: Type.Object(
      {
        ...act,
        ...answer,
        evidence: Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 20 }),
      },
      { title: 'ProposalInput', ...closed },
    ),
  },
  data: Market,
  errors: [
    ...operatorErrors,
    ...marketIdentified,
    'STATE_CONFLICT',
    'RESOLUTION_EVIDENCE_MISSING',
    'RESOLUTION_CHALLENGE_OPEN',
    'RESOLUTION_LOCKED',
  ],
  example: {
    params: marketExample,
    body: { ...exampleAct, winning_outcome_id: 'yes', evidence: ['https://example.com/result'] },
    data: exampleMarket,
  },
});

export const ruleResolution = operation({
  ...plane,
  id: 'ruleResolution',
  method: 'POST',
  path: '/admin/v1/markets/{market_id}/ruling',
  summary: 'Rule on a resolution',
  description: 'Upholds, overturns or voids the proposal; final.',
  idempotency: 'optional',
  input: {
    params: marketParams,
    query: null,
    body: Type.Object(
      { ...act, ruling: oneOf(['upheld', 'overturned', 'void']), ...answer },
      { title: 'RulingInput', ...closed },
    ),
  },
  data: Market,
  errors: [
    ...operatorErrors,
    ...marketIdentified,
    'PROPOSAL_STATE_INVALID',
    'RESOLUTION_CHALLENGE_OPEN',
    'RESOLUTION_LOCKED',
  ],
  example: {
    params: marketExample,
    body: { ...exampleAct, ruling: 'upheld' },
    data: exampleMarket,
  },
});
