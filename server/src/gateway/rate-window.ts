// Requests of the last sixty seconds, counted exactly in buckets of one second; and a bounded number of such counts.

const WINDOW_SEC = 60;

/** The requests of one caller in the last sixty seconds. */
export class Window {
  readonly #counts = new Uint32Array(WINDOW_SEC);
  #now = 0;
  #limitedAt = 0;
  /** Sum of all buckets. */
  #total = 0;
  /** The second of the latest request. */
  #newest = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  get remaining(): number {
    return Math.max(0, this.#limit - this.#total);
  }

  get isIdle(): boolean {
    return this.#total === 0;
  }

  get isFull(): boolean {
    return this.#total >= this.#limit;
  }

  /** Forgets what has left the window. */
  advance(nowMs: number): void {
    const second = secondOf(nowMs);
    if (second - this.#now >= WINDOW_SEC) {
      if (this.#total > 0) this.#counts.fill(0);
      this.#total = 0;
      this.#now = second;
      return;
    }
    while (this.#now < second) {
      this.#now += 1;
      const bucket = this.#now % WINDOW_SEC;
      this.#total -= this.#counts[bucket]!;
      this.#counts[bucket] = 0;
    }
  }

  limitTo(limit: number): void {
    this.#limit = limit;
  }

  /** Of callers with different limits the largest counts, until it has not been asked for in a whole window. */
  widenTo(limit: number): void {
    if (limit < this.#limit && this.#now - this.#limitedAt < WINDOW_SEC) return;
    this.#limit = limit;
    this.#limitedAt = this.#now;
  }

  add(cost: number): void {
    const bucket = this.#now % WINDOW_SEC;
    this.#counts[bucket] = this.#counts[bucket]! + cost;
    this.#total += cost;
    this.#newest = this.#now;
  }

  /** One request of that time counts no more; one that has left the window does not anyway. */
  giveBack(takenAtMs: number): void {
    const second = secondOf(takenAtMs);
    const bucket = second % WINDOW_SEC;
    if (this.#now - second >= WINDOW_SEC || this.#counts[bucket] === 0) return;
    this.#total -= 1;
    this.#counts[bucket]! -= 1;
    while (this.#total > 0 && this.#counts[this.#newest % WINDOW_SEC] === 0) this.#newest -= 1;
  }

  fits(cost: number): boolean {
    return this.#total + cost <= this.#limit;
  }

  /** Milliseconds until the whole quota is back, if nothing else is sent. */
  wholeInMs(nowMs: number): number {
    return this.#total === 0 ? 0 : (this.#newest + WINDOW_SEC) * 1000 - nowMs;
  }

  /** Seconds until enough has left the window; a cost above the limit itself can only be retried. */
  waitSec(cost: number, nowMs: number): number {
    let left = this.#total;
    for (let second = Math.max(0, this.#now - WINDOW_SEC + 1); second <= this.#now; second += 1) {
      left -= this.#counts[second % WINDOW_SEC]!;
      if (left + cost <= this.#limit) {
        return Math.max(1, Math.ceil(((second + WINDOW_SEC) * 1000 - nowMs) / 1000));
      }
    }
    return WINDOW_SEC;
  }
}

/** The windows of so many callers at most. */
export class Windows {
  readonly #max: number;
  readonly #windows = new Map<string, Window>();
  /** Second of the last sweep, so that a flood does not sweep each time. */
  #sweptSec = -1;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#windows.size;
  }

  /** The caller's window up to now; null if there is no place for a new one. */
  open(caller: string, limit: number, nowMs: number): Window | null {
    const known = this.find(caller, nowMs);
    if (known !== undefined) return known;
    if (this.#windows.size >= this.#max && !this.#makeRoom(nowMs)) return null;
    const window = new Window(limit);
    window.advance(nowMs);
    this.#windows.set(caller, window);
    return window;
  }

  find(caller: string, nowMs: number): Window | undefined {
    const window = this.#windows.get(caller);
    window?.advance(nowMs);
    return window;
  }

  /** Drops callers that are idle, else the oldest that is below its limit; never one at its limit. */
  #makeRoom(nowMs: number): boolean {
    const windows = this.#windows;
    if (this.#sweptSec !== secondOf(nowMs)) {
      this.#sweptSec = secondOf(nowMs);
      for (const [caller, window] of windows) {
        window.advance(nowMs);
        if (window.isIdle) windows.delete(caller);
      }
    }
    if (windows.size < this.#max) return true;
    for (const [caller, window] of windows) {
      window.advance(nowMs);
      if (window.isFull) continue;
      windows.delete(caller);
      return true;
    }
    return false;
  }
}

function secondOf(monotonicMs: number): number {
  return Math.floor(monotonicMs / 1000);
}
