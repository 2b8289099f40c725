// A clock that stands still until it is told to move: for seeds in past time and for tests.
import type { Clock } from './clock.ts';

interface Alarm {
  readonly dueMs: number;
  readonly ring: () => void;
}

export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #sleptMs = 0;
  #alarms: Alarm[] = [];

  constructor(wallMs: number) {
    this.#wallMs = wallMs;
  }

  wallMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  bootMs(): number {
    return this.#monotonicMs + this.#sleptMs;
  }

  setAlarm(delayMs: number, ring: () => void): () => void {
    const alarm: Alarm = { dueMs: this.#monotonicMs + Math.max(0, delayMs), ring };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** Time passes; alarms that fall due ring in order. */
  advance(elapsedMs: number): void {
    this.#wallMs += elapsedMs;
    this.#monotonicMs += elapsedMs;
    for (;;) {
      const due = this.#alarms.filter((alarm) => alarm.dueMs <= this.#monotonicMs);
      if (due.length === 0) return;
      const first = due.reduce((a, b) => (b.dueMs < a.dueMs ? b : a));
      this.#alarms = this.#alarms.filter((alarm) => alarm !== first);
      first.ring();
    }
  }

  /** The machine sleeps: time passes for the wall clock and since its start, and nothing rings. */
  sleep(sleptMs: number): void {
    this.#wallMs += sleptMs;
    this.#sleptMs += sleptMs;
  }

  /** Somebody sets the wall clock; no time passes. */
  setWall(wallMs: number): void {
    this.#wallMs = wallMs;
  }
}
