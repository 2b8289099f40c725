// Spaces requests by what the service says of its limits, so that a busy program waits instead of being refused.

import type { RateLimit } from './options.ts';
import { pause } from './pause.ts';

export type LimiterOptions = {
  /** Requests of each bucket to leave unused, for others who share the credential; 0 unless told. */
  readonly spare?: number;
};

const WINDOW_MS = 60_000;
/** The service counts whole seconds; one more and the request is surely out of its window. */
const MARGIN_MS = 1_000;

/** These go on from a reserve of their own when the quota that they are taken from first is used up. */
const RESERVED: ReadonlySet<string> = new Set([
  'orders.cancel',
  'orders.cancelAll',
  'orders.heartbeat',
]);
const RESERVE = 'cancel';

/** One for each credential: clients that share a key should share its limiter. */
export class Limiter {
  readonly #spare: number;
  readonly #bucketOf = new Map<string, Bucket>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: LimiterOptions = {}) {
    this.#spare = options.spare ?? 0;
  }

  /** Waits until the operation may be sent. The first call of an operation goes at once: its bucket is not known yet. */
  async turn(operation: string, signal?: AbortSignal): Promise<void> {
    const isReserved = RESERVED.has(operation);
    const bucket = isReserved ? this.#buckets.get(RESERVE) : this.#bucketOf.get(operation);
    if (bucket === undefined) return;
    for (;;) {
      const waitMs = bucket.waitMs(Date.now(), this.#spare);
      if (waitMs === 0) break;
      await pause(waitMs, signal);
    }
    bucket.take(Date.now());
  }

  /** Takes note of an answer; `retryAfterMs` is there if the request was refused for its number. */
  learn(operation: string, rate: RateLimit, retryAfterMs: number | null): void {
    // A service that does not name its buckets is taken to have one for each operation.
    const name = rate.category ?? operation;
    const bucket = this.#buckets.get(name) ?? new Bucket();
    this.#buckets.set(name, bucket);
    if (this.#bucketOf.get(operation) !== bucket) {
      bucket.take(Date.now());
      this.#bucketOf.set(operation, bucket);
    }
    bucket.learn(rate, Date.now());
    if (retryAfterMs !== null) bucket.block(Date.now() + retryAfterMs);
  }
}

class Bucket {
  /** When our own requests of the last minute were sent, oldest first. */
  readonly #sentMs: number[] = [];
  #limit = Number.POSITIVE_INFINITY;
  #remaining = Number.POSITIVE_INFINITY;
  #wholeAtMs = 0;
  #blockedUntilMs = 0;

  take(nowMs: number): void {
    this.#sentMs.push(nowMs);
    this.#remaining -= 1;
  }

  learn({ limit, remaining, resetAtSec }: RateLimit, nowMs: number): void {
    if (limit === null || remaining === null || resetAtSec === null) return;
    this.#limit = limit;
    // Answers may overtake each other: until the window has moved on, the smaller number is the later one.
    const isAnew = nowMs >= this.#wholeAtMs;
    this.#remaining = isAnew ? remaining : Math.min(this.#remaining, remaining);
    this.#wholeAtMs = Math.min(resetAtSec * 1_000, nowMs + WINDOW_MS) + MARGIN_MS;
  }

  block(untilMs: number): void {
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, untilMs);
  }

  /** 0 if a request may be sent now. */
  waitMs(nowMs: number, spare: number): number {
    if (nowMs < this.#blockedUntilMs) return this.#blockedUntilMs - nowMs;
    this.#forget(nowMs);
    if (this.#remaining > spare && this.#sentMs.length < this.#limit - spare) return 0;
    const [oldest] = this.#sentMs;
    const untilMs = oldest === undefined ? this.#wholeAtMs : oldest + WINDOW_MS + MARGIN_MS;
    return Math.max(1, untilMs - nowMs);
  }

  /** What has left the window may be sent again. */
  #forget(nowMs: number): void {
    while (this.#sentMs[0] !== undefined && this.#sentMs[0] + WINDOW_MS + MARGIN_MS <= nowMs) {
      this.#sentMs.shift();
      this.#remaining += 1;
    }
    if (this.#sentMs.length === 0 && nowMs >= this.#wholeAtMs) this.#remaining = this.#limit;
  }
}
