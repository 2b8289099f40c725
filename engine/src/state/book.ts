// A market's books: where an order rests, by price and time, in the coordinate of OB1.
import { complement, type Lots, type Pips } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import type { Side } from '../kit/identity.ts';
import { append, detach } from './level.ts';
import type { Order } from './order.ts';
import { PriceSide } from './side.ts';

export interface Book {
  readonly bids: PriceSide;
  readonly asks: PriceSide;
}

function createBook(): Book {
  return { bids: new PriceSide('bid'), asks: new PriceSide('ask') };
}

/** The books of a market, and the sides of the first: where there is no other, no order looks further. */
export interface Books extends Book {
  readonly hasOneBook: boolean;
  readonly books: readonly Book[];
}

/** One book for two outcomes, one for each of more. */
export function createBooks(outcomes: number): Books {
  const first = createBook();
  const books = [first];
  if (outcomes > 2) while (books.length < outcomes) books.push(createBook());
  return { hasOneBook: books.length === 1, bids: first.bids, asks: first.asks, books };
}

/** Whether prices of the outcome are complements of its book's: the second outcome of two. */
export function isMirrored(market: Books, outcome: number): boolean {
  return outcome === 1 && market.hasOneBook;
}

/** The side on which an order to buy or sell the outcome rests. */
export function ownSide(market: Books, outcome: number, side: Side): PriceSide {
  if (market.hasOneBook) {
    return (side === 'buy') === (outcome === 0) ? market.bids : market.asks;
  }
  const book = market.books[outcome]!;
  return side === 'buy' ? book.bids : book.asks;
}

/** The side whose orders an order to buy or sell the outcome meets. */
export function oppositeSide(market: Books, outcome: number, side: Side): PriceSide {
  return ownSide(market, outcome, side === 'buy' ? 'sell' : 'buy');
}

/** A price of the outcome in its book's coordinate, and back: the same step both ways. */
export function mirror(market: Books, outcome: number, price: Pips): Pips {
  return isMirrored(market, outcome) ? complement(price) : price;
}

/** To the back of the queue at its price. */
export function rest(order: Order): void {
  const { market } = order.holding;
  const side = ownSide(market, order.outcome, order.side);
  const level = side.occupy(mirror(market, order.outcome, order.price));
  append(level, order, (order.lots - order.filledLots) as Lots);
}

/** Takes a resting order out; `size` is what it still had in the book. */
export function leave(order: Order, size: Lots): void {
  const level = present(order.level, 'level of a resting order');
  detach(level, order, size);
  if (level.first === null) level.side.vacate(level);
}

/** Books a fill or a smaller size of an order that keeps its place. */
export function shrink(order: Order, by: Lots): void {
  present(order.level, 'level of a resting order').lots -= by;
}

/** The first of all that rest in the books, in that order; null when they are empty. */
export function firstResting(market: Books): Order | null {
  for (const { bids, asks } of market.books) {
    const level = bids.best ?? asks.best;
    if (level !== null) return level.first;
  }
  return null;
}

/** All that rest in the books, side by side, from the best level to the worst. */
export function restingOrders(market: Books): Order[] {
  const orders: Order[] = [];
  for (const { bids, asks } of market.books) {
    for (const side of [bids, asks]) {
      for (let level = side.best; level !== null; level = side.after(level)) {
        for (let order = level.first; order !== null; order = order.next) orders.push(order);
      }
    }
  }
  return orders;
}

/** True when a bid and an ask of one book could trade: never so between commands. */
export function isCrossed(book: Book): boolean {
  const bid = book.bids.best;
  const ask = book.asks.best;
  return bid !== null && ask !== null && bid.price >= ask.price;
}
