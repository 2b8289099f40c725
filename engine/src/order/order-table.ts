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
 * Ids are given out in order, so neighbours in the table are neighbours in time. Chunks of 64 ids are found through
 * one small map and dropped when empty; a long-lived order keeps its own chunk alive and no more. An order that
 * closes leaves a mark in its place until `capacity` more have closed.
 */
export class OrderTable {
  readonly #capacity: number;
  readonly #chunks = new Map<number, Chunk>();
  #size = 0;
  /** The chunk last used: new entries, and most lookups, are among the latest. */
  #number = -1;
  #chunk: Chunk | null = null;
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
    const chunk = this.#chunkOf(order.id);
    const slot = order.id & MASK;
    if (chunk.slots[slot] !== null) throw new Defect(`order ${order.id} is known already`);
    chunk.slots[slot] = order;
    chunk.count += 1;
    order.slots = chunk.slots;
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
    const chunk = this.#chunkOf(id);
    if (chunk.slots[id & MASK] !== null) throw new Defect(`order ${id} is known already`);
    chunk.slots[id & MASK] = markOf(account, status);
    chunk.count += 1;
    this.#noteClosed(id);
  }

  /** The open ones: by chunk as they were made, by id within each; ascending when orders opened in order. */
  *values(): Generator<Order> {
    for (const chunk of this.#chunks.values()) {
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const entry = chunk.slots[slot];
        if (typeof entry === 'object' && entry !== null) yield entry;
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
    const chunk = this.#find(numberOf(id));
    return chunk === null ? undefined : chunk.slots[id & MASK];
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
    const number = numberOf(id);
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) throw new Defect(`closed order ${id} has no chunk`);
    chunk.slots[id & MASK] = null;
    chunk.count -= 1;
    if (chunk.count > 0) return;
    this.#chunks.delete(number);
    if (this.#number === number) {
      this.#number = -1;
      this.#chunk = null;
    }
  }

  #chunkOf(id: number): Chunk {
    const number = numberOf(id);
    return this.#find(number) ?? this.#make(number);
  }

  #find(number: number): Chunk | null {
    if (number === this.#number) return this.#chunk;
    const chunk = this.#chunks.get(number);
    if (chunk === undefined) return null;
    this.#number = number;
    this.#chunk = chunk;
    return chunk;
  }

  #make(number: number): Chunk {
    const slots: Entry[] = [];
    for (let slot = 0; slot < SLOTS; slot += 1) slots.push(null);
    const chunk = { count: 0, slots };
    this.#chunks.set(number, chunk);
    this.#number = number;
    this.#chunk = chunk;
    return chunk;
  }

  #grow(): void {
    const closed = new Float64Array(2 * this.#closed.length);
    closed.set(this.#closed);
    this.#closed = closed;
  }
}

interface Chunk {
  /** Entries that are not null. */
  count: number;
  readonly slots: Entry[];
}

const SLOTS = 64;
const MASK = 63;
const INITIAL_ROOM = 1024;

/** Not by a shift: ids may outgrow 32 bits. */
function numberOf(id: number): number {
  return (id - (id & MASK)) / SLOTS; // exact: the remainder was taken off
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
