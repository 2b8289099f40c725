// A reader of one side of a book: walks the queue from the best price without touching it.
import type { Pips } from '@sibyl/money';
import { assert } from '../kit/assert.ts';
import type { Level } from '../state/level.ts';
import type { Order } from '../state/order.ts';
import type { PriceSide } from '../state/side.ts';

/** Where a plan stands in a queue. What the plan has taken of the front order is known here only. */
export class Cursor {
  #level: Level | null;
  #order: Order | null;
  #left: number;

  constructor(side: PriceSide) {
    this.#level = side.best;
    this.#order = this.#level === null ? null : this.#level.first;
    this.#left = this.#order === null ? 0 : this.#order.lots - this.#order.filledLots;
  }

  /** The front order, or null when the side is used up. */
  get order(): Order | null {
    return this.#order;
  }

  /** Lots of the front order that the plan has not taken. */
  get left(): number {
    return this.#left;
  }

  /** In the book's coordinate. */
  get price(): Pips {
    return this.#level!.price;
  }

  take(size: number): void {
    assert(size > 0 && size <= this.#left, 'a plan takes no more than an order has');
    this.#left -= size;
    if (this.#left === 0) this.advance();
  }

  advance(): void {
    let order = this.#order!.next;
    if (order === null) {
      const level = this.#level!;
      this.#level = level.side.after(level);
      order = this.#level === null ? null : this.#level.first;
    }
    this.#order = order;
    this.#left = order === null ? 0 : order.lots - order.filledLots;
  }
}
