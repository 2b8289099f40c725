// What an operator does to a market: halt, resume, approve, cancel, propose an answer, rule.

import { Type } from 'typebox';
import { marketIdentified } from '../bundles.ts';
import { operation } from '../define.ts';
import { idOf, outcomeId, pathId, templateId } from '../ids.ts';
import { moneyInput, oneOf, openObject } from '../primitives.ts';
import { orApproval } from '../resources/approval.ts';
import { exampleClarification, exampleMarket, Market } from '../resources/market.ts';
import { ActInput, act, closed, exampleAct, message, operatorErrors, plane } from './plane.ts';

const marketParams = Type.Object({ market_id: pathId('market', 'The market.') });
const marketExample = { market_id: exampleMarket.market_id };

const marketAct = {
  ...plane,
  role: 'market_manager',
  method: 'POST',
  idempotency: 'optional',
  input: { params: marketParams, query: null, body: ActInput },
  data: Market,
  errors: [...operatorErrors, ...marketIdentified, 'STATE_CONFLICT'],
  example: { params: marketExample, body: exampleAct, data: exampleMarket },
} as const;

/** An act that everyone hears of. */
const toldAct = {
  ...marketAct,
  input: {
    ...marketAct.input,
    body: Type.Object({ ...act, message }, { title: 'ToldActInput', ...closed }),
  },
} as const;

export const haltMarket = operation({
  ...toldAct,
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
  ...toldAct,
  id: 'cancelMarket',
  stepUp: true,
  path: '/admin/v1/markets/{market_id}/cancel',
  summary: 'Cancel an untraded market',
  description:
    'Returns the deposit in full, at once and final. A market that has traded is cancelled by proposeCancellation: STATE_CONFLICT.',
  errors: [...marketAct.errors, 'RESOLUTION_LOCKED'],
});

export const setTickSize = operation({
  ...marketAct,
  id: 'setTickSize',
  path: '/admin/v1/markets/{market_id}/tick-size',
  summary: 'Finer tick',
  description:
    'Prices may be multiples of a finer tick from now on, which must divide the one before, so that open orders keep their places. There is no way back.',
  input: {
    ...marketAct.input,
    body: Type.Object(
      { ...act, tick_size: moneyInput('A divisor of the one before, at least 0.0001.') },
      { title: 'TickSizeInput', ...closed },
    ),
  },
  example: {
    params: marketExample,
    body: { ...exampleAct, tick_size: '0.0001' },
    data: { ...exampleMarket, tick_size: '0.000100' },
  },
});

export const clarifyMarket = operation({
  ...marketAct,
  id: 'clarifyMarket',
  path: '/admin/v1/markets/{market_id}/clarifications',
  summary: 'Clarify a market',
  description:
    'Adds a text to what decides the market, for everybody to read, at most 20 of them; none is ever changed or taken back.',
  input: {
    ...marketAct.input,
    body: Type.Object(
      { ...act, text: Type.String({ minLength: 1, maxLength: 2000, pattern: '\\S' }) },
      { title: 'ClarificationInput', ...closed },
    ),
  },
  example: {
    params: marketExample,
    body: { ...exampleAct, text: exampleClarification.text },
    data: { ...exampleMarket, clarifications: [exampleClarification] },
  },
});

export const createPlatformMarket = operation({
  ...plane,
  id: 'createPlatformMarket',
  role: 'market_manager',
  method: 'POST',
  path: '/admin/v1/markets',
  summary: 'Make a market',
  description:
    'From any template, also normal and fast ones, which accounts may not use. The deposit comes from the platform’s account; in the sandbox from the one named, if one is, which live refuses.',
  idempotency: 'optional',
  input: {
    params: null,
    query: null,
    body: Type.Object(
      {
        ...act,
        template_id: templateId,
        params: openObject('Must satisfy the params_schema of the template.'),
        display_title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
        display_image_url: Type.Optional(Type.String({ format: 'uri', maxLength: 2048 })),
        account_id: Type.Optional(idOf('account')),
      },
      { title: 'PlatformMarketInput', ...closed },
    ),
  },
  data: Market,
  errors: [
    ...operatorErrors,
    'NOT_FOUND',
    'SUBACCOUNT_FROZEN',
    'MARKET_TEMPLATE_UNKNOWN',
    'MARKET_TEMPLATE_PARAM_INVALID',
    'BALANCE_INSUFFICIENT',
  ],
  example: {
    body: {
      ...exampleAct,
      template_id: exampleMarket.template_id,
      params: { symbol: 'BTC', level: 100000, closes_at_ms: 1_798_761_600_000 },
    },
    data: exampleMarket,
  },
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
  role: 'market_manager',
  stepUp: true,
  approval: 'always',
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
  data: orApproval(Market),
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
  role: 'market_manager',
  stepUp: true,
  approval: 'always',
  method: 'POST',
  path: '/admin/v1/markets/{market_id}/ruling',
  summary: 'Rule on a resolution',
  description:
    'Upholds, overturns or voids the proposal, final; or too_early, which gives the market back, disputed or not.',
  idempotency: 'optional',
  input: {
    params: marketParams,
    query: null,
    body: Type.Object(
      { ...act, ruling: oneOf(['upheld', 'overturned', 'void', 'too_early']), ...answer },
      { title: 'RulingInput', ...closed },
    ),
  },
  data: orApproval(Market),
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
