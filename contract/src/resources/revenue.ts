// What apps brought, and what creators, builders and referrers earned by the fees of others.

import { type Static, Type } from 'typebox';
import { accountName, idOf } from '../ids.ts';
import { instant, moneyOf, nullable, oneOf } from '../primitives.ts';
import { environments, publicId } from './api-key.ts';

/** As whom an account is paid. */
export const revenueRoles = ['creator', 'builder', 'referrer', 'treasury', 'insurance'] as const;

/** Those that users earn as. */
const earningRoles = ['creator', 'builder', 'referrer'] as const;

/** The first row of the first page is the total of all that the question covers. */
export const earningRowKinds = ['total', 'part'] as const;

const kind = oneOf(earningRowKinds, {
  description: 'The first row of the first page is the total of all that the question covers.',
});
const fills = Type.Integer({ minimum: 0, description: 'Trades that it came from.' });

/** What a row is of: null for what it is not broken down by. */
const place = {
  app_id: nullable(idOf('app'), 'Null for what your own keys ordered, as a builder.'),
  market_id: nullable(idOf('market')),
  day: nullable(Type.String({ description: 'A UTC day, such as 2026-11-14.' })),
  trade_id: nullable(idOf('trade')),
  ts_ms: nullable(
    Type.Integer({ format: 'int64', minimum: 0, description: 'When it was traded, of a fill.' }),
  ),
};

export const AttributionRow = Type.Object(
  {
    kind,
    ...place,
    key_id: nullable(publicId),
    label: nullable(Type.String({ description: 'What you called that key.' })),
    fills: nullable(fills),
    volume: moneyOf(
      'Taker notional of those trades; of a key what was traded under it, as taker and as maker.',
    ),
    accrued: nullable(
      moneyOf(
        'What it brought to the app: its share of the taker fee, and its own fee. Null by key, as the number of trades is.',
      ),
    ),
  },
  { title: 'AttributionRow' },
);
export type AttributionRow = Static<typeof AttributionRow>;

export const RevenueRow = Type.Object(
  {
    kind,
    role: nullable(oneOf(earningRoles, { description: 'As whom it was earned.' })),
    account_id: nullable(accountName('Whose share it is, of a creator or a referrer.')),
    ...place,
    fills,
    accrued: moneyOf('Shares of fees that were charged.'),
    returned: moneyOf('What cancelled markets gave back to those who had paid it.'),
    credited: moneyOf('What went to free balance, once a day.'),
    pending: nullable(
      moneyOf(
        'What is still to be credited: it vests when its markets resolve. Of all time, and absent from rows of one day or trade.',
      ),
    ),
  },
  { title: 'RevenueRow' },
);
export type RevenueRow = Static<typeof RevenueRow>;

const noPlace = { app_id: null, market_id: null, day: null, trade_id: null, ts_ms: null };

/** Of somebody whose apps have brought nothing yet. */
export const exampleAttribution: readonly AttributionRow[] = [
  {
    kind: 'total',
    ...noPlace,
    key_id: null,
    label: null,
    fills: 0,
    volume: '0.000000',
    accrued: '0.000000',
  },
];

const exampleEarned = {
  ...noPlace,
  fills: 2,
  accrued: '0.024238',
  returned: '0.000000',
  credited: '0.000000',
  pending: '0.024238',
};

/** Two trades in a market that one has made oneself. */
export const exampleRevenueRows: readonly RevenueRow[] = [
  { kind: 'total', role: null, account_id: null, ...exampleEarned },
  { kind: 'part', role: 'creator', account_id: 'acc_01J0000000000004', ...exampleEarned },
];

export const platformFunds = ['treasury', 'insurance'] as const;

export const PlatformPayment = Type.Object(
  {
    account_id: accountName('Who was paid.'),
    lane: oneOf(environments),
    fund: oneOf(platformFunds),
    amount: moneyOf('What was paid.'),
    external_ref: Type.String(),
    fund_balance: moneyOf('What is left in the fund.'),
    balance_free: moneyOf('What the account has free now.'),
    ...instant('paid_at', 'When it was paid.'),
  },
  { title: 'PlatformPayment' },
);
export type PlatformPayment = Static<typeof PlatformPayment>;

export const examplePlatformPayment: PlatformPayment = {
  account_id: 'acc_01J0000000000004',
  lane: 'live',
  fund: 'treasury',
  amount: '250.000000',
  external_ref: 'payout-2026-11',
  fund_balance: '1250.000000',
  balance_free: '250.000000',
  paid_at: '2026-11-14T12:00:00.000Z',
  paid_at_ms: 1_794_657_600_000,
};
