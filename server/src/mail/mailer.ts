// Sends letters beside everything else: whoever asks for one does not wait, so that nobody learns from the time it takes
// whether there was anything to send. What is written is kept until it is sent, over restarts too.
import type { Clock } from '@sibyl/lane';
import type { LetterStore, TakenLetter } from '../ports/letters.ts';
import { type Letter, LetterRefused, type Mail } from '../ports/mail.ts';
import type { Random } from '../ports/random.ts';
import type { SecretVault } from '../ports/vault.ts';

export interface MailerParts {
  readonly mail: Mail;
  readonly letters: LetterStore;
  readonly vault: SecretVault;
  readonly random: Random;
  readonly clock: Clock;
  /** Told without the address: a log is no place for it. */
  readonly failed: (message: string, error: unknown) => void;
}

/** A letter to a user, of no use once what it says is over. */
export interface DatedLetter {
  readonly userId: string;
  readonly letter: Letter;
  readonly expiresAtMs: number;
}

/** What is being written at a time, and what may wait to be sent; more than that is dropped. */
const WRITING_MAX = 1_000;
const WAITING_MAX = 10_000;
const AT_ONCE = 10;
/** Longer than an attempt takes: after it another process, or the next start, takes over. */
const TAKEN_FOR_MS = 120_000;
/** A server of mail that is down is asked again, after ever longer pauses, as long as the letter is of use. */
const PAUSE_MIN_MS = 2_000;
const PAUSE_MAX_MS = 600_000;
const ID_LENGTH = 16;

export class Mailer {
  readonly #parts: MailerParts;
  readonly #writing = new Set<Promise<void>>();
  #sending: Promise<void> | null = null;
  /** Something came while others were being sent. */
  #isNews = false;
  #stopAlarm: () => void = () => undefined;
  #isClosed = false;
  sentCount = 0;
  droppedCount = 0;

  constructor(parts: MailerParts) {
    this.#parts = parts;
  }

  /** Sends what is due, also what waited when the process before ended. */
  wake(): void {
    this.#stopAlarm();
    if (this.#isClosed) return;
    if (this.#sending !== null) {
      this.#isNews = true;
      return;
    }
    this.#isNews = false;
    this.#sending = this.#round().finally(() => {
      this.#sending = null;
      if (this.#isNews) this.wake();
    });
  }

  /** `write` gives null if there is nothing to send after all. */
  later(write: () => Promise<DatedLetter | null>): void {
    if (this.#isClosed) return;
    if (this.#writing.size >= WRITING_MAX) {
      this.#drop(new Error(`${WRITING_MAX} are being written`));
      return;
    }
    const work: Promise<void> = this.#keep(write).finally(() => this.#writing.delete(work));
    this.#writing.add(work);
  }

  /** Resolves when nothing is being written or sent; what was not taken may wait for its time. */
  async settled(): Promise<void> {
    while (this.#writing.size > 0 || this.#sending !== null) {
      await Promise.all([...this.#writing, this.#sending]);
    }
  }

  async waitingCount(): Promise<number> {
    return (await this.#parts.letters.waiting()).count;
  }

  /** What has not been taken by then waits for the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopAlarm();
    await Promise.all(this.#writing);
    await this.#parts.mail.close();
    await this.settled();
  }

  async #keep(write: () => Promise<DatedLetter | null>): Promise<void> {
    const { letters, vault, random, clock, failed } = this.#parts;
    try {
      const written = await write();
      if (written === null) return;
      const letterId = `ltr_${random.token(ID_LENGTH)}`;
      const { userId, letter, expiresAtMs } = written;
      const sealed = vault.seal(Buffer.from(JSON.stringify(letter)), ownerOf(letterId));
      const kept = { letterId, userId, sealed, expiresAtMs };
      const isKept = await letters.add(kept, clock.wallMs(), WAITING_MAX);
      if (isKept) this.wake();
      else this.#drop(new Error(`${WAITING_MAX} are waiting`));
    } catch (error) {
      failed('a letter was not written', error);
    }
  }

  async #round(): Promise<void> {
    const { letters, clock, failed } = this.#parts;
    try {
      while (!this.#isClosed) {
        const nowMs = clock.wallMs();
        const taken = await letters.take(nowMs, nowMs + TAKEN_FOR_MS, AT_ONCE);
        if (taken.length === 0) break;
        await Promise.all(taken.map((each) => this.#send(each)));
      }
      const { nextDueMs } = await letters.waiting();
      if (nextDueMs !== null) this.#wakeIn(nextDueMs - clock.wallMs());
    } catch (error) {
      failed('letters that wait were not sent', error);
      this.#wakeIn(PAUSE_MAX_MS);
    }
  }

  #wakeIn(delayMs: number): void {
    if (this.#isClosed) return;
    this.#stopAlarm = this.#parts.clock.setAlarm(Math.max(delayMs, 1), () => this.wake());
  }

  async #send(taken: TakenLetter): Promise<void> {
    const { letters, mail } = this.#parts;
    const { letterId } = taken;
    try {
      await mail.send(this.#opened(taken));
    } catch (error) {
      await this.#afterFault(taken, error);
      return;
    }
    this.sentCount += 1;
    await letters.remove(letterId);
  }

  /** Throws LetterRefused for what can never be sent. */
  #opened({ letterId, sealed, expiresAtMs }: TakenLetter): Letter {
    if (expiresAtMs <= this.#parts.clock.wallMs()) throw new LetterRefused('what it says is over');
    try {
      const bytes = this.#parts.vault.open(sealed, ownerOf(letterId));
      // Sealed here, as what it is.
      return JSON.parse(Buffer.from(bytes).toString('utf8')) as Letter;
    } catch (cause) {
      throw new LetterRefused('it cannot be unsealed', { cause });
    }
  }

  async #afterFault({ letterId, attempts, expiresAtMs }: TakenLetter, error: unknown) {
    const { letters, clock } = this.#parts;
    const nowMs = clock.wallMs();
    if (this.#isClosed) {
      await letters.postpone(letterId, nowMs);
      return;
    }
    const dueAtMs = nowMs + Math.min(PAUSE_MAX_MS, PAUSE_MIN_MS * 4 ** (attempts - 1));
    if (error instanceof LetterRefused || dueAtMs >= expiresAtMs) {
      await letters.remove(letterId);
      this.#drop(error);
      return;
    }
    await letters.postpone(letterId, dueAtMs);
  }

  #drop(error: unknown): void {
    this.droppedCount += 1;
    this.#parts.failed('a letter was dropped', error);
  }
}

function ownerOf(letterId: string): string {
  return `letter ${letterId}`;
}
