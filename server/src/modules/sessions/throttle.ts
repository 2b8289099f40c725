// Slows down the guessing of passwords: so many failures of an address at one email and in all, then a pause. Never by
// the email alone: anybody could keep its owner out.
import type { Clock } from '../../ports/clock.ts';

const WINDOW_MS = 900_000;
const PER_EMAIL_AND_ADDRESS_MAX = 10;
const PER_ADDRESS_MAX = 50;
const SUBJECTS_MAX = 50_000;

export class LoginThrottle {
  readonly #clock: Clock;
  /** Monotonic times of the failures of each subject, oldest first. */
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Seconds to wait, or 0: then the attempt is counted as a failure until it turns out a success,
   * so that attempts at the same moment cannot slip through together.
   */
  enter(email: string, address: string): number {
    const waitMs = Math.max(
      this.#waitMs(pairOf(email, address), PER_EMAIL_AND_ADDRESS_MAX),
      this.#waitMs(`ip ${address}`, PER_ADDRESS_MAX),
    );
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#add(pairOf(email, address));
    this.#add(`ip ${address}`);
    return 0;
  }

  /** The password was right: the two start over, and the address gets this attempt back. */
  succeed(email: string, address: string): void {
    this.#failures.delete(pairOf(email, address));
    this.#failures.get(`ip ${address}`)?.pop();
  }

  /** The attempt was not judged at all: it counts for nothing. */
  giveBack(email: string, address: string): void {
    this.#failures.get(pairOf(email, address))?.pop();
    this.#failures.get(`ip ${address}`)?.pop();
  }

  #waitMs(subject: string, max: number): number {
    const times = this.#recent(subject);
    if (times.length < max) return 0;
    return times[times.length - max]! + WINDOW_MS - this.#clock.monotonicMs();
  }

  #add(subject: string): void {
    const times = this.#recent(subject);
    times.push(this.#clock.monotonicMs());
    this.#failures.set(subject, times);
    if (this.#failures.size > SUBJECTS_MAX) this.#dropOldest();
  }

  #recent(subject: string): number[] {
    const since = this.#clock.monotonicMs() - WINDOW_MS;
    return (this.#failures.get(subject) ?? []).filter((atMs) => atMs > since);
  }

  #dropOldest(): void {
    for (const subject of this.#failures.keys()) {
      this.#failures.delete(subject);
      return;
    }
  }
}

function pairOf(email: string, address: string): string {
  return `email ${email.toLowerCase()} ${address}`;
}
