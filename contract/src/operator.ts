// The operator plane: operations under /admin/v1 on a listener of their own, never on the public port.

import { Type } from 'typebox';
import { common, identified, marketIdentified, replayable } from './bundles.ts';
import { noInput, operation } from './define.ts';
import { outcomeId, pathId } from './ids.ts';
import { limits, tiers } from './limits.ts';
import { queryOf } from './paging.ts';
import { moneyInput, oneOf } from './primitives.ts';
import { ApiKey, environments, exampleApiKey } from './resources/api-key.ts';
import { exampleMarket, Market } from './resources/market.ts';
import {
  AccountTier,
  Backup,
  Deposit,
  exampleAccountTier,
  exampleBackup,
  exampleDeposit,
  exampleMode,
  exampleReconciliation,
  PlatformMode,
  platformModes,
  Reconciliation,
} from './resources/operator.ts';
import { exampleTemplate, Template } from './resources/template.ts';
import { exampleTemplateInput, TemplateInput } from './resources/template-input.ts';

const closed = { additionalProperties: false };
const lane = oneOf(environments, { description: 'The lane it acts on.' });

/** Every act says where, who and why; the journal keeps all three. */
const act = {
  lane,
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 64, default: 'operator' })),
  reason: Type.String({ minLength: 3, maxLength: 500, description: 'Kept in the journal.' }),
};
const exampleAct = { lane: 'sandbox', reason: 'ticket 4711' } as const;

const plane = {
  group: 'Operator',
  auth: 'operator',
  permission: null,
  scope: null,
  rate: 'account_write',
  readOnlyMode: 'allowed',
  counted: false,
  since: '0.2',
  list: false,
} as const;

const operatorErrors = [...common, 'AUTH_REQUIRED', 'AUTH_INVALID', ...replayable] as const;
const marketParams = Type.Object({ market_id: pathId('market', 'The market.') });
const marketExample = { market_id: exampleMarket.market_id };
const ActInput = Type.Object(act, { title: 'ActInput', ...closed });

const marketAct = {
  ...plane,
  method: 'POST',
  idempotency: 'optional',
  input: { params: marketParams, query: null, body: ActInput },
  data: Market,
  errors: [...operatorErrors, ...marketIdentified, 'STATE_CONFLICT'],
  example: { params: marketExample, body: exampleAct, data: exampleMarket },
} as const;

const setPlatformMode = operation({
  ...plane,
  id: 'setPlatformMode',
  method: 'POST',
  path: '/admin/v1/mode',
  summary: 'Read-only mode',
  description: 'Pauses or resumes trading in one lane; reads and cancels always work.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object({ ...act, mode: oneOf(platformModes) }, { title: 'ModeInput', ...closed }),
  },
  data: PlatformMode,
  errors: [...operatorErrors],
  example: { body: { ...exampleAct, mode: 'read_only' }, data: exampleMode },
});

const haltMarket = operation({
  ...marketAct,
  id: 'haltMarket',
  path: '/admin/v1/markets/{market_id}/halt',
  summary: 'Halt a market',
  description: 'Orders are refused with MARKET_HALTED; cancels work.',
});

const resumeMarket = operation({
  ...marketAct,
  id: 'resumeMarket',
  path: '/admin/v1/markets/{market_id}/resume',
  summary: 'Resume a market',
  description: 'Ends a halt.',
});

const approveMarket = operation({
  ...marketAct,
  id: 'approveMarket',
  path: '/admin/v1/markets/{market_id}/approve',
  summary: 'Approve a market',
  description: 'Lets a market trade whose template needs approval.',
});

