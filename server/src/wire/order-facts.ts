// What clients are told of an order that follows from its fields: its average price, what it holds back, its moments.
import { fillPrice, type PastOrder } from '@sibyl/history';
import { pieceOf, type TextSheet } from '@sibyl/lane';
import { LOT_MICRO } from '@sibyl/money';

/** All that an answer is made of: the engine's view of an order has it, and so has history's. */
export type OrderFacts = Omit<PastOrder, 'accountId' | 'keyId' | 'updatedAtMs'>;

/** In micro-USDT, of an order that has filled at all. */
export function averagePrice({ filledCost, filledLots }: OrderFacts): number {
  return fillPrice(filledCost, filledLots);
}

/** Money for an open buy, shares for an open sell; both are safe integers of millionths. */
export function reservedMicro({ status, side, price, lots, filledLots }: OrderFacts): number {
  if (status !== 'pending' && status !== 'partially_filled') return 0;
  const left = lots - filledLots;
  return left * (side === 'sell' ? LOT : (price ?? 0));
}

/** Micro-shares in a lot; a lot at one pip is a micro-USDT. */
const LOT = Number(LOT_MICRO);

/** Orders of one moment have the same times: they are made once. */
let lastCreatedMs = Number.NaN;
let lastUpdatedMs = Number.NaN;
let lastMoments = pieceOf('');

export function spellMoments(
  sheet: TextSheet,
  createdMs: number,
  updatedMs: number,
  text: (createdMs: number, updatedMs: number) => string,
): void {
  if (createdMs !== lastCreatedMs || updatedMs !== lastUpdatedMs) {
    lastMoments = pieceOf(text(createdMs, updatedMs));
    lastCreatedMs = createdMs;
    lastUpdatedMs = updatedMs;
  }
  sheet.bytes(lastMoments);
}
