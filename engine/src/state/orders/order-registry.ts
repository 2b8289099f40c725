// The orders of a lane by id: those open, and the latest that closed, so that a late cancel is told what became of its.

import { assert, Defect } from '../../kit/assert.ts';
import type { OrderId } from '../../kit/identity.ts';
import type { Row } from '../../kit/tallies.ts';
import type { Account } from '../account.ts';
import type { OrderStatus } from '../event.ts';
import type { Order } from '../order.ts';

/** All that a cancel or amendment coming too late needs; the rest is the read model's. */
export interface ClosedOrder {
  readonly orderId: OrderId;
  /** The row of its account. */
  readonly account: Row;
  readonly status: OrderStatus;
}

/** An open order, or when it closed: the number of orders that had closed before. */
export type Entry = Order | number | null;

/**
 * Ids are given out in order, so neighbours in the table are neighbours in time. Chunks of 64 ids lie in shelves of 4,096
 * chunks, so that an order is two steps away however many there are; both are dropped once nobody asks for any of their orders
 * any more, and a long-lived order keeps its own chunk and shelf alive and no more. An order that closes leaves behind
 * when it did: it is remembered until `capacity` more have closed.
 */
export class OrderRegistry {
  readonly #capacity: number;
  readonly #shelves: (Shelf | null)[] = [];
  #size = 0;
  /** Two numbers for each that closed: its id, and how it ended. A ring once it is full, in which the offset follows from when it was. */
  #closed = new Float64Array(WIDTH * INITIAL_ROOM);
  #closedCount = 0;
  /** Where the next one goes. */
  #nextClosed = 0;

  constructor(capacity: number) {
    assert(capacity > 0, 'closed orders need room');
    this.#capacity = capacity;
  }

  /** How many are open. */
  get size(): number {
    return this.#size;
  }

  /** The order, if it is open. */
  get(id: OrderId): Order | undefined {
    const entry = this.#entry(id);
    return typeof entry === 'object' && entry !== null ? entry : undefined;
  }

  has(id: OrderId): boolean {
    return this.get(id) !== undefined;
  }

  /** How the account's order ended, if it is one of the latest that closed. */
  statusClosed(id: OrderId, account: Account): OrderStatus | undefined {
    const entry = this.#entry(id);
    if (typeof entry !== 'number' || this.#closedCount - entry > this.#capacity) return undefined;
    const mark = this.#closed[this.#closedOffset(entry) + 1]!;
    return accountOf(mark) === account.row ? statusOf(mark) : undefined;
  }

  open(order: Order): void {
    order.slots = this.#fill(order.id, order);
    this.#size += 1;
  }

  /** Puts in the place of an open order when it closed. */
  close(order: Order): void {
    const { slots, id } = order;
    const slot = id & MASK;
    if (slots === null || slots[slot] !== order) throw new Defect(`order ${id} is not open`);
    slots[slot] = this.#closedCount;
    order.slots = null;
    this.#size -= 1;
    this.#noteClosed(id, markOf(order.holding.account.row, order.status));
  }

  /** Marks an order that ended without ever being open. */
  remember(id: OrderId, account: Row, status: OrderStatus): void {
    this.#fill(id, this.#closedCount);
    this.#noteClosed(id, markOf(account, status));
  }

  /** The open ones, by id. */
  *values(): Generator<Order> {
    for (const shelf of this.#shelves) {
      for (const slots of shelf?.chunks ?? NOTHING) {
        for (const entry of slots ?? NOTHING) {
          if (typeof entry === 'object' && entry !== null) yield entry;
        }
      }
    }
  }

  /** Those remembered, in the order they closed. */
  *closed(): Generator<ClosedOrder> {
    const kept = this.#closedCount < this.#capacity ? this.#closedCount : this.#capacity;
    for (let number = this.#closedCount - kept; number < this.#closedCount; number += 1) {
      const offset = this.#closedOffset(number);
      const mark = this.#closed[offset + 1]!;
      const orderId = this.#closed[offset]! as OrderId;
      yield { orderId, account: accountOf(mark), status: statusOf(mark) };
    }
  }

  #entry(id: number): Entry | undefined {
    const number = chunkNumberOf(id);
    const shelf = this.#shelves[shelfNumberOf(number)];
    if (shelf === undefined || shelf === null) return undefined;
    const slots = shelf.chunks[number & SHELF_MASK]!;
    return slots === null ? undefined : slots[id & MASK];
  }

