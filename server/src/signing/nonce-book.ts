// Nonces that were spent, in memory: for as long as a request with the same one could still be in time.

import { limits } from '@sibyl/contract';

/** Timestamps are whole seconds and the clock's are cut to such: a request is in time for almost a second longer. */
const CUT_SEC = 1;

/** A request is in time for half of this before and after its timestamp. */
export const NONCE_KEPT_MS = (limits.signing.nonceSec + CUT_SEC) * 1000;

/** Of one key in one span of time; a holder who sends more than any limit allows is told to wait. */
const PER_KEY_MAX = 400_000;

export type Spending = 'spent' | 'reused' | 'too_many';

/** Two spans of nonces, the running one and the one before: what is older than both is forgotten at once. */
interface Spans {
  running: Set<string>;
  before: Set<string>;
  sinceMs: number;
}

export class NonceBook {
  readonly #spans = new Map<string, Spans>();

  spend(publicId: string, nonce: string, nowMs: number): Spending {
    const spans = this.#spansOf(publicId, nowMs);
    const { running, before } = spans;
    if (before.size > 0 && before.has(nonce)) return 'reused';
    const { size } = running;
    if (size >= PER_KEY_MAX) return running.has(nonce) ? 'reused' : 'too_many';
    return running.add(nonce).size === size ? 'reused' : 'spent';
  }

  /** Drops the nonces of keys that have long been silent. */
  prune(nowMs: number): void {
    for (const [publicId, { sinceMs }] of this.#spans) {
      if (nowMs - sinceMs >= 2 * NONCE_KEPT_MS) this.#spans.delete(publicId);
    }
  }

  #spansOf(publicId: string, nowMs: number): Spans {
    let spans = this.#spans.get(publicId);
    if (spans === undefined) {
      this.prune(nowMs);
      spans = { running: new Set(), before: new Set(), sinceMs: nowMs };
      this.#spans.set(publicId, spans);
    }
    // A clock that was set back must not make anything be forgotten sooner.
    if (nowMs - spans.sinceMs >= NONCE_KEPT_MS) {
      const isOver = nowMs - spans.sinceMs >= 2 * NONCE_KEPT_MS;
      spans.before = isOver ? new Set() : spans.running;
      spans.running = new Set();
      spans.sinceMs = nowMs;
    }
    return spans;
  }
}
