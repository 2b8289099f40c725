// Receivers on this machine to which an operator lets the sandbox deliver, each for a short time.
import type { Clock } from '@sibyl/lane';

export interface LocalReceiver {
  /** Whose webhooks may reach it. */
  readonly accountId: string;
  readonly address: string;
  readonly port: number;
}

export class LocalReceivers {
  readonly #clock: Clock;
  readonly #endsAtMs = new Map<string, number>();
  readonly #ownPorts: ReadonlySet<number>;

  constructor(clock: Clock, ownPorts: readonly number[]) {
    this.#clock = clock;
    this.#ownPorts = new Set(ownPorts);
  }

  /** The exchange itself listens there: nothing is ever delivered to it, whatever an operator or a setting allows. */
  isOwn(port: number): boolean {
    return this.#ownPorts.has(port);
  }

  /** Until when the receiver is allowed; 0 seconds end it. Null for a port of the exchange. */
  allow(receiver: LocalReceiver, ttlSec: number): number | null {
    if (this.isOwn(receiver.port)) return null;
    const nowMs = this.#clock.monotonicMs();
    for (const [key, endsAtMs] of this.#endsAtMs) if (endsAtMs <= nowMs) this.#endsAtMs.delete(key);
    if (ttlSec === 0) this.#endsAtMs.delete(keyOf(receiver));
    else this.#endsAtMs.set(keyOf(receiver), nowMs + ttlSec * 1_000);
    return this.#clock.wallMs() + ttlSec * 1_000;
  }

  has(receiver: LocalReceiver): boolean {
    const endsAtMs = this.#endsAtMs.get(keyOf(receiver));
    return endsAtMs !== undefined && endsAtMs > this.#clock.monotonicMs();
  }
}

function keyOf({ accountId, address, port }: LocalReceiver): string {
  return `${accountId} ${address} ${port}`;
}
