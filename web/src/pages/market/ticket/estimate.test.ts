// What an order of a visitor would do, worked out by hand.
import type { OrderInput } from '@sibyl/sdk';
import { describe, expect, it } from 'vitest';
import { estimateOf, type Terms } from './estimate.ts';

const book = {
  bids: [
    ['0.5', '40'],
    ['0.4', '100'],
  ],
  asks: [
    ['0.5', '100'],
    ['0.6', '50'],
    ['0.9', '1000'],
  ],
} as const;

const terms: Terms = { lotSize: '0.01', peakBps: 20, price: '0.5', band: '0.2' };

const order = {
  market_id: 'm_1',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '10',
} as const satisfies OrderInput;

const limit = { ...order, order_type: 'limit', time_in_force: 'gtc' } as const;

describe('[WM29] the estimate of a market order', () => {
  it('costs the best offer times the size, and 20 bps at one half', () => {
    expect(estimateOf(order, book, terms)).toMatchObject({
      filled: '10',
      average: '0.5',
      fee: '0.01',
      notional: '5',
      total: '5.01',
      resting: '0',
    });
  });

  it('walks on to the next offers, each with its own rate', () => {
    // 100 at 50¢ for 50 and 0.1; 50 at 60¢ for 30 at 8 + 12 · 4 · 0.6 · 0.4 = 19.52 bps, that is 0.05856.
    expect(estimateOf({ ...order, size: '150' }, book, terms)).toMatchObject({
      filled: '150',
      average: '0.533333',
      fee: '0.15856',
      total: '80.15856',
    });
  });

  it('ends where the band ends, and without a band goes on', () => {
    const large = { ...order, size: '200' };
    expect(estimateOf(large, book, terms)).toMatchObject({ filled: '150', resting: '0' });
    expect(estimateOf(large, book, { ...terms, band: null }).filled).toBe('200');
  });

  it('brings less for a sale by the fee', () => {
    expect(estimateOf({ ...order, side: 'sell' }, book, terms)).toMatchObject({
      isBuy: false,
      filled: '10',
      total: '4.99',
    });
  });

  it('buys as many whole lots as the budget pays for, fee included', () => {
    const budget = { ...order, size: '1000000', max_cost: '10.02' };
    expect(estimateOf(budget, book, terms)).toMatchObject({ filled: '20', total: '10.02' });
    const less = estimateOf({ ...budget, max_cost: '10' }, book, terms);
    expect(less).toMatchObject({ filled: '19.96', total: '9.99996' });
  });

  it('does nothing while nobody offers', () => {
    const empty = { bids: [], asks: [] };
    expect(estimateOf(order, empty, terms)).toMatchObject({ filled: '0', total: '0' });
  });
});

describe('[WM38] the estimate of a limit order', () => {
  it('that rests costs its own price, without a fee', () => {
    expect(estimateOf({ ...limit, price: '0.45' }, book, terms)).toMatchObject({
      filled: '0',
      resting: '10',
      fee: '0',
      total: '4.5',
    });
  });

  it('that fills in part costs both parts', () => {
    expect(estimateOf({ ...limit, price: '0.55', size: '120' }, book, terms)).toMatchObject({
      filled: '100',
      resting: '20',
      fee: '0.1',
      total: '61.1',
    });
  });

  it('beyond the band has its rest cancelled', () => {
    expect(estimateOf({ ...limit, price: '0.8', size: '200' }, book, terms)).toMatchObject({
      filled: '150',
      resting: '0',
    });
  });

  it('is refused as post only where it would fill, and as fill or kill where it would not', () => {
    const post = { ...limit, price: '0.55', post_only: true };
    expect(estimateOf(post, book, terms)).toMatchObject({
      filled: '0',
      resting: '0',
      rejectReason: 'post_only_would_cross',
    });
    const all = { ...limit, price: '0.55', size: '120', time_in_force: 'fok' } as const;
    expect(estimateOf(all, book, terms)).toMatchObject({
      filled: '0',
      resting: '0',
      rejectReason: 'fok_unfillable',
    });
  });
});
