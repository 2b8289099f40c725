// The names that clients gave their orders: an account may use none twice within the time that they are remembered.
import type { Account } from '../account/account.ts';
import { assert } from '../assert.ts';
import type { OrderId } from '../identity.ts';

export interface NamedOrder {
  readonly account: Account;
  readonly clientOrderId: string;
  readonly orderId: OrderId;
  readonly atMs: number;
}

/** How many forgotten places are kept before the lists are shortened. */
const SLACK = 1024;

/**
 * Names must be put in in order of time. Each account knows its own; what is kept here is only their age, in lists side
 * by side, because one object for each of a day's orders would be most of what the collector has to copy.
 */
export class ClientOrderIds {
  #accounts: Account[] = [];
  #names: string[] = [];
  #times: number[] = [];
  #head = 0;

  get size(): number {
    return this.#names.length - this.#head;
  }

  get(account: Account, clientOrderId: string): OrderId | undefined {
    return account.clientOrderIds?.get(clientOrderId);
  }

  put(account: Account, clientOrderId: string, orderId: OrderId, atMs: number): void {
    account.clientOrderIds ??= new Map();
    const before = account.clientOrderIds.size;
    account.clientOrderIds.set(clientOrderId, orderId);
    assert(account.clientOrderIds.size > before, 'a client_order_id was remembered twice');
    this.#accounts.push(account);
    this.#names.push(clientOrderId);
    this.#times.push(atMs);
  }

  /** Forgets every name given at or before the time. */
  expire(untilMs: number): void {
    while (this.#head < this.#times.length && this.#times[this.#head]! <= untilMs) {
      this.#accounts[this.#head]!.clientOrderIds?.delete(this.#names[this.#head]!);
      this.#head += 1;
    }
    if (this.#head > SLACK && this.#head * 2 > this.#times.length) this.#shorten();
  }

  /** Oldest first. */
  *entries(): Generator<NamedOrder> {
    for (let at = this.#head; at < this.#times.length; at += 1) {
      const account = this.#accounts[at]!;
      const clientOrderId = this.#names[at]!;
      const orderId = this.get(account, clientOrderId);
      assert(orderId !== undefined, `queued but not remembered: ${clientOrderId}`);
      yield { account, clientOrderId, orderId, atMs: this.#times[at]! };
    }
  }

  #shorten(): void {
    this.#accounts = this.#accounts.slice(this.#head);
    this.#names = this.#names.slice(this.#head);
    this.#times = this.#times.slice(this.#head);
    this.#head = 0;
  }
}
