// The latest closed orders, so that a late cancel is told what became of its order.
import { assert } from '../assert.ts';
import type { OrderStatus } from '../event.ts';
import type { AccountId, OrderId } from '../identity.ts';

/** All that a cancel or amendment coming too late needs; the rest is the read model's. */
export interface ClosedOrder {
  readonly orderId: OrderId;
  readonly accountId: AccountId;
  readonly status: OrderStatus;
}

/**
 * Remembers the last `capacity` orders that closed: a ring in the order they closed, and a hash table of places in
 * it. Both are flat memory, because every order comes by here and an object for each would be the collector's work.
 */
export class ClosedOrders {
  readonly #capacity: number;
  #ids = new Float64Array(INITIAL_ROOM);
  #statuses = new Uint8Array(INITIAL_ROOM);
  readonly #accounts: AccountId[] = [];
  /** Places in the ring, plus one; 0 is vacant. Twice the ring's room, so that searches stay short. */
  #table = new Int32Array(2 * INITIAL_ROOM);
  #size = 0;
  /** Where the oldest stands once the ring is full. */
  #oldest = 0;

  constructor(capacity: number) {
    assert(capacity > 0, 'closed orders need room');
    this.#capacity = capacity;
  }

  get(orderId: OrderId): ClosedOrder | undefined {
    const place = this.#table[this.#search(orderId)]! - 1;
    return place < 0 ? undefined : this.#at(place);
  }

  add(orderId: OrderId, accountId: AccountId, status: OrderStatus): void {
    let place = this.#size;
    if (place < this.#capacity) {
      if (place === this.#ids.length) this.#grow();
      this.#size += 1;
    } else {
      place = this.#oldest;
      this.#forget(this.#search(this.#ids[place]!));
      this.#oldest = place + 1 === this.#capacity ? 0 : place + 1;
    }
    this.#ids[place] = orderId;
    this.#statuses[place] = STATUSES.indexOf(status);
    this.#accounts[place] = accountId;
    this.#table[this.#search(orderId)] = place + 1;
  }

  /** Oldest first. */
  *entries(): Generator<ClosedOrder> {
    for (let index = 0; index < this.#size; index += 1) {
      yield this.#at((this.#oldest + index) % this.#size);
    }
  }

  #at(place: number): ClosedOrder {
    return {
      orderId: this.#ids[place]! as OrderId,
      accountId: this.#accounts[place]!,
      status: STATUSES[this.#statuses[place]!]!,
    };
  }

  /** Where the table has the order, or the vacant entry where it would be. */
  #search(orderId: number): number {
    const mask = this.#table.length - 1;
    let entry = scatter(orderId) & mask;
    for (;;) {
      const place = this.#table[entry]!;
      if (place === 0 || this.#ids[place - 1] === orderId) return entry;
      entry = (entry + 1) & mask;
    }
  }

  /** Vacates an entry and moves up those behind it that would not be found across the gap. */
  #forget(vacated: number): void {
    const mask = this.#table.length - 1;
    let gap = vacated;
    let entry = gap;
    for (;;) {
      entry = (entry + 1) & mask;
      const place = this.#table[entry]!;
      if (place === 0) break;
      const home = scatter(this.#ids[place - 1]!) & mask;
      const isReachable = ((entry - home) & mask) < ((entry - gap) & mask);
      if (isReachable) continue;
      this.#table[gap] = place;
      gap = entry;
    }
    this.#table[gap] = 0;
  }

  #grow(): void {
    const room = 2 * this.#ids.length;
    const ids = new Float64Array(room);
    ids.set(this.#ids);
    this.#ids = ids;
    const statuses = new Uint8Array(room);
    statuses.set(this.#statuses);
    this.#statuses = statuses;
    this.#table = new Int32Array(2 * room);
    for (let place = 0; place < this.#size; place += 1) {
      this.#table[this.#search(ids[place]!)] = place + 1;
    }
  }
}

/** A power of two, as all sizes of the table are. */
const INITIAL_ROOM = 1024;

const STATUSES: readonly OrderStatus[] = [
  'filled',
  'cancelled',
  'rejected',
  'pending',
  'partially_filled',
];

/** Spreads neighbouring ids over the table: runs of them would make long searches. */
function scatter(orderId: number): number {
  let bits = orderId | 0;
  bits = (bits + (bits << 12)) | 0;
  bits ^= bits >>> 22;
  bits = (bits + (bits << 4)) | 0;
  bits ^= bits >>> 9;
  bits = (bits + (bits << 10)) | 0;
  bits ^= bits >>> 2;
  return bits >>> 0;
}
