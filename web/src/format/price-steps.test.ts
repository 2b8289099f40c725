import type { Market } from '@sibyl/sdk';
import { describe, expect, it } from 'vitest';
import { steppedPrice } from './price-steps.ts';

const market = { tick_size: '0.001' } as Market;

describe('[WM39] a step of the price', () => {
  it.each([
    ['0.5', 1, '0.501'],
    ['0.5', -1, '0.499'],
    ['0.5', 10, '0.51'],
    ['0.5345', 1, '0.535'],
    ['0.5345', -1, '0.534'],
    ['0.5345', -10, '0.525'],
    ['0.999', 1, '0.999'],
    ['0.001', -1, '0.001'],
    ['0.004', -10, '0.001'],
    ['1.2', 1, '0.999'],
    ['0', 1, '0.001'],
  ])('from %s by %s ticks is %s', (price, ticks, next) => {
    expect(steppedPrice(market, price, ticks)).toBe(next);
  });
});
