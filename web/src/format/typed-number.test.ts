import { expect, it } from 'vitest';
import { withoutGroups } from './typed-number.ts';

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
