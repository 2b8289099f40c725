// Slows down the guessing of passwords: so many failures of an address at one email and in all, then a pause; so many of an email
// from everywhere, then one guess a second from addresses where nobody ever signed in to it. An email alone never locks anybody out.
import type { Clock } from '@sibyl/lane';
import type { Connection } from '../ports/turn-gate.ts';
import { GuessLines } from './guess-lines.ts';
import { networkOf } from './network.ts';
import { RecentTimes } from './recent-times.ts';

const WINDOW_MS = 900_000;
const PER_EMAIL_AND_ADDRESS_MAX = 10;
const PER_ADDRESS_MAX = 50;
const CODED_MAX = 10;
const EMAIL_WINDOW_MS = 3_600_000;
const PER_EMAIL_MAX = 100;

interface ThrottleOptions {
  /** False where all come from one address: made-up names would use up the total for everyone else. */
  readonly hasTotal: boolean;
  /** True where too many failures of the pair lead to one guess a second instead of a pause. */
  readonly isSlowing?: boolean;
  /** Called when an email has had so many failures in an hour, once until they have passed. */
  readonly guessed?: (email: string) => void;
}

interface AttemptOrigin {
  readonly ipBucket: string;
  readonly connection: Connection;
}

export class LoginThrottle {
  readonly #failures: RecentTimes;
  readonly #byEmail: RecentTimes;
  /** Addresses where a link for a new password was used. */
  readonly #proved: RecentTimes;
  readonly #lines: GuessLines;
  readonly #options: ThrottleOptions;

  constructor(clock: Clock, options: ThrottleOptions) {
    this.#failures = new RecentTimes(clock, WINDOW_MS);
    this.#byEmail = new RecentTimes(clock, EMAIL_WINDOW_MS);
    this.#proved = new RecentTimes(clock, EMAIL_WINDOW_MS);
    this.#lines = new GuessLines(clock);
    this.#options = options;
  }

  /** Whether it is guessed at so much that it matters who asks. */
  isGuessed(email: string): boolean {
    return this.#byEmail.waitMs(email.toLowerCase(), PER_EMAIL_MAX) > 0;
  }

  /** Whether the attempt has to wait for its turn: the address is known if the owner signed in from its network. */
  isSlowed(email: string, address: string, isKnown: boolean): boolean {
    const pair = pairOf(email, address);
    if (this.#options.isSlowing === true) {
      return this.#failures.waitMs(pair, PER_EMAIL_AND_ADDRESS_MAX) > 0;
    }
    return !isKnown && this.isGuessed(email) && this.#proved.waitMs(pair, 1) === 0;
  }

  /**
   * Runs the check of an attempt that is slowed: one a second for an email, all strangers together and their networks in turn. Where
   * all come from one address, one a second of the pair. Null if too many wait.
   */
  inTurn<T>(
    email: string,
    { ipBucket, connection }: AttemptOrigin,
    check: () => Promise<T>,
  ): Promise<T | null> {
    return this.#options.isSlowing === true
      ? this.#lines.run(
          pairOf(email, ipBucket),
          { address: ipBucket, holder: connection, connection },
          check,
        )
      : this.#lines.run(
          email.toLowerCase(),
          { address: networkOf(ipBucket), holder: ipBucket, connection },
          check,
        );
  }

  /**
   * Seconds to wait, or 0: then the attempt is counted as a failure until it turns out a success,
   * so that attempts at the same moment cannot slip through together.
   */
  enter(email: string, address: string): number {
    const pair = pairOf(email, address);
    const { isSlowing = false, hasTotal, guessed } = this.#options;
    const waitMs = Math.max(
      isSlowing ? 0 : this.#failures.waitMs(pair, PER_EMAIL_AND_ADDRESS_MAX),
      this.#failures.waitMs(`ip ${address}`, PER_ADDRESS_MAX),
    );
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#failures.add(pair);
    if (hasTotal) this.#failures.add(`ip ${address}`);
    const wasGuessed = this.isGuessed(email);
    this.#byEmail.add(email.toLowerCase());
    if (!wasGuessed && this.isGuessed(email)) guessed?.(email);
    return 0;
  }

  /**
   * Whether an attempt with a code is checked although it should wait or was refused. The code is not checked first: a right one would
   * be told by the time of the answer, and wrong ones could not be counted without letting strangers use up the owner's tries.
   */
  admitsCode(email: string, address: string): boolean {
    if (this.#options.isSlowing === true) return true;
    const coded = codedOf(email, address);
    if (this.#failures.waitMs(coded, CODED_MAX) > 0) return false;
    this.#failures.add(coded);
    return true;
  }

  /** A link for a new password was used there: its owner waits for no stranger. */
  prove(email: string, address: string): void {
    this.#proved.add(pairOf(email, address));
  }

  /** The password was right: the two start over, and the address and the email get this attempt back. */
  succeed(email: string, address: string): void {
    this.#failures.forget(pairOf(email, address));
    this.#failures.forget(codedOf(email, address));
    this.#failures.takeBack(`ip ${address}`);
    this.#byEmail.takeBack(email.toLowerCase());
  }

  /** The attempt was not judged at all: it counts for nothing. */
  giveBack(email: string, address: string): void {
    this.#failures.takeBack(pairOf(email, address));
    this.#failures.takeBack(`ip ${address}`);
    this.#byEmail.takeBack(email.toLowerCase());
  }
}

function codedOf(email: string, address: string): string {
  return `code ${pairOf(email, address)}`;
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