const cancelMarket = operation({
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

const proposeResolution = operation({
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

const ruleResolution = operation({
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

const creditDeposit = operation({
  ...plane,
  id: 'creditDeposit',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/deposits',
  summary: 'Credit a deposit',
  description: 'The only way live money comes in; external_ref makes each deposit count once.',
  idempotency: 'required',
  input: {
    params: Type.Object({ account_id: pathId('account', 'The account.') }),
    query: null,
    body: Type.Object(
      {
        ...act,
        asset: oneOf(['USDT']),
        amount: moneyInput('Above 0, up to 6 places.'),
        external_ref: Type.String({ minLength: 1, maxLength: 128 }),
      },
      { title: 'DepositInput', ...closed },
    ),
  },
  data: Deposit,
  errors: [...operatorErrors, 'IDEMPOTENCY_KEY_MISSING', ...identified, 'ALREADY_EXISTS'],
  example: {
    params: { account_id: exampleDeposit.account_id },
    body: {
      lane: 'live',
      reason: 'wire received',
      asset: 'USDT',
      amount: '250',
      external_ref: 'wire-0001',
    },
    data: exampleDeposit,
  },
});

/** At least one of the two; the lane plays no part, because keys and users are shared by both. */
const TierInput = Type.Object(
  {
    actor: act.actor,
    reason: act.reason,
    tier: Type.Optional(oneOf(tiers)),
    rate_multiplier: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.rate.multiplierMax }),
    ),
  },
  { title: 'TierInput', ...closed },
);

const setKeyTier = operation({
  ...plane,
  id: 'setKeyTier',
  method: 'POST',
  path: '/admin/v1/keys/{key_id}/tier',
  summary: 'Tier of a key',
  description: 'Sets the tier or the rate multiplier of one key, at once.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ key_id: pathId('key', 'The public id.') }),
    query: null,
    body: TierInput,
  },
  data: ApiKey,
  errors: [...operatorErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: { key_id: exampleApiKey.key_id },
    body: { reason: 'graduation', tier: 'trade_capped' },
    data: { ...exampleApiKey, tier: 'trade_capped', environment: 'live' },
  },
});

const setAccountTier = operation({
  ...plane,
  id: 'setAccountTier',
  method: 'POST',
  path: '/admin/v1/accounts/{account_id}/tier',
  summary: 'Tier of a user',
  description: 'Sets the tier that keys minted from now on have, or the multiplier of sessions.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ account_id: pathId('account', 'An account of the user.') }),
    query: null,
    body: TierInput,
  },
  data: AccountTier,
  errors: [...operatorErrors, ...identified],
  example: {
    params: { account_id: exampleAccountTier.account_id },
    body: { reason: 'verified', tier: 'trade_full' },
    data: exampleAccountTier,
  },
});

const getReconciliation = operation({
  ...plane,
  id: 'getReconciliation',
  method: 'GET',
  path: '/admin/v1/reconciliation',
  summary: 'Reconciliation report',
  description: 'Sums every ledger account of a lane and checks the invariants on the whole state.',
  rate: 'account_read',
  idempotency: 'none',
  input: { ...noInput, query: queryOf({ lane }) },
  data: Reconciliation,
  errors: [...common, 'AUTH_REQUIRED', 'AUTH_INVALID'],
  example: { query: { lane: 'sandbox' }, data: exampleReconciliation },
});

const publishTemplate = operation({
  ...plane,
  id: 'publishTemplate',
  method: 'POST',
  path: '/admin/v1/templates',
  summary: 'Publish a template',
  description: 'A new template, or the next version of one.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object({ ...act, template: TemplateInput }, { title: 'PublishInput', ...closed }),
  },
  data: Template,
  errors: [
    ...operatorErrors,
    'TEMPLATE_SCHEMA_INVALID',
    'TEMPLATE_DISPLAY_KEY_MISSING',
    'ORACLE_ADAPTER_UNKNOWN',
    'CONFLICT',
  ],
  example: {
    body: { ...exampleAct, template: exampleTemplateInput },
    data: exampleTemplate,
  },
});

const deprecateTemplate = operation({
  ...plane,
  id: 'deprecateTemplate',
  method: 'POST',
  path: '/admin/v1/templates/{template_id}/deprecate',
  summary: 'Deprecate a template',
  description: 'No new markets from it; those that exist go on.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ template_id: Type.String({ minLength: 1, maxLength: 128 }) }),
    query: null,
    body: ActInput,
  },
  data: Template,
  errors: [...operatorErrors, 'NOT_FOUND', 'STATE_CONFLICT'],
  example: {
    params: { template_id: exampleTemplate.id },
    body: exampleAct,
    data: { ...exampleTemplate, status: 'deprecated' },
  },
});

const createBackup = operation({
  ...plane,
  id: 'createBackup',
  method: 'POST',
  path: '/admin/v1/backups',
  summary: 'Back up',
  description: 'Copies journals, snapshots, users and keys into a new folder while serving.',
  idempotency: 'optional',
  input: {
    ...noInput,
    body: Type.Object(
      { actor: act.actor, reason: act.reason },
      { title: 'BackupInput', ...closed },
    ),
  },
  data: Backup,
  errors: [...operatorErrors, 'STATE_CONFLICT'],
  example: { body: { reason: 'before the upgrade' }, data: exampleBackup },
});

export const operatorOperations = Object.freeze({
  setPlatformMode,
  haltMarket,
  resumeMarket,
  approveMarket,
  cancelMarket,
  proposeResolution,
  ruleResolution,
  creditDeposit,
  setKeyTier,
  setAccountTier,
  getReconciliation,
  createBackup,
  publishTemplate,
  deprecateTemplate,
});