  /** Puts a new entry where it belongs and says which slots that is in. */
  #fill(id: number, entry: Order | number): Entry[] {
    const number = chunkNumberOf(id);
    const shelf = this.#shelfAt(shelfNumberOf(number));
    const index = number & SHELF_MASK;
    let slots = shelf.chunks[index]!;
    if (slots === null) {
      slots = EMPTY_SLOTS.slice();
      shelf.chunks[index] = slots;
      shelf.used += 1;
    }
    if (slots[id & MASK] !== null) throw new Defect(`order ${id} is known already`);
    slots[id & MASK] = entry;
    shelf.counts[index] = shelf.counts[index]! + 1;
    return slots;
  }

  #noteClosed(id: OrderId, mark: number): void {
    const offset = this.#nextClosed;
    if (this.#closedCount >= this.#capacity) this.#forget(this.#closed[offset]!);
    else if (offset === this.#closed.length) this.#grow();
    this.#closed[offset] = id;
    this.#closed[offset + 1] = mark;
    this.#closedCount += 1;
    this.#nextClosed = offset + WIDTH === WIDTH * this.#capacity ? 0 : offset + WIDTH;
  }

  /** Where the closed orders have the one before which so many had closed. */
  #closedOffset(number: number): number {
    return WIDTH * (number % this.#capacity);
  }

  /** What stands in its place is not looked at: out of all caches, and it says itself that it was too long ago. */
  #forget(id: number): void {
    const number = chunkNumberOf(id);
    const shelfNumber = shelfNumberOf(number);
    const shelf = this.#shelves[shelfNumber];
    if (shelf === undefined || shelf === null) throw new Defect(`closed order ${id} has no shelf`);
    const index = number & SHELF_MASK;
    const left = shelf.counts[index]! - 1;
    shelf.counts[index] = left;
    if (left > 0) return;
    shelf.chunks[index] = null;
    shelf.used -= 1;
    if (shelf.used === 0) this.#shelves[shelfNumber] = null;
  }

  #shelfAt(number: number): Shelf {
    while (this.#shelves.length <= number) this.#shelves.push(null);
    const known = this.#shelves[number]!;
    if (known !== null) return known;
    const shelf = { used: 0, chunks: emptySlots(CHUNKS), counts: new Uint8Array(CHUNKS) };
    this.#shelves[number] = shelf;
    return shelf;
  }

  #grow(): void {
    const closed = new Float64Array(2 * this.#closed.length);
    closed.set(this.#closed);
    this.#closed = closed;
  }
}

interface Shelf {
  /** Chunks that are not null. */
  used: number;
  readonly chunks: (Entry[] | null)[];
  /** Entries of each chunk that are open or remembered. */
  readonly counts: Uint8Array;
}

const SLOTS = 64;
const MASK = 63;
const CHUNKS = 4096;
const SHELF_MASK = 4095;
const INITIAL_ROOM = 1024;
/** Numbers kept of a closed order. */
const WIDTH = 2;
const NOTHING: readonly never[] = [];
/** Copied as a whole, so that a chunk takes no more room than it needs. */
const EMPTY_SLOTS: readonly Entry[] = emptySlots(SLOTS);

/** Not by a shift: ids may outgrow 32 bits. */
function chunkNumberOf(id: number): number {
  return (id - (id & MASK)) / SLOTS; // exact: the remainder was taken off
}

function shelfNumberOf(number: number): number {
  return (number - (number & SHELF_MASK)) / CHUNKS; // exact: the remainder was taken off
}

function emptySlots(count: number): null[] {
  const slots: null[] = [];
  for (let slot = 0; slot < count; slot += 1) slots.push(null);
  return slots;
}

/** By code, see codeOf. */
const STATUSES: readonly OrderStatus[] = ['filled', 'cancelled', 'rejected'];
const STATUS_COUNT = 4;

function markOf(account: Row, status: OrderStatus): number {
  return account * STATUS_COUNT + codeOf(status);
}

/** Not by a search: this runs for every order that ends. */
function codeOf(status: OrderStatus): number {
  if (status === 'filled') return 0;
  if (status === 'cancelled') return 1;
  if (status === 'rejected') return 2;
  throw new Defect(`an order does not end ${status}`);
}

function accountOf(mark: number): Row {
  return ((mark - (mark % STATUS_COUNT)) / STATUS_COUNT) as Row; // exact: the remainder was taken off
}

function statusOf(mark: number): OrderStatus {
  return STATUSES[mark % STATUS_COUNT]!;
}
