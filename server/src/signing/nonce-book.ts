// Nonces that were spent, in memory: for as long as a request with the same one could still be in time.

import { randomInt } from 'node:crypto';
import { limits } from '@sibyl/contract';
import { NonceTable } from './nonce-table.ts';

/** Timestamps are whole seconds and the clock's are cut to such: a request is in time for almost a second longer. */
const CUT_SEC = 1;

/** A request is in time for half of this before and after its timestamp. */
export const NONCE_KEPT_MS = (limits.signing.nonceSec + CUT_SEC) * 1000;

/** Of one key in one span of time; a holder who sends more than any limit allows is told to wait. */
const PER_KEY_MAX = 400_000;

/** Each grows by itself, so that no request waits while a million nonces are moved; more of them would not stay in the cache. */
const TABLES = 16;

export type Spending = 'spent' | 'reused' | 'too_many';

/** A key, and how many nonces it has spent in the running span. */
export interface Spender {
  readonly number: number;
  count: number;
}

/** Two spans of nonces, the running one and the one before: what is older than both is forgotten at once. */
export class NonceBook {
  #running = emptySpan();
  #before: Span | null = null;
  #sinceMs: number | null = null;
  /** Few keys sign, and each is a few words: they stay for as long as the process. */
  readonly #spenders = new Map<string, Spender>();

  /** The one of the key, for whoever asks. */
  spenderOf(publicId: string): Spender {
    let spender = this.#spenders.get(publicId);
    if (spender === undefined) {
      spender = { number: this.#spenders.size, count: 0 };
      this.#spenders.set(publicId, spender);
    }
    return spender;
  }

  spend(spender: Spender, nonce: string, nowMs: number): Spending {
    this.#turn(nowMs);
    const { number } = spender;
    const hash = hashOf(number, nonce);
    const table = hash % TABLES;
    if (this.#before?.[table]?.has(hash, number, nonce) === true) return 'reused';
    if (spender.count >= PER_KEY_MAX) {
      return this.#running[table]?.has(hash, number, nonce) === true ? 'reused' : 'too_many';
    }
    this.#running[table] ??= new NonceTable();
    if (!this.#running[table].add(hash, number, nonce)) return 'reused';
    spender.count += 1;
    return 'spent';
  }

  /** A clock that was set back must not make anything be forgotten sooner. */
  #turn(nowMs: number): void {
    this.#sinceMs ??= nowMs;
    const lastsMs = nowMs - this.#sinceMs;
    if (lastsMs < NONCE_KEPT_MS) return;
    this.#before = lastsMs < 2 * NONCE_KEPT_MS ? this.#running : null;
    this.#running = emptySpan();
    this.#sinceMs = nowMs;
    for (const spender of this.#spenders.values()) spender.count = 0;
  }
}

type Span = (NonceTable | undefined)[];

const emptySpan = (): Span => new Array<NonceTable | undefined>(TABLES).fill(undefined);

/** Of this process alone, so that nobody can choose nonces that meet in one place. */
const SEED = randomInt(2 ** 32);

/** Of 32 bits: the steps and the last mixing of MurmurHash3. */
function hashOf(key: number, nonce: string): number {
  let hash = SEED ^ key;
  for (let at = 0; at < nonce.length; at += 1) {
    hash = Math.imul(hash ^ Math.imul(nonce.charCodeAt(at), 0xcc9e2d51), 0x1b873593);
    hash = (hash << 13) | (hash >>> 19);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
