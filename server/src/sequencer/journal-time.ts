// Journal time of a lane: follows the monotonic clock, leans towards the wall clock, never goes back.
import { advanceClock, type JournalClock, startClock } from '@sibyl/engine';
import type { Clock } from '../ports/clock.ts';

/** The lean is a twentieth of whole milliseconds: measured over shorter spans it would always round to nothing. */
const ANCHOR_MS = 1000;

export class JournalTime {
  readonly #clock: Clock;
  #anchor: JournalClock;
  #lastMs: number;

  constructor(clock: Clock, lastJournalMs: number) {
    this.#clock = clock;
    this.#anchor = startClock(lastJournalMs, clock.wallMs(), clock.monotonicMs());
    this.#lastMs = this.#anchor.journalMs;
  }

  nowMs(): number {
    const monotonicMs = this.#clock.monotonicMs();
    const reading = advanceClock(this.#anchor, this.#clock.wallMs(), monotonicMs);
    if (monotonicMs - this.#anchor.monotonicMs >= ANCHOR_MS) this.#anchor = reading;
    if (reading.journalMs > this.#lastMs) this.#lastMs = reading.journalMs;
    return this.#lastMs;
  }
}
