// What an order comes to at the best price, worked out by hand.
import type { OrderInput } from '@sibyl/sdk';
import { describe, expect, it } from 'vitest';
import type { Ticker } from '../../../live/use-tickers.ts';
import { estimateOf } from './estimate.ts';

const ticker = {
  best_bid: '0.62',
  bid_size: '40',
  best_ask: '0.64',
  ask_size: '100',
} as Ticker;

const order = {
  market_id: 'm_1',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '10',
} as const satisfies OrderInput;

describe('[WM29] what a visitor is told of an order', () => {
  it('is the best offer times the size', () => {
    expect(estimateOf(order, ticker)).toEqual({ amount: '6.4', size: '10', isWhole: true });
  });

  it('is the best bid times the size for a sale', () => {
    const sale = { ...order, side: 'sell' } as const;
    expect(estimateOf(sale, ticker)).toEqual({ amount: '6.2', size: '10', isWhole: true });
    expect(estimateOf({ ...sale, size: '40.01' }, ticker)?.isWhole).toBe(false);
  });

  it('says when the best price does not hold for all of it', () => {
    expect(estimateOf({ ...order, size: '100.01' }, ticker)?.isWhole).toBe(false);
  });

  it('is the limit times the size where the order would wait below the best offer', () => {
    const limit = { ...order, order_type: 'limit', size: '1000', price: '0.5' } as const;
    expect(estimateOf(limit, ticker)).toEqual({ amount: '500', size: '1000', isWhole: true });
    expect(estimateOf({ ...limit, price: '0.7' }, ticker)?.amount).toBe('640');
  });

  it('is what a budget buys', () => {
    const budget = { ...order, size: '1000000', max_cost: '32' } as const;
    expect(estimateOf(budget, ticker)).toEqual({ amount: '32', size: '50', isWhole: true });
  });

  it('is nothing while nobody offers', () => {
    expect(estimateOf(order, undefined)).toBeNull();
    expect(estimateOf(order, { ...ticker, best_ask: null } as Ticker)).toBeNull();
  });
});
