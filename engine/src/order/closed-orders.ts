// The latest closed orders, so that a late cancel is told what became of its order.
import { assert } from '../assert.ts';
import type { OrderStatus } from '../event.ts';
import type { AccountId, OrderId } from '../identity.ts';
import { IdTable } from './id-table.ts';

/** All that a cancel or amendment coming too late needs; the rest is the read model's. */
export interface ClosedOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly status: OrderStatus;
}

/**
 * Remembers the last `capacity` orders that closed. Those of two generations are kept and the older generation is
 * dropped as a whole, which costs nothing per order; the count at which each closed says whether it still counts.
 */
export class ClosedOrders {
  readonly #capacity: number;
  #count = 0;
  #latest = new IdTable<Remembered>();
  #earlier = new IdTable<Remembered>();

  constructor(capacity: number) {
    assert(capacity > 0, 'closed orders need room');
    this.#capacity = capacity;
  }

  get(orderId: OrderId): ClosedOrder | undefined {
    const known = this.#latest.get(orderId) ?? this.#earlier.get(orderId);
    return known !== undefined && known.number > this.#count - this.#capacity ? known : undefined;
  }

  add(orderId: OrderId, accountId: AccountId, status: OrderStatus): void {
    if (this.#latest.size === this.#capacity) {
      this.#earlier = this.#latest;
      this.#latest = new IdTable();
    }
    this.#count += 1;
    this.#latest.set(orderId, { orderId, accountId, status, number: this.#count });
  }

  /** Oldest first. */
  entries(): ClosedOrder[] {
    const kept: Remembered[] = [];
    for (const generation of [this.#earlier, this.#latest]) {
      for (const order of generation.values()) {
        if (order.number > this.#count - this.#capacity) kept.push(order);
      }
    }
    kept.sort((a, b) => a.number - b.number);
    return kept.map(({ orderId, accountId, status }) => ({ orderId, accountId, status }));
  }
}

/** `number` counts the orders as they closed. */
interface Remembered extends ClosedOrder {
  readonly number: number;
}
