// Times commands one by one and keeps, for each kind of state and command, the slowest.
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { collectYoung } from '../harness/gc-pauses.ts';
import type { Measurement } from '../suite.ts';

/** Commands that only build a state are listed from here on: there are millions of them. */
const BUILDING_MIN_MS = 20;

interface Timing {
  /** The state and the command, in words. */
  readonly what: string;
  readonly ms: number;
  readonly events: number;
}

interface Span extends Timing {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isBuilding: boolean;
}

/** How many events came of what ran. */
type EventsOf<T> = (ran: T) => number;

export class Watch {
  readonly #slowest = new Map<string, Span>();
  readonly #collections: PerformanceEntry[] = [];
  readonly #observer: PerformanceObserver;
  readonly #collect: () => void;

  constructor(collect: () => void = collectYoung) {
    this.#collect = collect;
    this.#observer = new PerformanceObserver((list) =>
      this.#collections.push(...list.getEntries()),
    );
    this.#observer.observe({ entryTypes: ['gc'] });
  }

  /**
   * A command that is looked at. What was lately allocated is collected before it, so what is collected is its own. Not all
   * garbage: with the last object of its shape compiled code goes too, and the command would pay for that.
   */
  time<T>(what: string, run: () => T, eventsOf: EventsOf<T>): T {
    this.#collect();
    return this.#run(what, run, eventsOf, false);
  }

  /** As `time`, for one of many in a row. */
  timeNext<T>(what: string, run: () => T, eventsOf: EventsOf<T>): T {
    return this.#run(what, run, eventsOf, false);
  }

  /** A command on the way to a state: listed only if it took long, and not for the garbage of those before it. */
  build<T>(what: string, run: () => T, eventsOf: EventsOf<T>): T {
    return this.#run(what, run, eventsOf, true);
  }

  /** By state, command and events, how long the slowest took in ms. */
  async conclude(): Promise<Measurement> {
    // Entries of the collector arrive late.
    await new Promise((resolve) => setTimeout(resolve, 20));
    this.#collections.push(...this.#observer.takeRecords());
    this.#observer.disconnect();
    const measured: Record<string, number> = {};
    for (const span of this.#slowest.values()) {
      const ms = span.isBuilding ? span.ms - this.#collectedIn(span) : span.ms;
      if (span.isBuilding && ms < BUILDING_MIN_MS) continue;
      measured[describe(span)] = ms;
    }
    return measured;
  }

  /** In time of the processor, all threads: those of the collector share the one core, and others on the machine do not count. */
  #run<T>(what: string, run: () => T, eventsOf: EventsOf<T>, isBuilding: boolean): T {
    const before = process.cpuUsage();
    const fromMs = performance.now();
    const ran = run();
    const toMs = performance.now();
    if (isBuilding && toMs - fromMs < BUILDING_MIN_MS) return ran;
    const { user, system } = process.cpuUsage(before);
    const ms = Math.min((user + system) / 1000, toMs - fromMs);
    const known = this.#slowest.get(what);
    if (known === undefined || known.ms < ms) {
      this.#slowest.set(what, { what, ms, events: eventsOf(ran), fromMs, toMs, isBuilding });
    }
    return ran;
  }

  #collectedIn({ fromMs, toMs }: Span): number {
    let sum = 0;
    for (const { startTime, duration } of this.#collections) {
      if (startTime >= fromMs && startTime <= toMs) sum += duration;
    }
    return sum;
  }
}

function describe({ what, events }: Timing): string {
  return `${what} (${events.toLocaleString('en-US')} events)`;
}
