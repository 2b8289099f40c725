// Cancellation of a market at typical prices: the public price now, and the preview for operators.

import { type Static, Type } from 'typebox';
import { accountName, holderName, idOf, outcomeId } from '../ids.ts';
import { instant, Money, moneyOf, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';
import { Payout } from './resolution.ts';

/** Why operators cancel a market. */
export const voidCauses = ['event', 'question', 'source', 'other'] as const;

export const cancellationCauses = [...voidCauses, 'untraded', 'no_proposal'] as const;

export const confirmations = ['upheld', 'too_early'] as const;

const PriceWindow = Type.Object(
  {
    ...instant('from_at', 'Prices from then on count.'),
    ...instant('to_at', 'Prices until then count.'),
  },
  { title: 'PriceWindow' },
);

export const Cancellation = Type.Object(
  {
    cause: oneOf(cancellationCauses, {
      description:
        'The event became void, the question was ambiguous, the source failed, or another cause; untraded and no_proposal end a market without two operators.',
    }),
    reason: Type.String({ description: 'What the operators publish.' }),
    window: nullable(PriceWindow, 'The period that operators named; null for the default.'),
    excluded: Type.Array(outcomeId, { description: 'Outcomes known to be false: they pay 0.' }),
  },
  {
    title: 'Cancellation',
    description: 'Proposed while the market is settling, final once it is cancelled.',
  },
);

export const CancellationPrice = Type.Object(
  {
    market_id: idOf('market'),
    payout_vector: Type.Array(Payout, {
      description: 'What each share would pay if the market were cancelled now.',
    }),
    window: nullable(PriceWindow, 'The default period; null before the first trading.'),
    ...instant('computed_at', 'When it was computed; computed anew every hour.'),
  },
  { title: 'CancellationPrice' },
);

const shareOf = (what: string) =>
  Type.Integer({ minimum: 0, maximum: 100, description: `Percent of the window: ${what}.` });

const CancellationValue = Type.Object(
  {
    payout_vector: Type.Array(Payout),
    window: nullable(PriceWindow, 'Null where no price counts: opening prices are paid.'),
    window_ms: Type.Integer({ minimum: 0, description: 'Trading time that counts.' }),
    sources: Type.Object(
      {
        pool: shareOf('prices of the pool'),
        depth: shareOf('bids and asks with enough depth'),
        trades: shareOf('trades, or bids or asks alone'),
        opening: shareOf('opening prices'),
      },
      { title: 'PriceSources' },
    ),
  },
  { title: 'CancellationValue' },
);

const CancellationHolder = Type.Object(
  {
    account_id: holderName('sandbox:house for shares that accounts gave up at a reset.'),
    paid: moneyOf('For buys in this market, with fees; as far as fills were read.'),
    received: moneyOf('For sells in this market, less fees and with rebates.'),
    shares: Type.Array(
      Type.Object({ outcome_id: outcomeId, size: Money }, { title: 'HeldShares' }),
    ),
    cost: moneyOf('What the shares held cost.'),
    payout: Money,
    fees_returned: Money,
    gain: moneyOf('The payout less the cost.'),
    ...nullableInstant('bought_first_at', 'The first buy; null without one.'),
    ...nullableInstant('bought_last_at', 'The last buy; null without one.'),
    against: Type.Array(
      Type.Object(
        {
          account_id: nullable(accountName(), 'Null for the pool.'),
          bought: moneyOf('Shares bought from it.'),
          cost: Money,
        },
        { title: 'Counterparty' },
      ),
      { description: 'Sellers of what it bought, the largest first, at most 5.' },
    ),
  },
  { title: 'CancellationHolder' },
);

const LateTrades = Type.Object(
  {
    family: accountName('The owner of the accounts.'),
    bought: moneyOf('Shares bought.'),
    sold: moneyOf('Shares sold.'),
    gain: moneyOf('What these trades bring if every share pays the payout, before fees.'),
  },
  { title: 'LateTrades' },
);

const ChartPoint = Type.Object(
  {
    ...instant('start_at', 'Start of the interval.'),
    prices: Type.Array(Money, { description: 'At its end, in the order of the outcomes.' }),
    volume: Money,
  },
  { title: 'CancellationChartPoint' },
);

const TradingGap = Type.Object(
  {
    ...instant('from_at', 'When trading stopped.'),
    ...instant('to_at', 'When it went on.'),
  },
  { title: 'TradingGap' },
);

const cancellationFlags = ['thin', 'moved', 'late_trades'] as const;

export const CancellationPreview = Type.Object(
  {
    market_id: idOf('market'),
    lane: oneOf(environments),
    default: CancellationValue,
    last_day: CancellationValue,
    named: nullable(CancellationValue, 'The window asked about; null without one.'),
    flags: Type.Array(oneOf(cancellationFlags), {
      description:
        'thin and moved ask for a named window; late_trades are trades after the end of the window.',
    }),
    families: Type.Integer({
      minimum: 0,
      description: 'Families that traded in the default window, without the house and bots.',
    }),
    holders: Type.Integer({ minimum: 0 }),
    fees_returned: Money,
    pool_deposit: Money,
    pool_paid: moneyOf('To the providers of the pool.'),
    pool_excess: moneyOf('To insurance: what the creator may not gain.'),
    late_trades: Type.Array(LateTrades, {
      description: 'By family, the largest gain first, at most 100.',
    }),
    gainers: Type.Array(CancellationHolder, { description: 'Largest first, at most 20.' }),
    losers: Type.Array(CancellationHolder, { description: 'Largest first, at most 20.' }),
    chart: Type.Array(ChartPoint, { description: 'Over the last 28 days, oldest first.' }),
    gaps: Type.Array(TradingGap, {
      description: 'Halts and other times without trading, as far as prices are kept.',
    }),
  },
  {
    title: 'CancellationPreview',
    description:
      'Payout, pool, gains and late trades are those of the named window, if there is one.',
  },
);
export type CancellationPreview = Static<typeof CancellationPreview>;

export const RoundPreview = Type.Object(
  {
    market_id: idOf('market'),
    title: Type.String(),
    payout_vector: nullable(Type.Array(Payout), 'Null where it cannot be cancelled so.'),
    window: nullable(PriceWindow),
    error: nullable(Type.String({ description: 'A code, where there is no payout.' })),
  },
  { title: 'RoundPreview' },
);

export const RoundResult = Type.Object(
  {
    market_id: idOf('market'),
    status: Type.String(),
    error: nullable(Type.String({ description: 'A code, where nothing was done.' })),
  },
  { title: 'RoundResult' },
);

const exampleWindow: Static<typeof PriceWindow> = {
  from_at: '2026-11-13T04:00:00.000Z',
  from_at_ms: 1_794_542_400_000,
  to_at: '2026-11-13T12:00:00.000Z',
  to_at_ms: 1_794_571_200_000,
};

const examplePayout: Static<typeof Payout>[] = [
  { outcome_id: 'yes', payout: '0.594100' },
  { outcome_id: 'no', payout: '0.405900' },
];

export const exampleCancellation: Static<typeof Cancellation> = {
  cause: 'event',
  reason: 'The match was abandoned.',
  window: null,
  excluded: [],
};

export const exampleCancellationPrice: Static<typeof CancellationPrice> = {
  market_id: 'm_0123456789abcdef',
  payout_vector: [
    { outcome_id: 'yes', payout: '0.500000' },
    { outcome_id: 'no', payout: '0.500000' },
  ],
  window: null,
  computed_at: '2026-11-13T12:00:00.000Z',
  computed_at_ms: 1_794_571_200_000,
};

const exampleValue: Static<typeof CancellationValue> = {
  payout_vector: examplePayout,
  window: exampleWindow,
  window_ms: 28_800_000,
  sources: { pool: 100, depth: 0, trades: 0, opening: 0 },
};

const exampleHolder: Static<typeof CancellationHolder> = {
  account_id: 'acc_01J0000000000004',
  paid: '306.000000',
  received: '0.000000',
  shares: [
    { outcome_id: 'yes', size: '500.000000' },
    { outcome_id: 'no', size: '0.000000' },
  ],
  cost: '305.444667',
  payout: '297.050000',
  fees_returned: '0.555333',
  gain: '-8.394667',
  bought_first_at: '2026-11-13T00:00:00.000Z',
  bought_first_at_ms: 1_794_528_000_000,
  bought_last_at: '2026-11-13T00:00:00.000Z',
  bought_last_at_ms: 1_794_528_000_000,
  against: [{ account_id: null, bought: '500.000000', cost: '305.444667' }],
};

export const exampleCancellationPreview: CancellationPreview = {
  market_id: 'm_0123456789abcdef',
  lane: 'sandbox',
  default: exampleValue,
  last_day: exampleValue,
  named: null,
  flags: ['thin'],
  families: 2,
  holders: 2,
  fees_returned: '0.773351',
  pool_deposit: '1000.000000',
  pool_paid: '974.503303',
  pool_excess: '0.000000',
  late_trades: [
    {
      family: 'acc_01J0000000000004',
      bought: '500.000000',
      sold: '0.000000',
      gain: '-8.394667',
    },
  ],
  gainers: [],
  losers: [exampleHolder],
  chart: [
    {
      start_at: '2026-11-13T00:00:00.000Z',
      start_at_ms: 1_794_528_000_000,
      prices: ['0.602499', '0.397501'],
      volume: '305.444667',
    },
  ],
  gaps: [],
};
