import { marketSubtitle, marketTitle, type Titled } from '@sibyl/contract/names';
import { describe, expect, it } from 'vitest';
import { seedTemplates } from '../../src/seed/templates.ts';

const CLOSES_MS = Date.UTC(2026, 5, 30, 12);

function market(template_id: string, rendered: string, params: Titled['params']): Titled {
  return {
    ...{
      market_id: 'm_0123456789abcdef',
      template_id,
      params,
      opens_at_ms: 0,
      closes_at_ms: CLOSES_MS,
    },
    ...{ market_type: 'normal' as const },
    ...{ title: rendered, rendered_title: rendered, subtitle: 'as the server says' },
  };
}

const above = market('price-above', 'Will BTC close above 110000?', {
  symbol: 'BTC',
  level: 110_000,
  closes_at_ms: CLOSES_MS,
});
const range = market('price-range', 'ETH between 3000 and 5000.5', {
  ...{ symbol: 'ETH', lower: '3000', upper: '5000.5' },
});
const rate = market('rate-decision', 'What will Northland Bank decide in 2026-12?', {
  ...{ bank: 'Northland Bank', month: '2026-12' },
});

describe('the title of a market', () => {
  it.each([
    ['en', above, 'Will BTC close above 110,000 USDT on Jun 30, 2026?'],
    ['de', above, 'Schließt BTC am 30.06.2026 über 110.000 USDT?'],
    ['es', above, '¿Cerrará BTC por encima de 110.000 USDT el 30 jun 2026?'],
    ['zh', above, 'BTC 在 2026年6月30日 的收盘价会高于 110,000 USDT 吗？'],
    ['en', range, 'ETH price on Jun 30, 2026: 3,000 to 5,000.5 USDT'],
    ['de', range, 'ETH-Kurs am 30.06.2026: 3.000 bis 5.000,5 USDT'],
    ['en', rate, 'What will Northland Bank decide in December 2026?'],
    ['de', rate, 'Was entscheidet Northland Bank im Dezember 2026?'],
  ] as const)('[WM45] has date, separators and words of %s', (locale, one, title) => {
    expect(marketTitle(locale, one)).toBe(title);
  });

  it('[WM45] stays as its maker or operator wrote it', () => {
    const own = { ...above, title: 'My own {symbol} question, 110000?' };
    expect(marketTitle('de', own)).toBe(own.title);
    // A later version of the template asks something else.
    const later = {
      ...above,
      title: 'Is BTC under 110000?',
      rendered_title: 'Is BTC under 110000?',
    };
    expect(marketTitle('de', later)).toBe('Is BTC under 110000?');
    expect(marketSubtitle('de', later)).toBe('as the server says');
    const other = { ...above, template_id: 'of-an-operator' };
    expect(marketTitle('de', other)).toBe('Will BTC close above 110000?');
    // Braces and markup in a parameter are text.
    const odd = market('league-champion', 'Who wins the {date} <b>?', { league: '{date} <b>' });
    expect(marketTitle('en', odd)).toBe('Who wins the {date} <b>?');
  });

  it('[WM45] is that of the templates which the exchange begins with', () => {
    const sample = { symbol: 'BTC', level: 1, company: 'A', product: 'B', home: 'C', away: 'D' };
    const params = { ...sample, bank: 'E', month: '2026-01', league: 'F', lower: '1', upper: '2' };
    const all: Titled['params'] = { ...params, city: 'G', question: 'H?' };
    const known = seedTemplates('sandbox').filter(({ marketType }) => marketType === 'normal');
    const changed = known.filter(({ id, displayDefaults: { titleTemplate } }) => {
      const text = titleTemplate.replace(/\{(\w+)\}/g, (_, name) => String(all[name] ?? ''));
      return marketTitle('de', market(id, text, all)) !== text;
    });
    // Of the rest, whoever makes the market writes the whole title.
    const whole = known.filter(
      ({ displayDefaults }) => displayDefaults.titleTemplate === '{question}',
    );
    expect(changed.length).toBe(known.length - whole.length);
  });
});
