// Sliding-window limits: sixty buckets of one second for each caller and category, counted exactly.
import type { RateCategory } from '@sibyl/contract';
import type { Clock } from '../ports/clock.ts';

export interface RateDecision {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** UNIX seconds at which the whole quota is back, if nothing else is sent. */
  readonly resetSec: number;
  /** Whole seconds after which the same request passes; 0 if it passed. */
  readonly retryAfterSec: number;
}

const WINDOW_SEC = 60;

/** Memory is bounded by this many callers in each category. */
const CALLERS_MAX = 100_000;

/** Each category has windows of its own, so reads never starve trades. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #callersMax: number;
  readonly #windows = new Map<RateCategory, Map<string, Window>>();
  /** Monotonic second of the last sweep of each category, so that a flood does not sweep each time. */
  readonly #sweptSec = new Map<RateCategory, number>();

  constructor(clock: Clock, callersMax = CALLERS_MAX) {
    this.#clock = clock;
    this.#callersMax = callersMax;
  }

  /** Takes `cost` from the caller's quota, or nothing at all if there is not enough. */
  take(category: RateCategory, caller: string, limit: number, cost: number): RateDecision {
    const nowMs = this.#clock.monotonicMs();
    const window = this.#windowOf(category, caller, limit, nowMs);
    // Every place is held by somebody at its limit: a newcomer must wait as well.
    if (window === null) return this.#decision(new Window(), limit, nowMs, 1);
    window.advance(secondOf(nowMs));
    if (window.total + cost > limit) {
      return this.#decision(window, limit, nowMs, retryAfter(window, limit, cost, nowMs));
    }
    window.add(cost);
    window.limit = limit;
    return this.#decision(window, limit, nowMs, 0);
  }

  /** What `take` would find, for answers that cost nothing. */
  peek(category: RateCategory, caller: string, limit: number): RateDecision {
    const nowMs = this.#clock.monotonicMs();
    const window = this.#windows.get(category)?.get(caller);
    window?.advance(secondOf(nowMs));
    return this.#decision(window ?? new Window(), limit, nowMs, 0);
  }

  /** Callers remembered in a category. */
  size(category: RateCategory): number {
    return this.#windows.get(category)?.size ?? 0;
  }

  #decision(window: Window, limit: number, nowMs: number, retryAfterSec: number): RateDecision {
    const wholeInMs = window.total === 0 ? 0 : (window.newest + WINDOW_SEC) * 1000 - nowMs;
    return {
      isAllowed: retryAfterSec === 0,
      limit,
      remaining: Math.max(0, limit - window.total),
      resetSec: Math.ceil((this.#clock.wallMs() + wholeInMs) / 1000),
      retryAfterSec,
    };
  }

  #windowOf(category: RateCategory, caller: string, limit: number, nowMs: number): Window | null {
    let windows = this.#windows.get(category);
    if (windows === undefined) {
      windows = new Map();
      this.#windows.set(category, windows);
    }
    const known = windows.get(caller);
    if (known !== undefined) return known;
    if (windows.size >= this.#callersMax && !this.#makeRoom(category, windows, nowMs)) return null;
    const window = new Window();
    window.limit = limit;
    windows.set(caller, window);
    return window;
  }

  /** Drops callers that are idle, else the oldest that is below its limit; never one at its limit. */
  #makeRoom(category: RateCategory, windows: Map<string, Window>, nowMs: number): boolean {
    const now = secondOf(nowMs);
    if (this.#sweptSec.get(category) !== now) {
      this.#sweptSec.set(category, now);
      for (const [caller, window] of windows) {
        window.advance(now);
        if (window.total === 0) windows.delete(caller);
      }
    }
    if (windows.size < this.#callersMax) return true;
    for (const [caller, window] of windows) {
      window.advance(now);
      if (window.total >= window.limit) continue;
      windows.delete(caller);
      return true;
    }
    return false;
  }
}

/** The requests of one caller in the last sixty seconds. */
class Window {
  readonly #counts = new Uint32Array(WINDOW_SEC);
  #now = 0;
  /** Sum of all buckets. */
  total = 0;
  /** The second of the latest request. */
  newest = 0;
  limit = 0;

  /** Forgets what has left the window. */
  advance(second: number): void {
    if (second - this.#now >= WINDOW_SEC) {
      if (this.total > 0) this.#counts.fill(0);
      this.total = 0;
      this.#now = second;
      return;
    }
    while (this.#now < second) {
      this.#now += 1;
      const bucket = this.#now % WINDOW_SEC;
      this.total -= this.#counts[bucket]!;
      this.#counts[bucket] = 0;
    }
  }

  add(cost: number): void {
    const bucket = this.#now % WINDOW_SEC;
    this.#counts[bucket] = this.#counts[bucket]! + cost;
    this.total += cost;
    this.newest = this.#now;
  }

  /** Requests counted in the given second, which must be within the window. */
  countAt(second: number): number {
    return this.#counts[second % WINDOW_SEC]!;
  }
}

function secondOf(monotonicMs: number): number {
  return Math.floor(monotonicMs / 1000);
}

/** Seconds until enough has left the window; a cost above the limit itself can only be retried. */
function retryAfter(window: Window, limit: number, cost: number, nowMs: number): number {
  const now = secondOf(nowMs);
  let left = window.total;
  for (let second = Math.max(0, now - WINDOW_SEC + 1); second <= now; second += 1) {
    left -= window.countAt(second);
    if (left + cost <= limit) {
      return Math.max(1, Math.ceil(((second + WINDOW_SEC) * 1000 - nowMs) / 1000));
    }
  }
  return WINDOW_SEC;
}
