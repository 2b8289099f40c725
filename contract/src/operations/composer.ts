// Operations of the Composer group: templates, and markets made from them.

import { Type } from 'typebox';
import { common, compliance, credentialed, embedded, presented, write } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { templateId } from '../ids.ts';
import { limits } from '../limits.ts';
import { dryRun, queryOf, wholeQuery } from '../paging.ts';
import { Money, oneOf, openObject } from '../primitives.ts';
import { exampleNewMarket, Market } from '../resources/market.ts';
import { exampleTemplate, marketTypes, Template, templateStatuses } from '../resources/template.ts';
import { publicRead } from './kinds.ts';

const MarketPreview = Type.Object(
  { deposit: Money, balance_free_after: Money },
  { title: 'MarketPreview' },
);

const CreatedMarket = Type.Object(
  {
    market: Market,
    template: Template,
    created: Type.Boolean({ description: 'False if the market existed before, or on a dry run.' }),
    preview: Type.Optional(MarketPreview),
  },
  { title: 'CreatedMarket' },
);

const MarketInput = Type.Object(
  {
    template_id: templateId,
    params: openObject('Must satisfy the params_schema of the template.'),
    creator_metadata: Type.Optional(
      Type.Object(
        {
          display_title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          display_image_url: Type.Optional(Type.String({ format: 'uri', maxLength: 2048 })),
        },
        { title: 'CreatorMetadata', additionalProperties: false },
      ),
    ),
    idempotency_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.idempotency.bodyKeyLengthMax,
        description: 'As the header Idempotency-Key, which goes before it where both are sent.',
      }),
    ),
  },
  { title: 'MarketInput', additionalProperties: false },
);

const listTemplates = operation({
  ...publicRead,
  id: 'listTemplates',
  call: 'templates.list',
  path: '/v1/markets/templates',
  group: 'Composer',
  summary: 'List templates',
  description: 'Active and deprecated ones; a draft is seen by its owner only.',
  list: true,
  input: {
    ...noInput,
    query: wholeQuery({
      category: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      market_type: Type.Optional(oneOf(marketTypes)),
      status: Type.Optional(oneOf(templateStatuses)),
    }),
  },
  data: Type.Array(Template),
  errors: [...common, ...presented, ...embedded],
  example: { query: { market_type: 'creator' }, data: [exampleTemplate] },
});

const createMarket = operation({
  id: 'createMarket',
  call: 'markets.create',
  method: 'POST',
  path: '/v1/markets',
  group: 'Composer',
  summary: 'Create a market',
  description:
    'Makes a market from a template of market_type creator and draws the creator deposit; other templates are the platform’s (MARKET_NOT_APPROVED). In live a market with a display_title of its own waits for approval. The id follows from template, params and creator: repeating it returns the same market. With dry_run=true nothing is created, and the request counts as an order in the rate limit.',
  auth: 'credential',
  permission: 'trade',
  scope: 'markets:create',
  rate: 'create',
  idempotency: 'optional',
  readOnlyMode: 'blocked',
  counted: true,
  since: '0.2',
  list: false,
  input: { params: null, query: queryOf({ dry_run: dryRun }), body: MarketInput },
  data: CreatedMarket,
  errors: [
    ...common,
    ...credentialed,
    ...write,
    ...compliance,
    'MARKET_TEMPLATE_UNKNOWN',
    'MARKET_TEMPLATE_PARAM_INVALID',
    'MARKET_NOT_APPROVED',
    'RISK_LIMIT_BREACH',
    'BALANCE_INSUFFICIENT',
    'COMBO_COMPONENT_HALTED',
    'TIER_UPGRADE_REQUIRED',
    'SUBACCOUNT_FROZEN',
    'NOT_FOUND',
  ],
  example: {
    query: {},
    body: {
      template_id: exampleTemplate.id,
      params: { question: 'Will BTC close above 100000?', closes_at_ms: 1_798_761_600_000 },
    },
    data: { market: exampleNewMarket, template: exampleTemplate, created: true },
  },
});

export const composerOperations = Object.freeze({ listTemplates, createMarket });
