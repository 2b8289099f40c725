import { describe, expect, it } from 'vitest';
import {
  directionOf,
  exactDirectionOf,
  money,
  priceDirectionOf,
  roughly,
  signedCents,
  signedMoney,
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
    ['0.008842', '<0.01', '+<0.01'],
    ['-0.0004', '-<0.01', '-<0.01'],
    ['0.000000', '0.00', '0.00'],
    ['0.019999', '0.01', '+0.01'],
    ['-4.458842', '-4.45', '-4.45'],
    ['1234.5', '1,234.50', '+1,234.50'],
  ])('[WP11] of %s is shown as %s and as the gain %s', (amount, plain, signed) => {
    expect(money('en', amount)).toBe(plain);
    expect(signedMoney('en', amount)).toBe(signed);
  });

  it('[WP11] below a cent has the decimal sign of the language', () => {
    expect(money('de', '0.004')).toBe('<0,01');
    expect(signedMoney('es', '-0.004')).toBe('-<0,01');
  });
});

describe('a large sum', () => {
  it.each([
    ['en', '110327.812', '110.3K'],
    ['de', '110327.812', '110,3 Tsd.'],
    ['de', '9752.7', '9,7 Tsd.'],
    ['de', '999.99', '999,9'],
    ['de', '999999.9', '999,9 Tsd.'],
    ['es', '110327.812', '110,3 mil'],
    ['zh', '110327.812', '11万'],
  ] as const)('[WM57] is short in %s: %s as %s', (locale, amount, text) => {
    expect(roughly(locale, amount).replace(/\s/g, ' ')).toBe(text);
  });

  it('[WM57] of a million has the form of the language', () => {
    expect(roughly('de', '1000000')).toMatch(/^1\sMio\.$/);
  });
});
