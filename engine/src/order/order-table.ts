// The orders of a lane by id: those open, and the latest that closed, so that a late cancel is told what became of its.
import type { Account } from '../account/account.ts';
import { assert, Defect } from '../assert.ts';
import type { OrderStatus } from '../event.ts';
import type { OrderId } from '../identity.ts';
import type { Row } from '../tallies.ts';
import type { Order } from './order.ts';

/** All that a cancel or amendment coming too late needs; the rest is the read model's. */
export interface ClosedOrder {
  readonly orderId: OrderId;
  /** The row of its account. */
  readonly account: Row;
  readonly status: OrderStatus;
}

/** An open order, or the account and status of a closed one in one integer. */
export type Entry = Order | number | null;

/**
 * Ids are given out in order, so neighbours in the table are neighbours in time. Chunks of 64 ids lie in shelves of 4,096
 * chunks, so that an order is two steps away however many there are; both are dropped when empty, and a long-lived order keeps
 * its own chunk and shelf alive and no more. An order that closes leaves a mark in its place until `capacity` more have closed.
 */
export class OrderTable {
  readonly #capacity: number;
  readonly #shelves = new Map<number, Shelf>();
  #size = 0;
  /** The shelf last used: new entries, and most lookups, are among the latest. */
  #shelfNumber = -1;
  #shelf: Shelf | null = null;
  /** Ids in the order they closed; a ring once it is full. */
  #closed = new Float64Array(INITIAL_ROOM);
  #closedCount = 0;
  #oldest = 0;

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
    if (typeof entry !== 'number' || accountOf(entry) !== account.row) return undefined;
    return statusOf(entry);
  }

  open(order: Order): void {
    order.slots = this.#fill(order.id, order);
    this.#size += 1;
  }

  /** Puts the mark of its end in the place of an open order. */
  close(order: Order): void {
    const { slots, id } = order;
    const slot = id & MASK;
    if (slots === null || slots[slot] !== order) throw new Defect(`order ${id} is not open`);
    slots[slot] = markOf(order.holding.account.row, order.status);
    order.slots = null;
    this.#size -= 1;
    this.#noteClosed(id);
  }

  /** Marks an order that ended without ever being open. */
  remember(id: OrderId, account: Row, status: OrderStatus): void {
    this.#fill(id, markOf(account, status));
    this.#noteClosed(id);
  }

  /** The open ones: by shelf as they were made, by id within each; ascending when orders opened in order. */
  *values(): Generator<Order> {
    for (const { chunks } of this.#shelves.values()) {
      for (const slots of chunks) {
        for (const entry of slots ?? NOTHING) {
          if (typeof entry === 'object' && entry !== null) yield entry;
        }
      }
    }
  }

  /** Those remembered, in the order they closed. */
  *closed(): Generator<ClosedOrder> {
    for (let index = 0; index < this.#closedCount; index += 1) {
      const orderId = this.#closed[(this.#oldest + index) % this.#closedCount]! as OrderId;
      const mark = this.#entry(orderId);
      if (typeof mark !== 'number') throw new Defect(`closed order ${orderId} has no mark`);
      yield { orderId, account: accountOf(mark), status: statusOf(mark) };
    }
  }

  #entry(id: number): Entry | undefined {
    const number = chunkNumberOf(id);
    const shelf = this.#find(shelfNumberOf(number));
    const slots = shelf === null ? null : shelf.chunks[number & SHELF_MASK]!;
    return slots === null ? undefined : slots[id & MASK];
  }

  /** Puts a new entry in its place and says which slots that is in. */
  #fill(id: number, entry: Order | number): Entry[] {
    const number = chunkNumberOf(id);
    const shelfNumber = shelfNumberOf(number);
    const shelf = this.#find(shelfNumber) ?? this.#build(shelfNumber);
    const place = number & SHELF_MASK;
    let slots = shelf.chunks[place]!;
    if (slots === null) {
      slots = emptySlots(SLOTS);
      shelf.chunks[place] = slots;
      shelf.used += 1;
    }
    if (slots[id & MASK] !== null) throw new Defect(`order ${id} is known already`);
    slots[id & MASK] = entry;
    shelf.counts[place] = shelf.counts[place]! + 1;
    return slots;
  }

  #noteClosed(id: OrderId): void {
    let place = this.#closedCount;
    if (place < this.#capacity) {
      if (place === this.#closed.length) this.#grow();
      this.#closedCount += 1;
    } else {
      place = this.#oldest;
      this.#forget(this.#closed[place]!);
      this.#oldest = place + 1 === this.#capacity ? 0 : place + 1;
    }
    this.#closed[place] = id;
  }

  #forget(id: number): void {
    const number = chunkNumberOf(id);
    const shelfNumber = shelfNumberOf(number);
    const shelf = this.#find(shelfNumber);
    const place = number & SHELF_MASK;
    const slots = shelf === null ? null : shelf.chunks[place]!;
    if (shelf === null || slots === null) throw new Defect(`closed order ${id} has no chunk`);
    slots[id & MASK] = null;
    shelf.counts[place] = shelf.counts[place]! - 1;
    if (shelf.counts[place] !== 0) return;
    shelf.chunks[place] = null;
    shelf.used -= 1;
    if (shelf.used > 0) return;
    this.#shelves.delete(shelfNumber);
    this.#shelfNumber = -1;
    this.#shelf = null;
  }

  #find(number: number): Shelf | null {
    if (number === this.#shelfNumber) return this.#shelf;
    const shelf = this.#shelves.get(number);
    if (shelf === undefined) return null;
    this.#shelfNumber = number;
    this.#shelf = shelf;
    return shelf;
  }

  #build(number: number): Shelf {
    const shelf = { used: 0, chunks: emptySlots(CHUNKS), counts: new Uint8Array(CHUNKS) };
    this.#shelves.set(number, shelf);
    this.#shelfNumber = number;
    this.#shelf = shelf;
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
  /** Entries of each chunk that are not null. */
  readonly counts: Uint8Array;
}

const SLOTS = 64;
const MASK = 63;
const CHUNKS = 4096;
const SHELF_MASK = 4095;
const INITIAL_ROOM = 1024;
const NOTHING: readonly Entry[] = [];

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
