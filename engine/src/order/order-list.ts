// The open orders of one account, linked through the orders themselves.
import { Defect } from '../assert.ts';
import type { Order } from './order.ts';

/** Oldest first: an order is added as it opens, and orders open in the order of their ids. */
export class OrderList {
  #first: Order | null = null;
  #last: Order | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(order: Order): void {
    const last = this.#last;
    order.accountPrevious = last;
    if (last === null) this.#first = order;
    else last.accountNext = order;
    this.#last = order;
    this.#size += 1;
  }

  remove(order: Order): void {
    const { accountPrevious: before, accountNext: after } = order;
    if (before === null) {
      if (this.#first !== order)
        throw new Defect(`order ${order.id} is not listed with its account`);
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

  /** The list may lose the order just given, and only that. */
  *values(): Generator<Order> {
    let order = this.#first;
    while (order !== null) {
      const next: Order | null = order.accountNext;
      yield order;
      order = next;
    }
  }
}
