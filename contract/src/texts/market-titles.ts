// Titles of markets in the reader's language, with dates and separators, where the exchange's own templates made them. What operators and makers wrote stays as it is.
import type { Market } from '../resources/market.ts';
import { dateFormat } from './formats.ts';
import type { MarketKind } from './kind.ts';
import type { Locale } from './locales.ts';
import { paramValue } from './param-value.ts';
import { roundTitle } from './titles.ts';
import { filled, type Words } from './words.ts';
import { HERE, type Zone } from './zone.ts';

export type Titled = Pick<
  Market,
  | 'market_id'
  | 'template_id'
  | 'title'
  | 'rendered_title'
  | 'subtitle'
  | 'params'
  | 'opens_at_ms'
  | 'closes_at_ms'
> &
  Pick<MarketKind, 'market_type'>;

interface TemplateTitle {
  /** What the template makes of the params: another version of it may ask something else. */
  readonly rendered: string;
  /** With `date`, the day on which trading closes. */
  readonly title: Words;
  readonly subtitle: Words;
}

const NONE: Words = { en: '', de: '', es: '', zh: '' };

const titles: ReadonlyMap<string, TemplateTitle> = new Map(
  Object.entries({
    'price-above': {
      rendered: 'Will {symbol} close above {level}?',
      title: {
        en: 'Will {symbol} close above {level} USDT on {date}?',
        de: 'Schließt {symbol} am {date} über {level} USDT?',
        es: '¿Cerrará {symbol} por encima de {level} USDT el {date}?',
        zh: '{symbol} 在 {date} 的收盘价会高于 {level} USDT 吗？',
      },
      // It says nothing that the title does not.
      subtitle: NONE,
    },
    'product-launch': {
      rendered: 'Will {company} launch {product} in time?',
      title: {
        en: 'Will {company} launch {product} by {date}?',
        de: 'Bringt {company} {product} bis {date} heraus?',
        es: '¿Lanzará {company} {product} antes del {date}?',
        zh: '{company} 会在 {date} 前发布 {product} 吗？',
      },
      subtitle: NONE,
    },
    'match-result': {
      rendered: '{home} against {away}',
      title: {
        en: '{home} against {away}, {date}',
        de: '{home} gegen {away}, {date}',
        es: '{home} contra {away}, {date}',
        zh: '{home} 对阵 {away}，{date}',
      },
      subtitle: NONE,
    },
    'rate-decision': {
      rendered: 'What will {bank} decide in {month}?',
      title: {
        en: 'What will {bank} decide in {month}?',
        de: 'Was entscheidet {bank} im {month}?',
        es: '¿Qué decidirá {bank} en {month}?',
        zh: '{bank} 在 {month} 会作何决定？',
      },
      subtitle: NONE,
    },
    'league-champion': {
      rendered: 'Who wins the {league}?',
      title: {
        en: 'Who wins the {league}?',
        de: 'Wer gewinnt die {league}?',
        es: '¿Quién gana la {league}?',
        zh: '谁将赢得 {league}？',
      },
      subtitle: NONE,
    },
    'price-range': {
      rendered: '{symbol} between {lower} and {upper}',
      title: {
        en: '{symbol} price on {date}: {lower} to {upper} USDT',
        de: '{symbol}-Kurs am {date}: {lower} bis {upper} USDT',
        es: 'Precio de {symbol} el {date}: de {lower} a {upper} USDT',
        zh: '{symbol} 在 {date} 的价格：{lower} 至 {upper} USDT',
      },
      subtitle: NONE,
    },
    'city-temperature': {
      rendered: 'Highest temperature in {city}',
      title: {
        en: 'Highest temperature in {city} until {date}',
        de: 'Höchsttemperatur in {city} bis {date}',
        es: 'Temperatura máxima en {city} hasta el {date}',
        zh: '{city} 截至 {date} 的最高气温',
      },
      subtitle: {
        en: 'Degrees Celsius from {lower} to {upper}',
        de: 'Grad Celsius von {lower} bis {upper}',
        es: 'Grados Celsius de {lower} a {upper}',
        zh: '摄氏 {lower} 至 {upper} 度',
      },
    },
  }),
);

export function marketTitle(locale: Locale, market: Titled, zone = HERE): string {
  const known = market.title === market.rendered_title ? knownTitle(market) : null;
  return known === null
    ? roundTitle(locale, market, zone)
    : filled(known.title[locale], values(locale, market, zone));
}

export function marketSubtitle(locale: Locale, market: Titled): string {
  const known = knownTitle(market);
  if (known === null) return market.subtitle;
  return filled(known.subtitle[locale], values(locale, market, HERE));
}

function knownTitle({ template_id: id, rendered_title, params }: Titled): TemplateTitle | null {
  const known = titles.get(id);
  const fill = (_: string, name: string): string => String(params[name] ?? '');
  return known?.rendered.replace(/\{(\w+)\}/g, fill) === rendered_title ? known : null;
}

function values(
  locale: Locale,
  { params, closes_at_ms }: Titled,
  zone: Zone,
): Record<string, string> {
  const { timeZone } = zone;
  const date = dateFormat(locale, { dateStyle: 'medium', timeZone }).format(closes_at_ms);
  const shown = Object.entries(params).map(([name, value]) => [
    name,
    shownValue(locale, name, value, zone),
  ]);
  return { ...Object.fromEntries(shown), date };
}

function shownValue(locale: Locale, name: string, value: unknown, zone: Zone): string {
  if (name !== 'month' || !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(String(value))) {
    return paramValue(locale, name, value, zone);
  }
  const format = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return dateFormat(locale, format).format(Date.parse(`${value}-01`));
}
