// Sliding-window limits: each caller has a window in each category, and the keys of an account have one together.
import { limits, type RateCategory, type RateScope } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { Window, Windows } from './rate-window.ts';

export interface RateDecision {
  readonly isAllowed: boolean;
  /** Which bucket the numbers speak of, and whose it is. */
  readonly category: RateCategory;
  readonly scope: RateScope;
  readonly limit: number;
  readonly remaining: number;
  /** UNIX seconds at which the whole quota is back, if nothing else is sent. */
  readonly resetSec: number;
  /** Whole seconds after which the same request passes; 0 if it passed. */
  readonly retryAfterSec: number;
  /** By the clock that never goes back. */
  readonly takenAtMs: number;
}

/** Who is counted. */
export interface Counted {
  readonly scope: Exclude<RateScope, 'account'>;
  readonly caller: string;
  /** What a key is counted by together with the others of its account; null for all who are no keys. */
  readonly account: string | null;
}

/** Memory is bounded by this many callers, and as many accounts, in each category. */
const CALLERS_MAX = 100_000;

interface Bucket {
  readonly callers: Windows;
  readonly accounts: Windows;
}

/** Each category has windows of its own, so reads never starve trades. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #callersMax: number;
  readonly #buckets = new Map<RateCategory, Bucket>();

  constructor(clock: Clock, callersMax = CALLERS_MAX) {
    this.#clock = clock;
    this.#callersMax = callersMax;
  }

  /**
   * Takes `cost` from the quota of the caller and from that of its account, or nothing at all if there is not enough
   * in either. `costAgain` is what the request as a whole costs when it is sent again.
   */
  take(
    category: RateCategory,
    { scope, caller, account }: Counted,
    limit: number,
    cost: number,
    costAgain = cost,
  ): RateDecision {
    const nowMs = this.#clock.monotonicMs();
    const { callers, accounts } = this.#bucketOf(category);
    const own = callers.open(caller, limit, nowMs);
    const wide = account === null ? own : accounts.open(account, widened(limit), nowMs);
    // Every place is held by somebody at its limit: a newcomer must wait as well.
    if (own === null || wide === null)
      return this.#decision(new Window(limit), category, scope, nowMs, 1);
    own.limitTo(limit);
    if (wide !== own) wide.widenTo(widened(limit));
    if (own.fits(cost) && wide.fits(cost)) {
      own.add(cost);
      if (wide !== own) wide.add(cost);
      const isWide = wide.remaining < own.remaining;
      return this.#decision(isWide ? wide : own, category, isWide ? 'account' : scope, nowMs, 0);
    }
    const ownSec = own.fits(cost) ? 0 : own.waitSec(costAgain, nowMs);
    const wideSec = wide.fits(cost) ? 0 : wide.waitSec(costAgain, nowMs);
    return wideSec > ownSec
      ? this.#decision(wide, category, 'account', nowMs, wideSec)
      : this.#decision(own, category, scope, nowMs, ownSec);
  }

  /** A request of the caller turns out to be somebody else's to count. */
  giveBack({ category, takenAtMs }: RateDecision, { caller }: Counted): void {
    const { callers } = this.#bucketOf(category);
    callers.find(caller, this.#clock.monotonicMs())?.giveBack(takenAtMs);
  }

  /** What `take` would find, for answers that cost nothing. */
  peek(category: RateCategory, { scope, caller, account }: Counted, limit: number): RateDecision {
    const nowMs = this.#clock.monotonicMs();
    const { callers, accounts } = this.#bucketOf(category);
    const own = callers.find(caller, nowMs) ?? new Window(limit);
    own.limitTo(limit);
    const wide = account === null ? undefined : accounts.find(account, nowMs);
    return wide !== undefined && wide.remaining < own.remaining
      ? this.#decision(wide, category, 'account', nowMs, 0)
      : this.#decision(own, category, scope, nowMs, 0);
  }

  /** Callers remembered in a category. */
  size(category: RateCategory): number {
    return this.#bucketOf(category).callers.size;
  }

  #decision(
    window: Window,
    category: RateCategory,
    scope: RateScope,
    nowMs: number,
    retryAfterSec: number,
  ): RateDecision {
    return {
      isAllowed: retryAfterSec === 0,
      category,
      scope,
      limit: window.limit,
      remaining: window.remaining,
      resetSec: Math.ceil((this.#clock.wallMs() + window.wholeInMs(nowMs)) / 1000),
      retryAfterSec,
      takenAtMs: nowMs,
    };
  }

  #bucketOf(category: RateCategory): Bucket {
    let bucket = this.#buckets.get(category);
    if (bucket === undefined) {
      bucket = { callers: new Windows(this.#callersMax), accounts: new Windows(this.#callersMax) };
      this.#buckets.set(category, bucket);
    }
    return bucket;
  }
}

function widened(limit: number): number {
  return limit * limits.rate.accountFactor;
}
