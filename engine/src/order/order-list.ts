// The open orders of one account, linked through the orders themselves.
import { assert } from '../assert.ts';
import type { Order } from './order.ts';

/** Kept in ascending order of id, so that what is done to all of them is done oldest first. */
export class OrderList {
  #first: Order | null = null;
  #last: Order | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(order: Order): void {
    let before = this.#last;
    // Orders open in the order of their ids; only a restored snapshot looks further than the last.
    while (before !== null && before.id > order.id) before = before.accountPrevious;
    const after = before === null ? this.#first : before.accountNext;
    order.accountPrevious = before;
    order.accountNext = after;
    if (before === null) this.#first = order;
    else before.accountNext = order;
    if (after === null) this.#last = order;
    else after.accountPrevious = order;
    this.#size += 1;
  }

  remove(order: Order): void {
    const { accountPrevious: before, accountNext: after } = order;
    if (before === null) {
      assert(this.#first === order, 'an order is listed with its account');
      this.#first = after;
    } else {
      before.accountNext = after;
    }
    if (after === null) this.#last = before;
    else after.accountPrevious = before;
    order.accountPrevious = null;
    order.accountNext = null;
    this.#size -= 1;
  }

  /** Oldest first. The list may lose the order just given, and only that. */
  *values(): Generator<Order> {
    let order = this.#first;
    while (order !== null) {
      const next: Order | null = order.accountNext;
      yield order;
      order = next;
    }
  }
}
