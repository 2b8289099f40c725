// What the list and a market show before their scripts have run: titles and prices, with the classes of the cards that replace them.
import type { Market } from '@sibyl/contract';
import { type MarketWords, marketWords } from '../cards/market-words.ts';
import { escapeMarkup } from '../cards/plain-line.ts';
import type { Reader } from '../wire/reader.ts';

/** More would lie below every first screen. */
const CARDS_MAX = 12;

/** The frame around it, down to where the page itself begins. */
export function earlyFrame(isSandbox: boolean, content: string): string {
  return [
    '<!--early-->',
    '<div class="flex min-h-dvh flex-col">',
    `<div class="px-4 py-1 text-xs ${isSandbox ? 'bg-sandbox' : 'bg-live'}">&nbsp;</div>`,
    '<div class="border-b border-line bg-surface">',
    '<div class="mx-auto flex h-14 max-w-[90rem] items-center gap-2 px-4 text-base font-semibold sm:px-6">',
    '<img src="/icon.svg" alt="" width="24" height="24">Sibyl</div></div>',
    '<div class="mx-auto w-full max-w-[90rem] flex-1 px-4 pt-4 pb-10 sm:px-6">',
    content,
    '</div></div>',
    '<!--/early-->',
  ].join('');
}

export function earlyMarket(market: Market, reader: Reader): string {
  const words = marketWords(market, reader);
  return [
    '<div class="flex flex-col gap-4">',
    `<h1 dir="auto" class="line-clamp-4 text-lg font-semibold">${escapeMarkup(words.title)}</h1>`,
    figures(market, words, 'text-2xl'),
    '<div class="h-80 w-full rounded-lg border border-line bg-surface"></div>',
    '</div>',
  ].join('');
}

/** The strip above the list shows the rounds. */
export function earlyList(markets: readonly Market[], base: string, reader: Reader): string {
  const cards = markets
    .filter(({ market_type: type }) => type !== 'fast')
    .slice(0, CARDS_MAX)
    .map((market) => card(market, base, reader));
  return `<div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-4">${cards.join('')}</div>`;
}

function card(market: Market, base: string, reader: Reader): string {
  const words = marketWords(market, reader);
  return [
    '<article class="flex h-[206px] min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-4">',
    '<h2 dir="auto" class="line-clamp-2 min-h-10 font-semibold">',
    `<a href="${base}/m/${market.market_id}">${escapeMarkup(words.title)}</a></h2>`,
    figures(market, words, 'text-xl'),
    '</article>',
  ].join('');
}

/** Answers bear their names; a question and a number say by themselves what their figure is. */
function figures(market: Market, { leading }: MarketWords, size: 'text-xl' | 'text-2xl'): string {
  const isMulti = market.outcome_schema === 'multi';
  return leading
    .map(({ label, figure }) => {
      const name = isMulti ? `<bdi class="truncate">${escapeMarkup(label)}</bdi>` : '';
      const of = isMulti ? 'text-base' : size;
      return `<p class="flex items-center justify-between gap-2">${name}<span class="font-semibold tracking-tight ${of}">${escapeMarkup(figure)}</span></p>`;
    })
    .join('');
}
