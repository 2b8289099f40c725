// The open orders of one account.
import { Defect } from '../assert.ts';
import type { Order } from './order.ts';

/** Kept in no order: an order that leaves touches one other, where the neighbours of a chain would be two. */
export class OrderList {
  readonly #orders: Order[] = [];

  get size(): number {
    return this.#orders.length;
  }

  add(order: Order): void {
    order.placeInAccount = this.#orders.length;
    this.#orders.push(order);
  }

  /** The last one takes its place. */
  remove(order: Order): void {
    const place = order.placeInAccount;
    if (this.#orders[place] !== order) {
      throw new Defect(`order ${order.id} is not listed with its account`);
    }
    const last = this.#orders.pop()!;
    if (last === order) return;
    this.#orders[place] = last;
    last.placeInAccount = place;
  }

  /** Those listed now, oldest first: ids are given out in order of time. */
  values(): readonly Order[] {
    return [...this.#orders].sort((a, b) => a.id - b.id);
  }
}
