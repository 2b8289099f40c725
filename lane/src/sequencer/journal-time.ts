// Journal time of a lane: follows the monotonic clock, leans towards the wall clock, never goes back.
import { advanceClock, type JournalClock, startClock } from '@sibyl/engine';
import type { Clock } from '../time/clock.ts';

/** The lean is a twentieth of whole milliseconds: measured over shorter spans it would always round to nothing. */
const ANCHOR_MS = 1000;
/** A difference up to this is leaned away; a larger one has a cause that must be known. */
const SLACK_MS = 1000;

/** What a check of the clocks has found. */
export interface ClockNews {
  /** How long the machine has slept since the last check; journal time has made it up. */
  readonly sleptMs: number;
  /** Whether journal time and wall time have parted since the last check, for no cause that is known. */
  readonly haveParted: boolean;
}

/** `accept` takes the wall clock as right, `keep` journal time. */
export type ClockDecision = 'accept' | 'keep';

const NO_NEWS: ClockNews = { sleptMs: 0, haveParted: false };

/**
 * Journal time is the wall clock less an offset that somebody has accepted, none as a rule. Once the two have parted it
 * keeps the pace of the monotonic clock, leaning nowhere, until somebody has decided which is right.
 */
export class JournalTime {
  readonly #clock: Clock;
  #anchor: JournalClock;
  #lastMs: number;
  #offsetMs: number;
  /** How far the wall clock is behind while it catches up by the lean; never above zero. */
  #expectedMs = 0;
  /** Boot time less monotonic time when they were last compared. */
  #asleepMs: number;
  #lookedMs: number;
  #areApart = false;

  constructor(clock: Clock, lastJournalMs: number, offsetMs = 0) {
    this.#clock = clock;
    this.#offsetMs = offsetMs;
    const monotonicMs = clock.monotonicMs();
    this.#anchor = startClock(lastJournalMs, clock.wallMs() - offsetMs, monotonicMs);
    this.#lastMs = this.#anchor.journalMs;
    this.#asleepMs = clock.bootMs() - monotonicMs;
    this.#lookedMs = monotonicMs;
  }

  nowMs(): number {
    const monotonicMs = this.#clock.monotonicMs();
    const reading = this.#read(monotonicMs, this.#clock.wallMs());
    if (monotonicMs - this.#anchor.monotonicMs >= ANCHOR_MS) this.#anchor = reading;
    if (reading.journalMs > this.#lastMs) this.#lastMs = reading.journalMs;
    return this.#lastMs;
  }

  /** The wall clock less the offset that was accepted, less journal time, while nobody has decided; else null. */
  get differenceMs(): number | null {
    return this.#areApart ? this.#clock.wallMs() - this.#offsetMs - this.nowMs() : null;
  }

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Cheap as long as the clocks agree: boot time is read once a second, and when the others give a reason. */
  check(): ClockNews {
    const monotonicMs = this.#clock.monotonicMs();
    const wallMs = this.#clock.wallMs();
    const reading = this.#read(monotonicMs, wallMs);
    const isDue = monotonicMs - this.#lookedMs >= ANCHOR_MS;
    if (!isDue && !this.#isOff(wallMs - this.#offsetMs - reading.journalMs)) return NO_NEWS;
    this.#lookedMs = monotonicMs;
    const asleepMs = this.#clock.bootMs() - monotonicMs;
    const sleptMs = asleepMs - this.#asleepMs > SLACK_MS ? asleepMs - this.#asleepMs : 0;
    this.#asleepMs = asleepMs;
    const journalMs = reading.journalMs + sleptMs;
    this.#anchor = { journalMs, monotonicMs };
    const gapMs = wallMs - this.#offsetMs - journalMs;
    const haveParted = !this.#areApart && this.#isOff(gapMs);
    this.#areApart ||= haveParted;
    if (!this.#areApart) this.#expectedMs = gapMs < -SLACK_MS ? gapMs : 0;
    return sleptMs > 0 || haveParted ? { sleptMs, haveParted } : NO_NEWS;
  }

  /** How far journal time has jumped ahead. It does not go back: a wall clock that is behind catches up by the lean. */
  decide(decision: ClockDecision): number {
    if (decision === 'keep' && !this.#areApart) return 0;
    const journalMs = this.nowMs();
    const wallMs = this.#clock.wallMs();
    this.#areApart = false;
    this.#offsetMs = decision === 'accept' ? 0 : wallMs - journalMs;
    const gapMs = wallMs - this.#offsetMs - journalMs;
    this.#expectedMs = gapMs < -SLACK_MS ? gapMs : 0;
    const jumpedMs = gapMs > SLACK_MS ? gapMs : 0;
    this.#anchor = { journalMs: journalMs + jumpedMs, monotonicMs: this.#clock.monotonicMs() };
    return jumpedMs;
  }

  /** Towards a wall clock that is off by more than the slack nothing leans. */
  #read(monotonicMs: number, wallMs: number): JournalClock {
    const elapsedMs = Math.max(0, monotonicMs - this.#anchor.monotonicMs);
    const journalMs = this.#anchor.journalMs + elapsedMs;
    const aimMs = wallMs - this.#offsetMs;
    if (this.#areApart || this.#isOff(aimMs - journalMs)) return { journalMs, monotonicMs };
    return advanceClock(this.#anchor, aimMs, monotonicMs);
  }

  #isOff(gapMs: number): boolean {
    return Math.abs(gapMs - this.#expectedMs) > SLACK_MS;
  }
}
