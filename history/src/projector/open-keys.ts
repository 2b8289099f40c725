// Under which key each open order was placed, in flat pages by the order's id: a map of them would be rehashed and marked
// for as long as the lane runs.

/** Small, because a page stays for as long as one of its orders does. */
const PAGE_ORDERS = 256;

export class OpenKeys {
  readonly #pages = new Map<number, KeyPage>();
  /** Orders come in the order of their ids: the page in hand is nearly always that of the last one. */
  #page: KeyPage = new KeyPage(-1);

  /** Keys are numbered from 1. */
  set(orderId: number, key: number): void {
    const number = Math.floor(orderId / PAGE_ORDERS);
    if (this.#page.number !== number) this.#turnTo(number);
    this.#page.set(orderId % PAGE_ORDERS, key);
  }

  /** 0 for an order that is not open or has no key. */
  get(orderId: number): number {
    const page = this.#pages.get(Math.floor(orderId / PAGE_ORDERS));
    return page === undefined ? 0 : page.get(orderId % PAGE_ORDERS);
  }

  delete(orderId: number): void {
    const page = this.#pages.get(Math.floor(orderId / PAGE_ORDERS));
    if (page === undefined) return;
    page.set(orderId % PAGE_ORDERS, 0);
    if (page.count === 0 && page !== this.#page) this.#pages.delete(page.number);
  }

  #turnTo(number: number): void {
    if (this.#page.count === 0) this.#pages.delete(this.#page.number);
    this.#page = this.#pages.get(number) ?? new KeyPage(number);
    this.#pages.set(number, this.#page);
  }
}

class KeyPage {
  readonly number: number;
  readonly #keys = new Int32Array(PAGE_ORDERS);
  count = 0;

  constructor(number: number) {
    this.number = number;
  }

  get(index: number): number {
    return this.#keys[index]!;
  }

  set(index: number, key: number): void {
    this.count += (key === 0 ? 0 : 1) - (this.#keys[index] === 0 ? 0 : 1);
    this.#keys[index] = key;
  }
}
