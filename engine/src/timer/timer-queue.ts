// The alarms of a lane, earliest first: timers are part of the command stream, never of a clock.
import type { MarketId, OrderId } from '../kit/identity.ts';

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
  'ruling_overdue',
  'own_limits',
] as const;

export type TimerKind = (typeof TIMER_KINDS)[number];

/** The subject names what is due: an order, a market, a heartbeat's key, or the owner of a family. */
export interface Timer {
  readonly dueMs: number;
  readonly kind: TimerKind;
  readonly subject: OrderId | MarketId | string;
}

const RANK: Readonly<Record<TimerKind, number>> = Object.fromEntries(
  TIMER_KINDS.map((kind, rank) => [kind, rank]),
) as Record<TimerKind, number>;

/** A timer where the queue has it. */
interface Queued extends Timer {
  heapIndex: number;
}

/**
 * A binary heap, and the index of every timer in it: a subject has at most one of each kind, and one whose reason has
 * gone is taken out. Nothing rings in vain, so that what a turn has to do follows from the state alone.
 */
export class TimerQueue {
  readonly #heap: Queued[] = [];
  readonly #bySubject: Readonly<Record<TimerKind, Map<Timer['subject'], Queued>>> = perKind();

  get size(): number {
    return this.#heap.length;
  }

  /** In no order that may matter. */
  timers(): readonly Timer[] {
    return this.#heap.map(({ dueMs, kind, subject }) => ({ dueMs, kind, subject }));
  }

  /** Those due at or before the time, in the order in which they will ring. */
  due(nowMs: number): readonly Timer[] {
    if (!this.isDue(nowMs)) return [];
    const due = this.timers().filter(({ dueMs }) => dueMs <= nowMs);
    return due.sort((a, b) => (isBefore(a, b) ? -1 : 1));
  }

  /** Takes the place of the subject's timer of this kind, if there is one. */
  set({ dueMs, kind, subject }: Timer): void {
    this.clear(kind, subject);
    const timer: Queued = { dueMs, kind, subject, heapIndex: this.#heap.length };
    this.#bySubject[kind].set(subject, timer);
    this.#heap.push(timer);
    this.#rise(timer);
  }

  clear(kind: TimerKind, subject: Timer['subject']): void {
    const timer = this.#bySubject[kind].get(subject);
    if (timer !== undefined) this.#takeOut(timer);
  }

  /** Takes out the earliest timer due at or before the given time. */
  takeDue(nowMs: number): Timer | null {
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return null;
    this.#takeOut(first);
    return first;
  }

  isDue(nowMs: number): boolean {
    const first = this.#heap[0];
    return first !== undefined && first.dueMs <= nowMs;
  }

  /** When the next timer rings; the sequencer wakes then. */
  nextDueMs(): number | null {
    return this.#heap[0]?.dueMs ?? null;
  }

  #takeOut(timer: Queued): void {
    this.#bySubject[timer.kind].delete(timer.subject);
    const last = this.#heap.pop()!;
    if (last === timer) return;
    last.heapIndex = timer.heapIndex;
    this.#heap[last.heapIndex] = last;
    this.#rise(last);
    this.#sink(last);
  }

  #rise(timer: Queued): void {
    const heap = this.#heap;
    let index = timer.heapIndex;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent]!;
      if (!isBefore(timer, above)) break;
      heap[index] = above;
      above.heapIndex = index;
      index = parent;
    }
    heap[index] = timer;
    timer.heapIndex = index;
  }

  #sink(timer: Queued): void {
    const heap = this.#heap;
    let index = timer.heapIndex;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      const below = heap[child]!;
      if (!isBefore(below, timer)) break;
      heap[index] = below;
      below.heapIndex = index;
      index = child;
    }
    heap[index] = timer;
    timer.heapIndex = index;
  }
}

function perKind(): Record<TimerKind, Map<Timer['subject'], Queued>> {
  return Object.fromEntries(TIMER_KINDS.map((kind) => [kind, new Map()])) as Record<
    TimerKind,
    Map<Timer['subject'], Queued>
  >;
}

function isBefore(a: Timer, b: Timer): boolean {
  if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs;
  if (a.kind !== b.kind) return RANK[a.kind] < RANK[b.kind];
  return a.subject < b.subject;
}
