// Slows down the guessing of passwords: so many failures of an address at one email and in all, then a pause. Never by
// the email alone: anybody could keep its owner out.
import type { Clock } from '@sibyl/lane';
import { RecentTimes } from './recent-times.ts';

const WINDOW_MS = 900_000;
const PER_EMAIL_AND_ADDRESS_MAX = 10;
const PER_ADDRESS_MAX = 50;

export class LoginThrottle {
  readonly #failures: RecentTimes;
  readonly #hasTotal: boolean;

  /** Without a total where everybody comes from one address: who makes names up would use it up for all others. */
  constructor(clock: Clock, { hasTotal }: { readonly hasTotal: boolean }) {
    this.#failures = new RecentTimes(clock, WINDOW_MS);
    this.#hasTotal = hasTotal;
  }

  /**
   * Seconds to wait, or 0: then the attempt is counted as a failure until it turns out a success,
   * so that attempts at the same moment cannot slip through together.
   */
  enter(email: string, address: string): number {
    const waitMs = Math.max(
      this.#failures.waitMs(pairOf(email, address), PER_EMAIL_AND_ADDRESS_MAX),
      this.#failures.waitMs(`ip ${address}`, PER_ADDRESS_MAX),
    );
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#failures.add(pairOf(email, address));
    if (this.#hasTotal) this.#failures.add(`ip ${address}`);
    return 0;
  }

  /** The password was right: the two start over, and the address gets this attempt back. */
  succeed(email: string, address: string): void {
    this.#failures.forget(pairOf(email, address));
    this.#failures.takeBack(`ip ${address}`);
  }

  /** The attempt was not judged at all: it counts for nothing. */
  giveBack(email: string, address: string): void {
    this.#failures.takeBack(pairOf(email, address));
    this.#failures.takeBack(`ip ${address}`);
  }
}

function pairOf(email: string, address: string): string {
  return `email ${email.toLowerCase()} ${address}`;
}

const CODES_MAX = 10;
const CODES_IN_ALL_SESSIONS_MAX = 30;

/** Where a code is given: with the password, with a link for a new password, or within a session. */
export type CodePlace = 'login' | 'reset' | { readonly sessionId: string };

/**
 * Slows down the guessing of second factors. By whose they are, wherever from, and apart for each place: who has stolen one session
 * uses up the tries of that session, and the owner still logs in. A session is only had by a code once there are codes, so sessions
 * are no way to more guesses; that they have a total too keeps it so for one that was being opened while the factor was enrolled.
 */
export class CodeThrottle {
  readonly #failures: RecentTimes;

  constructor(clock: Clock) {
    this.#failures = new RecentTimes(clock, WINDOW_MS);
  }

  /** Seconds to wait, or 0: then the attempt counts as a failure until it turns out a success. */
  enter(ownerId: string, place: CodePlace): number {
    const [own, total] = codeSubjects(ownerId, place);
    const ownMs = this.#failures.waitMs(own, CODES_MAX);
    const totalMs = total === null ? 0 : this.#failures.waitMs(total, CODES_IN_ALL_SESSIONS_MAX);
    const waitMs = Math.max(ownMs, totalMs);
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#failures.add(own);
    if (total !== null) this.#failures.add(total);
    return 0;
  }

  succeed(ownerId: string, place: CodePlace): void {
    const [own, total] = codeSubjects(ownerId, place);
    this.#failures.forget(own);
    if (total !== null) this.#failures.takeBack(total);
  }
}

function codeSubjects(ownerId: string, place: CodePlace): readonly [string, string | null] {
  if (typeof place === 'string') return [`${place} ${ownerId}`, null];
  return [`session ${place.sessionId}`, `sessions ${ownerId}`];
}
