// What a market is called. People write titles: one in which there is nothing to see gives way to the market's id, which can be read and pressed.
import type { Market } from '@sibyl/sdk';

/** Spaces, marks of direction, controls, and letters that are drawn as nothing. */
const UNSEEN = /[\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/gu;

export function hasInk(text: string): boolean {
  return text.replace(UNSEEN, '') !== '';
}

export function titleOf(market: Pick<Market, 'title' | 'market_id'>): string {
  return hasInk(market.title) ? market.title : market.market_id;
}
