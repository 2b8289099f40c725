// One price of one side of a book: the orders resting there, earliest first.
import type { Lots, Pips } from '@sibyl/money';
import { assert } from '../assert.ts';
import type { Order } from '../order/order.ts';
import type { PriceSide } from './side.ts';

/** The orders are linked through their own `previous` and `next`, so that any of them leaves in constant time. */
export class Level {
  readonly side: PriceSide;
  /** In the book's coordinate. */
  readonly price: Pips;
  first: Order | null = null;
  last: Order | null = null;
  /** What is left of all orders here. */
  lots = 0;
  count = 0;
  /** The neighbouring occupied prices of the same side. */
  better: Level | null = null;
  worse: Level | null = null;

  constructor(side: PriceSide, price: Pips) {
    this.side = side;
    this.price = price;
  }

  /** To the back of the queue. */
  append(order: Order, size: Lots): void {
    assert(order.level === null, 'an order rests in one place');
    order.level = this;
    order.previous = this.last;
    order.next = null;
    if (this.last === null) this.first = order;
    else this.last.next = order;
    this.last = order;
    this.lots += size;
    this.count += 1;
  }

  /** `size` is what the order still had resting here. */
  detach(order: Order, size: Lots): void {
    assert(order.level === this, 'an order leaves the level it rests in');
    if (order.previous === null) this.first = order.next;
    else order.previous.next = order.next;
    if (order.next === null) this.last = order.previous;
    else order.next.previous = order.previous;
    order.level = null;
    order.previous = null;
    order.next = null;
    this.lots -= size;
    this.count -= 1;
  }
}
