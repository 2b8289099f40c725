// The names that clients gave their orders: an account may use none twice within the time that they are remembered.

import { assert, Defect } from '../../kit/assert.ts';
import type { OrderId } from '../../kit/identity.ts';
import type { Row } from '../../kit/tallies.ts';
import type { Account } from '../account.ts';
import { NameIndex } from './name-index.ts';
import { NamePage, PAGE_BITS } from './name-page.ts';

export interface NamedOrder {
  /** The row of the account. */
  readonly account: Row;
  readonly clientOrderId: string;
  readonly orderId: OrderId;
  readonly atMs: number;
}

const NONE = -1;
const IN_PAGE = (1 << PAGE_BITS) - 1;

/**
 * Names must be put in in order of time. A day has millions of them, so they lie in pages of flat memory, oldest first,
 * and are found by hash through an index of numbers: there is nothing in either that the collector would look at.
 */
export class ClientOrderIds {
  readonly #index = new NameIndex();
  /** By number; a position is the page's number and, in the lowest bits, where in the page. */
  readonly #pages: (NamePage | undefined)[] = [];
  /** Numbers of pages that were dropped. */
  readonly #vacant: number[] = [];
  /** Numbers of those in use, oldest first. */
  readonly #queue: number[] = [];
  /** What is forgotten of the oldest page. */
  #head = 0;
  #size = 0;
  #expiredMs = Number.NEGATIVE_INFINITY;
  /** Positions by account and name where the index had no room. */
  readonly #crowded = new Map<string, number>();

  get size(): number {
    return this.#size;
  }

  get(account: Account, clientOrderId: string): OrderId | undefined {
    const position = this.#find(account.row, clientOrderId, hashOf(account.row, clientOrderId));
    return position === NONE ? undefined : this.#pageOf(position).orderId(position & IN_PAGE);
  }

  put(account: Account, clientOrderId: string, orderId: OrderId, atMs: number): void {
    const { row } = account;
    const hash = hashOf(row, clientOrderId);
    const known = this.#find(row, clientOrderId, hash);
    assert(known === NONE, 'a client_order_id was remembered twice');
    const number = this.#lastPage(clientOrderId);
    const at = this.#pages[number]!.add(row, hash, clientOrderId, orderId, atMs);
    const position = positionOf(number, at);
    if (!this.#index.add(hash, position))
      this.#crowded.set(crowdedKey(row, clientOrderId), position);
    this.#size += 1;
  }

  /** Every name given at or before the time has expired and is not found; at most so many are forgotten now. */
  expire(untilMs: number, most: number): void {
    this.#expiredMs = untilMs;
    for (let count = 0; count < most && this.#size > 0; count += 1) {
      const number = this.#queue[0]!;
      const page = this.#pages[number]!;
      if (page.atMs(this.#head) > untilMs) return;
      this.#forget(page, number);
      if (this.#head === page.count) this.#drop();
    }
  }

  /** Oldest first, without what has expired. */
  *entries(): Generator<NamedOrder> {
    let at = this.#head;
    for (const number of this.#queue) {
      const page = this.#pages[number]!;
      for (; at < page.count; at += 1) {
        if (page.atMs(at) <= this.#expiredMs) continue;
        const [account, clientOrderId] = [page.account(at), page.name(at)];
        const position = this.#find(account, clientOrderId, page.hash(at));
        assert(position === positionOf(number, at), `kept but not found: ${clientOrderId}`);
        yield { account, clientOrderId, orderId: page.orderId(at), atMs: page.atMs(at) };
      }
      at = 0;
    }
  }

  #find(account: Row, name: string, hash: number): number {
    const index = this.#index;
    for (let step = index.search(hash, 0); step >= 0; step = index.search(hash, step + 1)) {
      const position = index.positionAt(hash, step);
      if (!this.#pageOf(position).holds(position & IN_PAGE, account, name)) continue;
      if (!this.#isExpired(position)) return position;
    }
    if (this.#crowded.size === 0) return NONE;
    const crowded = this.#crowded.get(crowdedKey(account, name)) ?? NONE;
    return crowded === NONE || this.#isExpired(crowded) ? NONE : crowded;
  }

  #isExpired(position: number): boolean {
    return this.#pageOf(position).atMs(position & IN_PAGE) <= this.#expiredMs;
  }

  #pageOf(position: number): NamePage {
    const page = this.#pages[position >>> PAGE_BITS];
    if (page === undefined) throw new Defect(`no page of names for position ${position}`);
    return page;
  }

  /** The number of a page that has room for the name. */
  #lastPage(name: string): number {
    const last = this.#queue[this.#queue.length - 1];
    if (last !== undefined && this.#pages[last]!.hasRoom(name)) return last;
    const number = this.#vacant.pop() ?? this.#pages.length;
    this.#pages[number] = new NamePage();
    this.#queue.push(number);
    return number;
  }

  #forget(page: NamePage, number: number): void {
    const at = this.#head;
    const position = positionOf(number, at);
    if (!this.#index.remove(page.hash(at), position)) {
      // Given again since, the name has another position.
      const key = crowdedKey(page.account(at), page.name(at));
      if (this.#crowded.get(key) === position) this.#crowded.delete(key);
    }
    this.#head += 1;
    this.#size -= 1;
  }

  #drop(): void {
    const number = this.#queue.shift()!;
    this.#pages[number] = undefined;
    this.#vacant.push(number);
    this.#head = 0;
  }
}

function positionOf(page: number, at: number): number {
  return (page << PAGE_BITS) | at;
}

function crowdedKey(account: Row, name: string): string {
  return `${account}|${name}`;
}

/** Two characters to a word, after the account and the length. */
function hashOf(account: Row, name: string): number {
  const { length } = name;
  let sum = mixed(mixed(0, account), length);
  // Beyond the end it is NaN, which counts for nothing.
  for (let at = 0; at < length; at += 2) {
    sum = mixed(sum, name.charCodeAt(at) | (name.charCodeAt(at + 1) << 16));
  }
  sum = (sum + (sum << 3)) | 0;
  sum ^= sum >>> 11;
  return (sum + (sum << 15)) | 0;
}

function mixed(sum: number, word: number): number {
  const added = (sum + word) | 0;
  const spread = (added + (added << 10)) | 0;
  return spread ^ (spread >>> 6);
}
