// What a market is called. People write titles: one in which there is nothing to see gives way to the market's id, which can be read and pressed.
import type { Market } from '../resources/market.ts';
import { dateFormat } from './formats.ts';
import type { MarketKind } from './kind.ts';
import type { Locale } from './locales.ts';
import { filled } from './words.ts';
import type { Zone } from './zone.ts';

const round = {
  en: '{symbol} up or down, {from} to {to}',
  de: '{symbol} rauf oder runter, {from} bis {to}',
  es: '{symbol} sube o baja, de {from} a {to}',
  zh: '{symbol} 涨或跌，{from} 至 {to}',
} as const;

/** Spaces, marks of direction, controls, and letters that are drawn as nothing. */
const UNSEEN = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function hasInk(text: string): boolean {
  return text.replace(UNSEEN, '') !== '';
}

export function titleOf(market: Pick<Market, 'title' | 'market_id'>): string {
  return hasInk(market.title) ? market.title : market.market_id;
}

type Named = Pick<
  Market,
  'title' | 'rendered_title' | 'market_id' | 'params' | 'opens_at_ms' | 'closes_at_ms'
> &
  Pick<MarketKind, 'market_type'>;

/** A round is named by its times in the reader's zone: its target price is a figure of its page. */
export function roundTitle(locale: Locale, market: Named, { timeZone, mark = '' }: Zone): string {
  const { symbol } = market.params;
  const isOwn = market.title !== market.rendered_title;
  if (market.market_type !== 'fast' || typeof symbol !== 'string' || isOwn) return titleOf(market);
  const format = dateFormat(locale, { timeStyle: 'short', timeZone });
  const from = format.format(market.opens_at_ms);
  return filled(round[locale], { symbol, from, to: format.format(market.closes_at_ms) + mark });
}
