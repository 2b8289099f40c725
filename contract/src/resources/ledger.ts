// Ledger entries and conversions: the statement of an account and complete sets.

import { type Static, Type } from 'typebox';
import { idOf, outcomeId } from '../ids.ts';
import { instant, Money, nullable, oneOf } from '../primitives.ts';
import { assets, examplePosition, Position } from './account.ts';

export const ledgerReasons = [
  'deposit',
  'withdrawal',
  'faucet',
  'order_reserve',
  'order_release',
  'trade',
  'taker_fee',
  'maker_rebate',
  'builder_fee',
  'mint',
  'merge',
  'market_deposit',
  'settlement',
  'refund',
  'bond',
  'bond_return',
  'reward',
  'fee_credit',
  'reset',
  'transfer',
  'correction',
] as const;

export const LedgerEntry = Type.Object(
  {
    entry_id: idOf('ledger_entry'),
    seq: Type.Integer({
      format: 'int64',
      minimum: 0,
      description: 'The command that moved it; entries of one command share it.',
    }),
    asset: nullable(oneOf(assets), 'Null for shares.'),
    market_id: nullable(idOf('market'), 'The market of the shares; null for money.'),
    outcome_id: nullable(outcomeId, 'The outcome of the shares; null for money.'),
    bucket: oneOf(['free', 'reserved']),
    amount: Money,
    balance_after: Money,
    reason: oneOf(ledgerReasons),
    ref_id: nullable(Type.String({ description: 'The record it belongs to.' })),
    ...instant('created_at', 'When it was booked.'),
  },
  { title: 'LedgerEntry' },
);
export type LedgerEntry = Static<typeof LedgerEntry>;

export const conversionActions = ['mint', 'merge'] as const;

export const Conversion = Type.Object(
  {
    conversion_id: idOf('conversion'),
    action: oneOf(conversionActions),
    market_id: idOf('market'),
    size: Money,
    fee: Money,
    balance_free: Money,
    positions: Type.Array(Position, { description: 'Your positions in the market afterwards.' }),
    ...instant('created_at', 'When it was booked.'),
  },
  { title: 'Conversion' },
);
export type Conversion = Static<typeof Conversion>;

export const exampleLedgerEntry: LedgerEntry = {
  entry_id: 'le_01J0000000000006',
  seq: 42,
  asset: 'USDT',
  market_id: null,
  outcome_id: null,
  bucket: 'free',
  amount: '-5.363259',
  balance_after: '9494.652260',
  reason: 'trade',
  ref_id: 'trd_01J0000000000003',
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};

export const exampleConversion: Conversion = {
  conversion_id: 'cnv_01J0000000000007',
  action: 'mint',
  market_id: 'm_0123456789abcdef',
  size: '10.000000',
  fee: '0.011000',
  balance_free: '9484.632175',
  positions: [
    {
      ...examplePosition,
      size: '20.000000',
      avg_price: '0.518163',
      unrealized_pnl: '0.397721',
      realized_pnl: '-0.021693',
    },
    {
      ...examplePosition,
      outcome_id: 'no',
      avg_price: '0.500000',
      mark_price: '0.461951',
      unrealized_pnl: '-0.380490',
      realized_pnl: '0.000000',
    },
  ],
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};
