// Checks the clocks of a lane before each batch and once a second, and says what must be journaled before anything else.
import type { CommandBody } from '@sibyl/engine';
import type { Clock } from '../time/clock.ts';
import { Alarm } from './alarm.ts';
import type { ClockDecision, JournalTime } from './journal-time.ts';

export interface ClockWatchOptions {
  readonly clock: Clock;
  readonly time: JournalTime;
  /** Journals a command of the lane itself, before whatever waits. */
  readonly putFirst: (body: CommandBody) => void;
  /** For the log, once for each finding. */
  readonly alarm: (message: string) => void;
}

export class ClockWatch {
  readonly #options: ClockWatchOptions;
  readonly #next: Alarm;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
    this.#next = new Alarm(options.clock);
  }

  /** So that a lane nobody sends anything to notices as well. */
  start(): void {
    this.#next.set(LOOK_MS, () => {
      this.check();
      this.start();
    });
  }

  stop(): void {
    this.#next.cancel();
  }

  check(): void {
    const { time, putFirst, alarm } = this.#options;
    const { sleptMs, haveParted } = time.check();
    if (haveParted) {
      const reason = this.reason ?? '';
      alarm(`${reason}: trading waits for an operator`);
      putFirst({ type: 'set_read_only', readOnly: true, reason });
    }
    if (sleptMs === 0) return;
    alarm(`the machine slept for ${sleptMs} ms`);
    putFirst({ type: 'recover' });
  }

  /** Why trading waits; null while the clocks agree. */
  get reason(): string | null {
    const { differenceMs } = this.#options.time;
    if (differenceMs === null) return null;
    return `clock: journal time differs from wall time by ${differenceMs} ms`;
  }

  decide(decision: ClockDecision): void {
    const { time, putFirst, alarm } = this.#options;
    const jumpedMs = time.decide(decision);
    alarm(`an operator decided on the clock: ${decision}, journal time jumps by ${jumpedMs} ms`);
    if (jumpedMs > 0) putFirst({ type: 'recover' });
  }
}

const LOOK_MS = 1_000;
