// One price of one side of a book: the orders resting there, earliest first.
import type { Lots, Pips } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import type { Order } from './order.ts';
import type { PriceSide } from './side.ts';

/** The orders are linked through their own `previous` and `next`, so that any of them leaves in constant time. */
export interface Level {
  readonly side: PriceSide;
  /** In the book's coordinate. */
  readonly price: Pips;
  first: Order | null;
  last: Order | null;
  /** What is left of all orders here. */
  lots: number;
  count: number;
}

/** As a literal for the reason of createOrder: levels live as long as their book. */
export function createLevel(side: PriceSide, price: Pips): Level {
  return { side, price, first: null, last: null, lots: 0, count: 0 };
}

/** To the back of the queue. */
export function append(level: Level, order: Order, size: Lots): void {
  assert(order.level === null, 'an order rests in one place');
  const { last } = level;
  order.level = level;
  order.previous = last;
  order.next = null;
  if (last === null) level.first = order;
  else last.next = order;
  level.last = order;
  level.lots += size;
  level.count += 1;
}

/** `size` is what the order still had resting there. */
export function detach(level: Level, order: Order, size: Lots): void {
  assert(order.level === level, 'an order leaves the level it rests in');
  const { previous, next } = order;
  if (previous === null) level.first = next;
  else previous.next = next;
  if (next === null) level.last = previous;
  else next.previous = previous;
  order.level = null;
  order.previous = null;
  order.next = null;
  level.lots -= size;
  level.count -= 1;
}
