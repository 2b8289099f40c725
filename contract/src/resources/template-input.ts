// A template as it is handed in: what its author decides, without what the server adds.

import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { outcomeId } from '../ids.ts';
import { moneyInput, nullable, oneOf, openObject } from '../primitives.ts';
import {
  byLanguage,
  DisplayDefaults,
  DisplayTranslation,
  exampleTemplate,
  FeeSchedule,
  marketTypes,
  outcomeSchemas,
  RoundConfig,
} from './template.ts';

export const TemplateInput = Type.Object(
  {
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9._-]{0,127}$',
      'x-expected': 'up to 128 characters of a-z, 0-9, ., _ and -, the first a letter or a digit',
    }),
    version: Type.Integer({ minimum: 1 }),
    name: Type.String({ minLength: 1, maxLength: 128 }),
    category: Type.String({ minLength: 1, maxLength: 64 }),
    market_type: oneOf(marketTypes),
    outcome_schema: oneOf(outcomeSchemas),
    outcomes: Type.Optional(
      Type.Array(
        Type.Object(
          { id: outcomeId, label: Type.String({ minLength: 1, maxLength: 128 }) },
          { title: 'TemplateOutcomeInput', additionalProperties: false },
        ),
        {
          minItems: 2,
          maxItems: 64,
          description: 'Only for outcome_schema multi; labels may have {param} placeholders.',
        },
      ),
    ),
    min_bet: moneyInput('Smallest notional of an order.'),
    max_bet: moneyInput('Largest notional of an order.'),
    min_creator_deposit: moneyInput('Seeds the liquidity of the market.'),
    requires_approval: Type.Optional(Type.Boolean({ default: false })),
    tick_size: Type.Optional(
      moneyInput('What prices are multiples of, a divisor of 1 of at most 0.1; else 0.001.'),
    ),
    min_size: Type.Optional(moneyInput('Smallest size of an order, in lots of 0.01; else 1.')),
    duration_sec: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 157_766_400,
        default: 2_592_000,
        description: 'How long a market is open whose params do not say when it closes.',
      }),
    ),
    prior: Type.Optional(
      nullable(
        Type.Array(moneyInput('At least 0.01.'), { minItems: 2, maxItems: 64 }),
        'The price that each outcome opens at, together 1; without it all open alike.',
      ),
    ),
    price_band: Type.Optional(
      moneyInput('How far an order may trade from the price of ten seconds ago, at most 0.2.'),
    ),
    fee_schedule: closedCopy('FeeScheduleInput', FeeSchedule),
    params_schema: openObject('JSON Schema of the parameters a creator fills in.'),
    display_defaults: Type.Object(
      {
        ...DisplayDefaults.properties,
        translations: Type.Optional(
          byLanguage(closedCopy('DisplayTranslationInput', DisplayTranslation)),
        ),
      },
      { title: 'DisplayDefaultsInput', additionalProperties: false },
    ),
    oracle_config: Type.Object(
      {
        // Not an enum here: an unknown source has a code of its own, ORACLE_ADAPTER_UNKNOWN.
        source: Type.String({ minLength: 1, maxLength: 64 }),
        params: Type.Optional(openObject('Settings of the source.')),
        challenge_sec: Type.Optional(
          Type.Integer({ minimum: 0, maximum: 2_592_000, default: 7200 }),
        ),
        bond: Type.Optional(moneyInput('What a proposer puts at stake.')),
      },
      { title: 'OracleConfigInput', additionalProperties: false },
    ),
    round_config: Type.Optional(
      nullable(closedCopy('RoundConfigInput', RoundConfig), 'Only for market_type fast.'),
    ),
  },
  { title: 'TemplateInput', additionalProperties: false },
);
export type TemplateInput = Static<typeof TemplateInput>;

export const exampleTemplateInput: TemplateInput = {
  id: exampleTemplate.id,
  version: exampleTemplate.version,
  name: exampleTemplate.name,
  category: exampleTemplate.category,
  market_type: exampleTemplate.market_type,
  outcome_schema: exampleTemplate.outcome_schema,
  min_bet: exampleTemplate.min_bet,
  max_bet: exampleTemplate.max_bet,
  min_creator_deposit: exampleTemplate.min_creator_deposit,
  fee_schedule: exampleTemplate.fee_schedule,
  params_schema: exampleTemplate.params_schema,
  display_defaults: exampleTemplate.display_defaults,
  oracle_config: exampleTemplate.oracle_config,
};

function closedCopy<Properties extends TProperties>(
  title: string,
  record: TObject<Properties>,
): TObject<Properties> {
  return Type.Object(record.properties, { title, additionalProperties: false });
}
