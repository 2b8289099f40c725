// Account: the self view, positions and balances.

import { type Static, Type } from 'typebox';
import { accountName, idOf, outcomeId } from '../ids.ts';
import { type rateCategories, tiers } from '../limits.ts';
import { instant, Money, nullable, oneOf } from '../primitives.ts';
import { permissions } from '../scopes.ts';
import { country, Restriction } from './compliance.ts';
import { chainData } from './market.ts';

export const assets = ['USDT', 'CROWN'] as const;
export const accountModes = ['live', 'sandbox', 'demo'] as const;

const RateLimits = Type.Object(rateNumbers(), { title: 'RateLimits' });

const AnnouncedLimits = Type.Object(
  {
    ...instant('announced_at', 'Since when it is known.'),
    ...instant('effective_at', 'From when on they hold.'),
    order_notional_max: nullable(Money, 'Cap per order; null means none.'),
    daily_notional_max: nullable(Money, 'Cap per UTC day; null means none.'),
    requests_per_minute: RateLimits,
  },
  { title: 'AnnouncedLimits' },
);

const AccountLimits = Type.Object(
  {
    order_notional_max: nullable(Money, 'Cap per order; null means none.'),
    daily_notional_max: nullable(Money, 'Cap per UTC day; null means none.'),
    daily_notional_used: Money,
    requests_per_minute: RateLimits,
    announced: Type.Array(AnnouncedLimits, {
      description: 'Lower limits that do not hold yet, the next first; each entry is all of them.',
    }),
  },
  { title: 'AccountLimits' },
);

const OWN =
  'For your sessions and your own keys; null for apps, partners and keys of a subaccount.';

export const Account = Type.Object(
  {
    account_id: accountName('A subaccount for a key that is bound to one.'),
    user_id: nullable(idOf('user'), 'Null for an anonymous sandbox account.'),
    display_name: nullable(Type.String()),
    email: nullable(Type.String(), OWN),
    referral_code: nullable(
      Type.String(),
      'Who registers with it is brought by you; null for demo and anonymous accounts.',
    ),
    phone: nullable(Type.String(), OWN),
    last_login_ip: nullable(Type.String(), OWN),
    wallet_address: nullable(Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }), OWN),
    balance_free: Money,
    balance_reserved: Money,
    asset: oneOf(assets),
    mode: oneOf(accountModes),
    tier: nullable(oneOf(tiers), 'The tier of the key; null for a session.'),
    permissions: Type.Array(oneOf(permissions)),
    restrictions: Type.Array(Type.String(), { description: 'Codes that would stop an order now.' }),
    restriction_reasons: Type.Array(Restriction, {
      description: 'The same, and what else is restricted, with reasons and what would lift it.',
    }),
    country: nullable(country, 'As declared; null on the account stream.'),
    limits: AccountLimits,
    chain_data: chainData,
    ...instant('created_at', 'When the account was opened.'),
  },
  { title: 'Account' },
);
export type Account = Static<typeof Account>;

export const Position = Type.Object(
  {
    market_id: idOf('market'),
    outcome_id: outcomeId,
    size: Money,
    reserved_size: Money,
    avg_price: Money,
    mark_price: Money,
    unrealized_pnl: Money,
    realized_pnl: Money,
    chain_data: chainData,
  },
  { title: 'Position' },
);
export type Position = Static<typeof Position>;

const ReservedBy = Type.Object(
  { orders: Money, quotes: Money, bonds: Money, withdrawals: Money },
  { title: 'ReservedBy' },
);

export const AssetBalance = Type.Object(
  {
    asset: oneOf(assets),
    free: Money,
    reserved: Money,
    reserved_by: ReservedBy,
    pending: Money,
  },
  { title: 'AssetBalance' },
);

export const Balance = Type.Object(
  {
    account_id: accountName(),
    mode: oneOf(accountModes),
    balances: Type.Array(AssetBalance),
    deposit_instructions: nullable(Type.String({ description: 'How money gets in.' })),
  },
  { title: 'Balance' },
);
export type Balance = Static<typeof Balance>;

export const examplePosition: Position = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  size: '10.000000',
  reserved_size: '0.000000',
  avg_price: '0.536326',
  mark_price: '0.538049',
  unrealized_pnl: '0.017231',
  realized_pnl: '-0.010693',
  chain_data: null,
};

export const exampleAccount: Account = {
  account_id: 'acc_01J0000000000004',
  user_id: 'usr_01J0000000000005',
  display_name: null,
  email: 'ada@example.com',
  referral_code: 'f3kX9aQ2mZ7c',
  phone: null,
  last_login_ip: '203.0.113.7',
  wallet_address: null,
  balance_free: '9494.643175',
  balance_reserved: '0.000000',
  asset: 'USDT',
  mode: 'sandbox',
  tier: 'self_serve',
  permissions: ['read', 'trade'],
  restrictions: [],
  restriction_reasons: [],
  country: 'DE',
  limits: {
    order_notional_max: null,
    daily_notional_max: null,
    daily_notional_used: '0.000000',
    requests_per_minute: {
      read: 60,
      trade: 30,
      cancel: 30,
      account_write: 10,
      account_read: 120,
      create: 20,
    },
    announced: [],
  },
  chain_data: null,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};

export const exampleBalance: Balance = {
  account_id: 'acc_01J0000000000004',
  mode: 'sandbox',
  balances: [
    {
      asset: 'USDT',
      free: '9494.643175',
      reserved: '0.000000',
      reserved_by: {
        orders: '0.000000',
        quotes: '0.000000',
        bonds: '0.000000',
        withdrawals: '0.000000',
      },
      pending: '0.000000',
    },
  ],
  deposit_instructions: 'POST /v1/sandbox/faucet credits 10000 test USDT.',
};

function rateNumbers(): Record<(typeof rateCategories)[number], ReturnType<typeof Type.Integer>> {
  const quota = Type.Integer({ minimum: 0 });
  return {
    read: quota,
    trade: quota,
    cancel: quota,
    account_write: quota,
    account_read: quota,
    create: quota,
  };
}
