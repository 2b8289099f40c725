// Health of the service and the published fee and rebate configuration.

import { type Static, Type } from 'typebox';
import { epochMs, Money, nullable, nullableInstant, oneOf } from '../primitives.ts';

export const healthStatuses = ['ok', 'degraded', 'down'] as const;

const LaneHealth = Type.Object(
  {
    read: oneOf(healthStatuses),
    trade: oneOf(healthStatuses),
    create: oneOf(healthStatuses),
    sandbox: oneOf(healthStatuses),
  },
  { title: 'LaneHealth' },
);

export const Health = Type.Object(
  {
    status: oneOf(healthStatuses),
    version: Type.String({ description: 'Version of the software.' }),
    lanes: LaneHealth,
    read_only: Type.Boolean(),
    mode: oneOf(['normal', 'read_only', 'cancel_only'], {
      description:
        'Of the lane that is asked: read_only takes nothing of accounts but cancels, cancel_only is a halt, in which the bots of the exchange stand still as well.',
    }),
    ...nullableInstant('maintenance_at', 'When maintenance begins or began; null without any.'),
    reason: nullable(
      Type.String({
        description: 'Why trading is paused or the lane is not well, where that is known.',
      }),
    ),
    ...nullableInstant(
      'database_away_at',
      'Since when the database of users and keys gives no answer; null while it does. Requests that need it are SERVICE_UNAVAILABLE meanwhile.',
    ),
    clock_difference_ms: nullable(
      Type.Integer({
        description:
          'Wall time less journal time, while trading waits for an operator to decide which is right; else null.',
      }),
    ),
    server_ts_ms: epochMs('The clock of the server.'),
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;

/** The seven actors among whom every taker fee is split. */
export const feeActors = [
  'maker',
  'creator',
  'builder',
  'referrer',
  'oracle',
  'insurance',
  'treasury',
] as const;

const bps = Type.Integer({ minimum: 0, maximum: 10_000 });

export const LqfConfig = Type.Object(
  {
    taker_fee: Type.Object(
      {
        floor_bps: bps,
        peak_bps: bps,
        formula: Type.String(),
        rounding: oneOf(['up']),
      },
      { title: 'TakerFee' },
    ),
    maker_rebate: Type.Object(
      {
        min_bps: bps,
        max_bps: bps,
        formula: Type.String(),
        base: oneOf(['taker_notional']),
        rounding: oneOf(['down']),
      },
      { title: 'MakerRebate' },
    ),
    conversion_fee: Type.Object(
      {
        bps,
        formula: Type.String(),
        base: oneOf(['amount']),
        rounding: oneOf(['up']),
      },
      { title: 'ConversionFee', description: 'What minting and merging complete sets costs.' },
    ),
    quality: Type.Object(
      {
        formula: Type.String(),
        distance_max: Money,
        target_size: Money,
        sample_interval_sec: Type.Integer({ minimum: 1 }),
        samples_min: Type.Integer({ minimum: 1 }),
        samples_max: Type.Integer({ minimum: 1 }),
        resting_ms_min: Type.Integer({ minimum: 0 }),
        one_sided_divisor: Type.Integer({ minimum: 1 }),
        one_sided_band: Type.Object({ low: Money, high: Money }, { title: 'PriceBand' }),
      },
      { title: 'QualityScore' },
    ),
    split: Type.Array(
      Type.Object({ actor: oneOf(feeActors), share: Type.String() }, { title: 'FeeShare' }),
      { description: 'The seven actors in order; remainders fall to the treasury.' },
    ),
    builder_fee_max_bps: bps,
    programmes: Type.Array(
      Type.Object(
        {
          programme_id: Type.String(),
          market_id: Type.String(),
          budget: Money,
          remaining: Money,
          ...nullableInstant('ends_at', 'When it ends.'),
        },
        { title: 'RewardProgramme' },
      ),
    ),
  },
  { title: 'LqfConfig' },
);
export type LqfConfig = Static<typeof LqfConfig>;

export const exampleHealth: Health = {
  status: 'ok',
  version: '0.1.0',
  lanes: { read: 'ok', trade: 'ok', create: 'ok', sandbox: 'ok' },
  read_only: false,
  mode: 'normal',
  maintenance_at: null,
  maintenance_at_ms: null,
  reason: null,
  database_away_at: null,
  database_away_at_ms: null,
  clock_difference_ms: null,
  server_ts_ms: 1_794_657_600_000,
};

export const exampleLqfConfig: LqfConfig = {
  taker_fee: {
    floor_bps: 8,
    peak_bps: 20,
    formula:
      '8 + 12 * 4 * p * (1 - p) bps, cut to 0.0001 bps, of the cost of the fill; p is cost / size',
    rounding: 'up',
  },
  maker_rebate: {
    min_bps: 3,
    max_bps: 8,
    formula: '3 + 5 * q bps, cut to 0.0001 bps, of the base; q is the quality score from 0 to 1',
    base: 'taker_notional',
    rounding: 'down',
  },
  conversion_fee: {
    bps: 11,
    formula:
      '11 * (1 - q) bps of what you filled as a maker in the market on this and the previous UTC day, 11 bps of the rest, q the quality score from 0 to 1',
    base: 'amount',
    rounding: 'up',
  },
  quality: {
    formula:
      'size * (v - d)^2 / v^2 per resting order, d its distance from the mid, v distance_max',
    distance_max: '0.030000',
    target_size: '500.000000',
    sample_interval_sec: 60,
    samples_min: 60,
    samples_max: 1440,
    resting_ms_min: 5000,
    one_sided_divisor: 3,
    one_sided_band: { low: '0.100000', high: '0.900000' },
  },
  split: [
    { actor: 'maker', share: 'the rebate' },
    { actor: 'creator', share: '25 % of the rest' },
    { actor: 'builder', share: '20 % of the rest' },
    { actor: 'referrer', share: '5 % of the rest' },
    { actor: 'oracle', share: '10 % of the rest' },
    { actor: 'insurance', share: '10 % of the rest' },
    { actor: 'treasury', share: 'what is left' },
  ],
  builder_fee_max_bps: 100,
  programmes: [],
};
