// What a market is called. People write titles: one in which there is nothing to see gives way to the market's id, which can be read and pressed.
import type { Market } from '@sibyl/sdk';
import { type Locale, type Texts, translate } from '../texts/texts.ts';
import { minuteTime } from './times.ts';

const texts = {
  round: {
    en: '{symbol} up or down, {from} to {to}',
    de: '{symbol} rauf oder runter, {from} bis {to}',
    es: '{symbol} sube o baja, de {from} a {to}',
    zh: '{symbol} 涨或跌,{from} 至 {to}',
  },
} satisfies Texts<string>;

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
  | 'title'
  | 'rendered_title'
  | 'market_id'
  | 'market_type'
  | 'params'
  | 'opens_at_ms'
  | 'closes_at_ms'
>;

/** A round is named by its times in the reader's zone: its target price is a figure of its page. */
export function roundTitle(locale: Locale, market: Named): string {
  const { symbol } = market.params;
  const isOwn = market.title !== market.rendered_title;
  if (market.market_type !== 'fast' || typeof symbol !== 'string' || isOwn) return titleOf(market);
  const from = minuteTime(locale, market.opens_at_ms);
  return translate(locale, texts.round, {
    symbol,
    from,
    to: minuteTime(locale, market.closes_at_ms),
  });
}
