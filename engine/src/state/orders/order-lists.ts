// The open orders of every account, listed by id.

import { Defect } from '../../kit/assert.ts';
import type { OrderId } from '../../kit/identity.ts';
import type { Account } from '../account.ts';
import type { Order } from '../order.ts';
import type { OrderRegistry } from './order-registry.ts';

/**
 * Ids alone, in pages of one table for all accounts, and those of orders that closed stay until they are most of what an account
 * lists. An order that comes or goes finds all that its account has out of the caches: so one that comes touches one place here,
 * and one that goes none.
 */
export class OrderLists {
  readonly #table: OrderRegistry;
  /** Pages: the last cell of the page before, or none, and then ids. */
  #cells = new Float64Array(INITIAL_PAGES * PAGE);
  #end = 0;
  readonly #vacant: number[] = [];

  /** `table` has all orders of the lane. */
  constructor(table: OrderRegistry) {
    this.#table = table;
  }

  /** Lists an order that its account does not count among its open ones yet. */
  add(account: Account, id: OrderId): void {
    if (account.ordersListed >= CLOSED_SHARE * account.openOrders + CLOSED_MIN) {
      this.#strikeOut(account);
    }
    this.#append(account, id);
  }

  /** The account's open orders, oldest first: ids are given out in order of time. */
  of(account: Account): readonly Order[] {
    const orders: Order[] = [];
    for (const id of this.#idsOf(account)) {
      const order = this.#table.get(id);
      if (order !== undefined) orders.push(order);
    }
    if (orders.length !== account.openOrders) {
      throw new Defect(`${account.id} lists ${orders.length} of ${account.openOrders} open orders`);
    }
    return orders.sort((a, b) => a.id - b.id);
  }

  /** Gives back the pages of an account that has no open order. */
  forget(account: Account): void {
    if (account.openOrders > 0) throw new Defect(`${account.id} still has open orders`);
    this.#strikeOut(account);
  }

  #append(account: Account, id: OrderId): void {
    let cell = account.lastListed + 1;
    if ((cell & PAGE_MASK) === 0) cell = this.#openPage(account.lastListed) + 1;
    this.#cells[cell] = id;
    account.lastListed = cell;
    account.ordersListed += 1;
  }

  /** Those listed, in the order they were added. */
  #idsOf(account: Account): readonly OrderId[] {
    const cells = this.#cells;
    const ids: OrderId[] = [];
    let cell = account.lastListed;
    while (cell !== NO_CELL) {
      if ((cell & PAGE_MASK) === 0) cell = cells[cell]! | 0;
      else {
        ids.push(cells[cell]! as OrderId);
        cell -= 1;
      }
    }
    return ids.reverse();
  }

  #strikeOut(account: Account): void {
    const ids = this.#idsOf(account);
    this.#closePages(account.lastListed);
    account.lastListed = NO_CELL;
    account.ordersListed = 0;
    for (let index = 0; index < ids.length; index += 1) {
      if (this.#table.has(ids[index]!)) this.#append(account, ids[index]!);
    }
  }

  #openPage(before: number): number {
    const again = this.#vacant.pop();
    const page = again ?? this.#end;
    if (again === undefined) {
      this.#end += PAGE;
      if (this.#end > this.#cells.length) this.#grow();
    }
    this.#cells[page] = before;
    return page;
  }

  #closePages(last: number): void {
    for (let cell = last; cell !== NO_CELL; ) {
      const page = cell - (cell & PAGE_MASK);
      this.#vacant.push(page);
      // Said to be a 32-bit integer: an account would keep what it read here as an object of its own.
      cell = this.#cells[page]! | 0;
    }
  }

  #grow(): void {
    const cells = new Float64Array(2 * this.#cells.length);
    cells.set(this.#cells);
    this.#cells = cells;
  }
}

/** Of an account that lists nothing; the cell after it begins a page. */
export const NO_CELL = -1;

const PAGE = 8;
const PAGE_MASK = 7;
const INITIAL_PAGES = 64;
/** Closed ones are struck out once there are so many times as many as open ones, and at least so many. */
const CLOSED_SHARE = 4;
const CLOSED_MIN = 64;
