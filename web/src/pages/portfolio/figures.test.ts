import type { LedgerEntry, Position } from '@sibyl/sdk';
import { describe, expect, it } from 'vitest';
import { markedAt } from '../../live/marked-position.ts';
import { freeSize } from './figures.ts';
import { marketsOf } from './reasons.ts';
import { receiptsOf } from './receipts.ts';

const position: Position = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  size: '10.000000',
  reserved_size: '2.500000',
  avg_price: '0.536326',
  mark_price: '0.538049',
  unrealized_pnl: '0.017231',
  realized_pnl: '-0.010693',
  chain_data: null,
};

const entry: LedgerEntry = {
  entry_id: 'le_1',
  seq: 7,
  asset: 'USDT',
  market_id: null,
  outcome_id: null,
  bucket: 'free',
  amount: '25.000000',
  balance_after: '100.000000',
  reason: 'settlement',
  ref_id: 'm_0123456789abcdef',
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};
const shares = { asset: null, market_id: 'm_0123456789abcdef', outcome_id: 'yes' };

describe('figures of positions', () => {
  it('[WP12] a new price changes value and profit, which has paid the fee of 0.010693', () => {
    expect(markedAt(position, '0.538049')).toMatchObject({ value: '5.38049', profit: '0.006538' });
    expect(markedAt(position, '0.5')).toMatchObject({ value: '5', profit: '-0.373952' });
    expect(markedAt(position, '1')).toMatchObject({ value: '10', profit: '4.626048' });
  });

  it('[WP3] shares in open orders are not for sale', () => {
    expect(freeSize(position)).toBe('7.5');
  });
});

describe('settlement receipts', () => {
  it('[WP7] lines of one command and market are one receipt, free and reserved shares together', () => {
    const receipts = receiptsOf([
      { ...entry, amount: '487.6' },
      entry,
      { ...entry, ...shares, amount: '-20', bucket: 'reserved' },
      { ...entry, ...shares, amount: '-5' },
      { ...entry, seq: 5, reason: 'settlement', amount: '3', created_at_ms: 1, ref_id: 'm_other' },
    ]);
    expect(receipts).toMatchObject([
      {
        marketId: 'm_0123456789abcdef',
        paid: '512.6',
        held: [{ outcomeId: 'yes', size: '25' }],
      },
      { marketId: 'm_other', paid: '3', held: [] },
    ]);
  });

  it('[WP2] money of a trade belongs to the market whose shares moved with it, and no other money does', () => {
    const trade = { ...entry, reason: 'trade', ref_id: 'trd_0000000000000001' };
    const moved = { ...trade, ...shares, amount: '25' };
    const marketIn = marketsOf([trade, moved]);
    expect(marketIn(trade)).toBe('m_0123456789abcdef');
    expect(marketIn({ ...trade, ref_id: 'trd_0000000000000002' })).toBeNull();
    expect(marketIn({ ...trade, ref_id: 'ord_0000000000000001' })).toBeNull();
  });
});
