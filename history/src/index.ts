// What a lane remembers: orders, fills, trades, candles and statements, projected from its events and read in pages.
//
// A history is built from committed commands alone and can be thrown away at any time: it is built again from the journal and
// comes out equal. Reads never hold the event loop, and what is not on the disk yet is read together with what is.

export { fillPrice } from './projector/fill-price.ts';
export { HistoryKeeper } from './projector/history-keeper.ts';
export { LiveHistory } from './projector/live-history.ts';
export { ReadFiles } from './sqlite/read-files.ts';
export { addEarned, type Earned, NOTHING_EARNED } from './store/earnings.ts';
export type {
  CandleRange,
  CursorPage,
  EarningFill,
  EarningHistory,
  History,
  PastCandle,
  PastFill,
  PastOrder,
  PastTrade,
  StatementCursor,
  StatementEntry,
  StatementReason,
} from './store/history.ts';
export type { ReadStores } from './store/read-store.ts';
