// How a market is decided, in the reader's language: rules of the exchange's own templates name the figures of the market and when it closes.
import { dateFormat, paramValue } from '@sibyl/contract/names';
import type { Market } from '@sibyl/sdk';
import { type Locale, translate, type Words } from '../texts/texts.ts';
import { isBuiltIn, templateWords } from './template-words.ts';

type Ruled = Pick<Market, 'template_id' | 'description' | 'params' | 'closes_at_ms'>;

/** By what the template says of all its markets. */
const withFigures: ReadonlyMap<string, Words> = new Map(
  Object.entries({
    'Resolves to yes if the price in USDT is above the level when trading closes.': {
      en: 'Resolves to Yes if the price of {symbol} is above {level} USDT when trading closes ({close}), else to No.',
      de: 'Wird mit Ja entschieden, wenn der Preis von {symbol} bei Handelsschluss ({close}) über {level} USDT liegt, sonst mit Nein.',
      es: 'Se resuelve con Sí si el precio de {symbol} está por encima de {level} USDT al cierre ({close}); si no, con No.',
      zh: '交易截止时（{close}）{symbol} 的价格高于 {level} USDT，则结果为是，否则为否。',
    },
    'Resolves to yes if the product can be bought before trading closes.': {
      en: 'Resolves to Yes if {product} of {company} can be bought before trading closes ({close}), else to No.',
      de: 'Wird mit Ja entschieden, wenn {product} von {company} vor Handelsschluss ({close}) gekauft werden kann, sonst mit Nein.',
      es: 'Se resuelve con Sí si {product} de {company} puede comprarse antes del cierre ({close}); si no, con No.',
      zh: '交易截止前（{close}）可以买到 {company} 的 {product}，则结果为是，否则为否。',
    },
    'Pays by where the price in USDT lies between the lower and the upper end when trading closes.':
      {
        en: 'Pays by where the price of {symbol} lies between {lower} and {upper} USDT when trading closes ({close}).',
        de: 'Zahlt danach, wo der Preis von {symbol} bei Handelsschluss ({close}) zwischen {lower} und {upper} USDT liegt.',
        es: 'Paga según dónde esté el precio de {symbol} entre {lower} y {upper} USDT al cierre ({close}).',
        zh: '按交易截止时（{close}）{symbol} 的价格在 {lower} 与 {upper} USDT 之间的位置支付。',
      },
    'Pays by where the highest temperature before trading closes lies between the lower and the upper end.':
      {
        en: 'Pays by where the highest temperature in {city} before trading closes ({close}) lies between {lower} and {upper} °C.',
        de: 'Zahlt danach, wo die höchste Temperatur in {city} bis Handelsschluss ({close}) zwischen {lower} und {upper} °C liegt.',
        es: 'Paga según dónde esté la temperatura máxima en {city} hasta el cierre ({close}) entre {lower} y {upper} °C.',
        zh: '按交易截止前（{close}）{city} 的最高气温在 {lower} 与 {upper} °C 之间的位置支付。',
      },
    'Pays by where the number lies between the lower and the upper end.': {
      en: 'Pays by where the number lies between {lower} and {upper}.',
      de: 'Zahlt danach, wo die Zahl zwischen {lower} und {upper} liegt.',
      es: 'Paga según dónde esté el número entre {lower} y {upper}.',
      zh: '按数值在 {lower} 与 {upper} 之间的位置支付。',
    },
    'Resolves to yes (up) if the price at the end of the round is at or above the strike, else to no (down).':
      {
        en: 'Resolves to Up if the price of {symbol} at the end of the round ({close}) is at or above the target price {strike}, else to Down.',
        de: 'Wird mit Höher entschieden, wenn der Preis von {symbol} am Ende der Runde ({close}) bei der Marke {strike} oder darüber liegt, sonst mit Tiefer.',
        es: 'Se resuelve con Sube si el precio de {symbol} al final de la ronda ({close}) está en el objetivo {strike} o por encima; si no, con Baja.',
        zh: '若 {symbol} 在回合结束时（{close}）的价格不低于目标价 {strike}，则结果为上涨，否则为下跌。',
      },
  }),
);

const PLACE = /\{(\w+)\}/g;

/** What operators and makers wrote stays as it is, and so does a rule whose figures are missing. */
export function marketRules(locale: Locale, market: Ruled): string {
  const { template_id: id, description, params, closes_at_ms: closesAtMs } = market;
  const words = isBuiltIn(id) ? withFigures.get(description) : undefined;
  const places = words === undefined ? [] : [...words.en.matchAll(PLACE)].map(([, name]) => name);
  const missing = places.filter((name = '') => name !== 'close' && params[name] === undefined);
  if (words === undefined || missing.length > 0) return templateWords(locale, id, description);
  const figures = Object.entries(params).map(([name, value]) => [
    name,
    paramValue(locale, name, value),
  ]);
  // With the zone: a reader elsewhere may see the same page.
  const close = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }).format(closesAtMs);
  return translate(locale, words, { ...Object.fromEntries(figures), close });
}
