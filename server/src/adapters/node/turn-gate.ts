// Bounded work at once, with a bounded queue that serves addresses in turn.
import type { Asker } from '../../ports/passwords.ts';

export interface TurnLimits {
  readonly running: number;
  readonly waiting: number;
  /** Waiting at once from one address. */
  readonly perAddress: number;
}

interface Waiter {
  readonly userId: string | null;
  start(): void;
}

export class TurnGate {
  readonly #limits: TurnLimits;
  /** Waiting work by address; the address whose turn is next comes first. */
  readonly #queues = new Map<string, Waiter[]>();
  /** Users with work in a queue: at most one piece each, whatever address it comes from. */
  readonly #users = new Set<string>();
  #running = 0;
  #waiting = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Null if the queue has no place for the caller. */
  async run<T>(by: Asker, work: () => Promise<T>): Promise<T | null> {
    if (this.#running < this.#limits.running) this.#running += 1;
    else if (!(await this.#wait(by))) return null;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  async #wait({ address, userId }: Asker): Promise<boolean> {
    const { waiting, perAddress } = this.#limits;
    const queue = this.#queues.get(address) ?? [];
    if (this.#waiting >= waiting || queue.length >= perAddress) return false;
    if (userId !== null && this.#users.has(userId)) return false;
    if (userId !== null) this.#users.add(userId);
    this.#waiting += 1;
    this.#queues.set(address, queue);
    await new Promise<void>((start) => queue.push({ userId, start }));
    return true;
  }

  /** Hands the place to the next address and sends that address to the end of the line. */
  #next(): void {
    for (const [address, queue] of this.#queues) {
      const { userId, start } = queue.shift()!;
      this.#queues.delete(address);
      if (queue.length > 0) this.#queues.set(address, queue);
      if (userId !== null) this.#users.delete(userId);
      this.#waiting -= 1;
      start();
      return;
    }
    this.#running -= 1;
  }
}
