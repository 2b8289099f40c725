import { expect, it } from 'vitest';
import { asTyped, orderAsTyped, readAmount, readCents, withoutGroups } from './typed-number.ts';

it.each([
  ['en', '1,500', '1500'],
  ['en', '1,500.25', '1500.25'],
  ['en', '12,345,678', '12345678'],
  ['en', '1.500', '1.500'],
  ['en', '1,5', '1,5'],
  ['en', '0,500', '0,500'],
  ['de', '1.500', '1500'],
  ['de', '1.500,25', '1500,25'],
  ['de', '1,500', '1,500'],
  ['es', '9.999', '9999'],
  ['zh', '1,500', '1500'],
] as const)('[WM28] in %s, %s is read as %s', (locale, typed, read) => {
  expect(withoutGroups(locale, typed)).toBe(read);
});

it.each([
  ['en', ' 12.5 ', '12.5'],
  ['en', '1,500', '1500'],
  ['en', '1,500.25', '1500.25'],
  ['en', '1.500', '1.500'],
  ['en', '12,5', null],
  ['en', '0,500', null],
  ['en', '1 500', null],
  ['de', '12,5', '12.5'],
  ['de', '12.5', '12.5'],
  ['de', '1.500,25', '1500.25'],
  ['de', '1500,25', '1500.25'],
  ['de', '1.500.000', '1500000'],
  ['de', '0.500', '0.500'],
  ['de', '1.234567', '1.234567'],
  // 1500 to whoever reads the page, 1.5 to whoever copies from a program.
  ['de', '1.500', null],
  ['es', '1.500', null],
  // What is left of 1.500.000 once the first sign for thousands was taken out while it was typed.
  ['de', '1500.000', null],
  ['es', '0,000001', '0.000001'],
  ['zh', '1,500.25', '1500.25'],
  ['de', '1,2345678', null],
  ['de', '1,5,5', null],
  ['en', '.5', null],
  ['en', '-1', null],
  ['en', '', null],
] as const)('[WMO10] as an amount of money in %s, %s is %s', (locale, typed, read) => {
  expect(readAmount(locale, typed)).toBe(read);
});

it.each(['en', 'de', 'es', 'zh'] as const)(
  '[WMO10] what a field begins with is read in %s as it was',
  (locale) => {
    for (const amount of ['1.500000', '1500.25', '100.500', '7']) {
      expect(Number(readAmount(locale, asTyped(locale, amount)))).toBe(Number(amount));
    }
  },
);

it.each([
  ['en', '40.5', '0.405'],
  ['en', '40,5', null],
  ['de', '40,5', '0.405'],
  ['de', '40.5', '0.405'],
  ['es', '0,0001', '0.000001'],
  ['es', '0,00001', null],
  ['zh', '7', '0.07'],
] as const)('[WM28] as a price in cents in %s, %s is %s', (locale, typed, read) => {
  expect(readCents(locale, typed)).toBe(read);
});

it.each(['en', 'de', 'es', 'zh'] as const)(
  '[WM28] an order that is changed in %s begins with what it is',
  (locale) => {
    const typed = orderAsTyped(locale, { price: '0.405000', size: '1030.860000' });
    expect(typed.price).toBe(locale === 'de' || locale === 'es' ? '40,5' : '40.5');
    expect(readCents(locale, typed.price)).toBe('0.405');
    expect(readAmount(locale, typed.size)).toBe('1030.86');
  },
);
