import { expect, it } from 'vitest';
import { asTyped, readAmount, withoutGroups } from './typed-number.ts';

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
