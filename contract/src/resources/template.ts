// Template: what markets are made from, with its parameters, limits, fees and oracle.

import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { outcomeId, templateId } from '../ids.ts';
import { Money, nullable, nullableInstant, oneOf, openObject } from '../primitives.ts';

export const marketTypes = ['fast', 'normal', 'creator'] as const;
export const outcomeSchemas = ['binary', 'multi', 'scalar'] as const;
export const templateStatuses = ['active', 'deprecated', 'draft'] as const;
export const oracleSources = [
  'sandbox_mock',
  'manual',
  'http_json',
  'price_feed',
  'quorum',
] as const;

export const FeeSchedule = Type.Object(
  {
    maker_bps: Type.Integer({ minimum: 3, maximum: 8, description: 'The highest maker rebate.' }),
    taker_bps: Type.Integer({ minimum: 8, maximum: 20, description: 'The peak of the fee curve.' }),
    settle_bps: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Fee on winnings.' }),
  },
  { title: 'FeeSchedule' },
);

export const RoundConfig = Type.Object(
  {
    duration_sec: Type.Integer({ minimum: 1, maximum: 86_400 }),
    lock_offset_ms: Type.Integer({ minimum: 0, maximum: 86_400_000 }),
  },
  { title: 'RoundConfig' },
);

export const DisplayTranslation = Type.Object(
  {
    title_template: Type.String({ minLength: 1, maxLength: 256 }),
    subtitle_template: Type.Optional(Type.String({ maxLength: 256 })),
  },
  { title: 'DisplayTranslation' },
);

/** Language tags are no fixed names, so each is an additional property. */
export function byLanguage<Translation extends TSchema>(
  translation: Translation,
): TUnsafe<Record<string, Static<Translation>>> {
  return Type.Unsafe<Record<string, Static<Translation>>>({
    type: 'object',
    maxProperties: 32,
    additionalProperties: translation,
    description: 'The title in other languages, by language tag, for sockets with a LOCALE.',
  });
}

export const DisplayDefaults = Type.Object(
  {
    title_template: Type.String({ description: 'Title with {param} placeholders.' }),
    subtitle_template: Type.Optional(
      Type.String({ maxLength: 256, description: 'A line below it, likewise.' }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 4096, description: 'How it is decided, likewise.' }),
    ),
    image_url_pattern: Type.Optional(Type.String({ description: 'Image address, likewise.' })),
    translations: Type.Optional(byLanguage(DisplayTranslation)),
  },
  { title: 'DisplayDefaults' },
);

const OracleConfig = Type.Object(
  {
    source: oneOf(oracleSources, { description: 'Where the answer comes from.' }),
    params: openObject('Settings of the source.'),
    challenge_sec: Type.Integer({ minimum: 0, description: 'Length of the challenge window.' }),
    bond: Money,
  },
  { title: 'OracleConfig' },
);

const TemplateOutcome = Type.Object(
  { id: outcomeId, label: Type.String() },
  { title: 'TemplateOutcome' },
);

export const Template = Type.Object(
  {
    id: templateId,
    version: Type.Integer({ minimum: 1 }),
    name: Type.String(),
    category: Type.String(),
    market_type: oneOf(marketTypes),
    outcome_schema: oneOf(outcomeSchemas),
    asset: oneOf(['USDT']),
    min_bet: Money,
    max_bet: Money,
    min_creator_deposit: Money,
    requires_approval: Type.Boolean({ description: 'New markets wait for an operator.' }),
    outcomes: Type.Array(TemplateOutcome, { description: 'Of outcome_schema multi, else none.' }),
    tick_size: Money,
    min_size: Money,
    duration_sec: Type.Integer({
      minimum: 1,
      description: 'How long a market is open whose params do not say when it closes.',
    }),
    prior: nullable(
      Type.Array(Money),
      'The price that each outcome opens at, together 1; null opens all alike.',
    ),
    price_band: nullable(
      Money,
      'How far an order may trade from the price of ten seconds ago; null for fast rounds.',
    ),
    fee_schedule: FeeSchedule,
    params_schema: openObject('JSON Schema of the parameters a creator fills in.'),
    display_defaults: DisplayDefaults,
    oracle_config: OracleConfig,
    round_config: nullable(RoundConfig, 'Only for market_type fast.'),
    status: oneOf(templateStatuses),
    ...nullableInstant('published_at', 'When this version became active.'),
  },
  { title: 'Template' },
);
export type Template = Static<typeof Template>;

export const exampleTemplate: Template = {
  id: 'own-question',
  version: 1,
  name: 'Your own question',
  category: 'community',
  market_type: 'creator',
  outcome_schema: 'binary',
  asset: 'USDT',
  min_bet: '0.010000',
  max_bet: '100000.000000',
  min_creator_deposit: '500.000000',
  requires_approval: false,
  outcomes: [],
  tick_size: '0.001000',
  min_size: '1.000000',
  duration_sec: 2_592_000,
  prior: null,
  price_band: '0.200000',
  fee_schedule: { maker_bps: 8, taker_bps: 20, settle_bps: 0 },
  params_schema: {
    type: 'object',
    required: ['question', 'closes_at_ms'],
    properties: {
      closes_at_ms: {
        type: 'integer',
        title: 'When trading closes',
        description: 'Epoch milliseconds.',
        minimum: 0,
      },
      question: { type: 'string', title: 'Question', minLength: 1, maxLength: 160 },
    },
  },
  display_defaults: {
    title_template: '{question}',
    description: 'Resolves to yes or to no.',
  },
  oracle_config: { source: 'sandbox_mock', params: {}, challenge_sec: 3600, bond: '100.000000' },
  round_config: null,
  status: 'active',
  published_at: '2026-11-01T00:00:00.000Z',
  published_at_ms: 1_793_491_200_000,
};
