// The alarms of a lane, earliest first: timers are part of the command stream, never of a clock.
import type { MarketId, OrderId } from '../identity.ts';

/** In the order in which alarms of the same moment ring. */
export const TIMER_KINDS = [
  'order_expiry',
  'heartbeat',
  'sample',
  'market_open',
  'market_resume',
  'market_lock',
  'market_chunk',
  'resolution_window',
  'proposal_deadline',
] as const;

export type TimerKind = (typeof TIMER_KINDS)[number];

/** The subject names what is due: an order, a market, or a heartbeat's key. */
export interface Timer {
  readonly dueMs: number;
  readonly kind: TimerKind;
  readonly subject: OrderId | MarketId | string;
}

const RANK: Readonly<Record<TimerKind, number>> = Object.fromEntries(
  TIMER_KINDS.map((kind, rank) => [kind, rank]),
) as Record<TimerKind, number>;

/**
 * A binary heap. A timer whose reason has gone (the order was cancelled, the heartbeat renewed) is not searched for
 * and removed: it rings, and whoever answers finds nothing to do.
 */
export class TimerQueue {
  readonly #heap: Timer[] = [];

  get size(): number {
    return this.#heap.length;
  }

  add(timer: Timer): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(timer);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, heap[parent]!)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = timer;
  }

  /** Takes out the earliest timer due at or before the given time. */
  takeDue(nowMs: number): Timer | null {
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return null;
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) this.#sink(last);
    return first;
  }

  /** When the next timer rings; the sequencer wakes then. */
  nextDueMs(): number | null {
    return this.#heap[0]?.dueMs ?? null;
  }

  #sink(timer: Timer): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, timer)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = timer;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs;
  if (a.kind !== b.kind) return RANK[a.kind] < RANK[b.kind];
  return a.subject < b.subject;
}
