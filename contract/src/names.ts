// What markets, outcomes and values are called in the reader's language: the same words on the pages, in their documents, in pictures and in files.
export { dateFormat, madeOnce, numberFormat } from './texts/formats.ts';
export type { MarketKind } from './texts/kind.ts';
export { marketSubtitle, marketTitle, type Titled } from './texts/market-titles.ts';
export { nameOf, outcomeName } from './texts/outcome-names.ts';
export { isDecimal, paramValue } from './texts/param-value.ts';
export { hasInk, titleOf } from './texts/titles.ts';
export type { Words } from './texts/words.ts';
export { UTC, type Zone } from './texts/zone.ts';
