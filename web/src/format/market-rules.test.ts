import { locales } from '@sibyl/contract/locales';
import { expect, it } from 'vitest';
import { ownTemplates } from '../../../server/src/seed/own-templates.ts';
import { seedTemplates } from '../../../server/src/seed/templates.ts';
import { marketRules } from './market-rules.ts';

const CLOSES_MS = Date.UTC(2027, 0, 3, 14);
const ABOVE = 'Resolves to yes if the price in USDT is above the level when trading closes.';
const above = {
  template_id: 'price-above',
  description: ABOVE,
  params: { symbol: 'BTC', level: 110_000, closes_at_ms: CLOSES_MS },
  closes_at_ms: CLOSES_MS,
};

it.each([
  [
    'en',
    /^Resolves to Yes if the price of BTC is above 110,000 USDT when .* \(Jan 3, 2027.*\d.*\)/,
  ],
  [
    'de',
    /^Wird mit Ja entschieden, wenn der Preis von BTC .*03\.01\.2027.* über 110\.000 USDT liegt/,
  ],
  ['es', /^Se resuelve con Sí si el precio de BTC está por encima de 110\.000 USDT/],
  ['zh', /BTC 的价格高于 110,000 USDT/],
] as const)('[WM56] the rules name figures and close in %s', (locale, text) => {
  const written = marketRules(locale, above);
  expect(written).toMatch(text);
  const format = { timeZoneName: 'short', hour: 'numeric' } as const;
  const parts = new Intl.DateTimeFormat(locale, format).formatToParts(CLOSES_MS);
  expect(written).toContain(parts.find(({ type }) => type === 'timeZoneName')?.value);
});

it('[WM56] rules of others, and rules without their figures, stay as they are', () => {
  expect(marketRules('en', { ...above, template_id: 'of-an-operator' })).toBe(ABOVE);
  expect(marketRules('en', { ...above, params: { symbol: 'BTC' } })).toBe(ABOVE);
  const own = { ...above, description: 'Resolves to yes if {symbol} rains.' };
  expect(marketRules('de', own)).toBe(own.description);
  const odd = { ...above, params: { ...above.params, symbol: '{level} <b>' } };
  expect(marketRules('en', odd)).toContain('the price of {level} <b> is above 110,000 USDT');
});

it('[WM56] no rule of the templates that the exchange begins with speaks of figures that it could name', () => {
  const all = [...seedTemplates('sandbox'), ...ownTemplates('sandbox')];
  const params = { symbol: 'BTC', level: 1, lower: '2', upper: '3', strike: '4', city: 'Oslo' };
  const whole = { ...params, company: 'Acme', product: 'Kit' };
  for (const { id, displayDefaults } of all) {
    const { description } = displayDefaults;
    for (const locale of locales) {
      const market = { ...above, template_id: id, description: description ?? '', params: whole };
      const written = marketRules(locale, market);
      expect(written, id).not.toMatch(/the level|lower and the upper|the strike|the product|[{}]/);
      if (locale !== 'en' && market.description !== '') expect(written, id).not.toBe(description);
    }
  }
});
