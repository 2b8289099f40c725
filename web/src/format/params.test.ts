import { paramValue } from '@sibyl/contract/names';
import { expect, it } from 'vitest';
import { paramName, paramsInOrder } from './params.ts';

const schema = {
  type: 'object',
  properties: {
    level: { type: 'number', title: 'Level in USDT' },
    strike_price: { type: 'string' },
  },
};

it.each([
  ['the title of the template', 'price-above', 'level', 'en', 'Level in USDT'],
  ['in the language of the reader', 'price-above', 'level', 'de', 'Marke in USDT'],
  ['words where it has no title', 'price-above', 'strike_price', 'en', 'Strike price'],
  ['words where it is unknown', 'price-above', 'closes_at_ms', 'en', 'Closes'],
  ['what an operator calls it', 'our-own', 'level', 'de', 'Level in USDT'],
] as const)('[WM32] a parameter is called %s', (_, id, name, locale, expected) => {
  expect(paramName(locale, { template_id: id }, { params_schema: schema }, name)).toBe(expected);
});

it.each([
  ['level', 110_000, '110,000'],
  ['strike', '67123.45', '67,123.45'],
  ['upper', '-5', '-5'],
  // Somebody's words, though they are digits.
  ['question', '2027', '2027'],
  ['lower', 'about 5', 'about 5'],
])('[WM32] the value of %s is shown as what it is', (name, value, expected) => {
  expect(paramValue('en', name, value)).toBe(expected);
});

it('[WM32] parameters stand as the template asks for them', () => {
  const market = { params: { away: 'Kingsway', closes_at_ms: 1, home: 'Redmoor' } };
  const properties = { away: {}, closes_at_ms: {}, home: {} };
  const required = ['home', 'away'];
  const names = paramsInOrder(market, { params_schema: { properties, required } }).map(
    ([name]) => name,
  );
  expect(names).toEqual(['home', 'away', 'closes_at_ms']);
});

it('[WM32] an instant is shown as a date', () => {
  expect(paramValue('en', 'closes_at_ms', Date.UTC(2026, 10, 14, 12))).toMatch(/Nov 14|14 Nov/);
});
