// PortfolioSummary: what an account is worth, how it came to that, and how it did.

import { type Static, Type } from 'typebox';
import { accountName } from '../ids.ts';
import { epochMs, Money, moneyOf, nullable, oneOf } from '../primitives.ts';
import { accountModes, assets } from './account.ts';

export const summaryRanges = ['1d', '1w', '1m', 'all'] as const;

const Exposure = Type.Object(
  {
    category: Type.String(),
    positions: Type.Integer({ minimum: 1, description: 'Outcomes held.' }),
    value: moneyOf('At the prices of now.'),
    cost: moneyOf('What was paid for them.'),
  },
  { title: 'Exposure' },
);

const CalibrationBucket = Type.Object(
  {
    from: moneyOf('Average price paid, inclusive.'),
    to: moneyOf('Exclusive.'),
    positions: Type.Integer({ minimum: 0, description: 'Bought at such a price and settled.' }),
    came_true: Type.Integer({ minimum: 0, description: 'Of them, those whose outcome won.' }),
  },
  { title: 'CalibrationBucket' },
);

const EquityPoint = Type.Object(
  { ts_ms: epochMs('When.'), equity: Money },
  { title: 'EquityPoint' },
);

export const PortfolioSummary = Type.Object(
  {
    account_id: accountName(),
    asset: oneOf(assets),
    mode: oneOf(accountModes),
    equity: moneyOf('Exactly net_deposits + realized_pnl + unrealized_pnl.'),
    balance_free: Money,
    balance_reserved: Money,
    staked: moneyOf('Deposits in markets of your own, and bonds.'),
    net_deposits: moneyOf('All that came in, less all that went out; begins anew with a reset.'),
    realized_pnl: moneyOf('Results of what is over, fees and rebates included.'),
    unrealized_pnl: moneyOf('Of open positions, at the prices of now.'),
    fees_paid: Money,
    rebates: Money,
    exposure: Type.Array(Exposure, { description: 'By category, the largest value first.' }),
    settled_positions: Type.Integer({ minimum: 0 }),
    win_rate: nullable(Money, 'The share of settled positions that paid more than they had cost.'),
    calibration: Type.Array(CalibrationBucket, { description: 'Ten, by the price paid.' }),
    covers_from_ms: nullable(
      epochMs(''),
      'Fees, rebates, settled positions and the series are reckoned from the newest lines of the statement: since when, or null for all of it.',
    ),
    range: oneOf(summaryRanges),
    series: Type.Array(EquityPoint, { description: 'Oldest first, at most 200; the last is now.' }),
  },
  { title: 'PortfolioSummary' },
);
export type PortfolioSummary = Static<typeof PortfolioSummary>;

const NOTHING = '0.000000';
const bounds = Array.from({ length: 11 }, (_, tenth) => `${(tenth / 10).toFixed(1)}00000`);

export const examplePortfolioSummary: PortfolioSummary = {
  account_id: 'acc_01J0000000000004',
  asset: 'USDT',
  mode: 'sandbox',
  equity: '10000.023665',
  balance_free: '9494.643175',
  balance_reserved: NOTHING,
  staked: '500.000000',
  net_deposits: '10000.000000',
  realized_pnl: '0.006434',
  unrealized_pnl: '0.017231',
  fees_paid: '0.010693',
  rebates: '0.017127',
  exposure: [{ category: 'community', positions: 1, value: '5.380490', cost: '5.363259' }],
  settled_positions: 0,
  win_rate: null,
  calibration: bounds
    .slice(0, -1)
    .map((from, tenth) => ({ from, to: bounds[tenth + 1]!, positions: 0, came_true: 0 })),
  covers_from_ms: null,
  range: '1d',
  series: [{ ts_ms: 1_794_657_600_000, equity: '10000.023665' }],
};
