import { describe, expect, it } from 'vitest';
import {
  directionOf,
  exactDirectionOf,
  priceDirectionOf,
  signedCents,
  signedTellingMoney,
  tellingMoney,
} from './amounts.ts';

describe('a change', () => {
  it.each([
    ['0.000499', 'flat', '0'],
    ['-0.000499', 'flat', '0'],
    ['0', 'flat', '0'],
    ['0.0005', 'up', '+0.1'],
    ['-0.0005', 'down', '-0.1'],
  ])('[WF11] of %s in price goes %s and reads %s', (change, direction, text) => {
    expect(signedCents('en', change)).toBe(text);
    expect(priceDirectionOf(change)).toBe(direction);
  });

  it.each([
    ['0.009999', 'flat', 'up'],
    ['-0.009999', 'flat', 'down'],
    ['0.01', 'up', 'up'],
    ['-0.01', 'down', 'down'],
    ['0', 'flat', 'flat'],
  ])('[WF11] of %s in money goes %s with two places and %s with all', (amount, short, exact) => {
    expect(directionOf(amount)).toBe(short);
    expect(exactDirectionOf(amount)).toBe(exact);
  });
});

describe('money', () => {
  it.each([
    ['0.008842', '0.008842', '+0.008842'],
    ['-0.0004', '-0.0004', '-0.0004'],
    ['0.000000', '0.00', '0.00'],
    ['0.019999', '0.01', '+0.01'],
    ['-4.458842', '-4.45', '-4.45'],
  ])('[WP11] of %s is shown as %s and as the gain %s', (amount, plain, signed) => {
    expect(tellingMoney('en', amount)).toBe(plain);
    expect(signedTellingMoney('en', amount)).toBe(signed);
  });
});
