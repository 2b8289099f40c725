// Sends letters beside everything else: whoever asks for one does not wait, so that nobody learns from the time it takes
// whether there was anything to send.
import type { Clock } from '@sibyl/lane';
import type { Letter, Mail } from '../ports/mail.ts';

export interface MailerParts {
  readonly mail: Mail;
  readonly clock: Clock;
  /** Told without the address: a log is no place for it. */
  readonly failed: (message: string, error: unknown) => void;
}

/** What is being written and sent at a time; more than that is dropped. */
const PENDING_MAX = 1_000;
/** A server of mail that is down for a moment is asked again. */
const PAUSES_MS = [2_000, 30_000];

export class Mailer {
  readonly #parts: MailerParts;
  readonly #pending = new Set<Promise<void>>();
  readonly #wakers = new Set<() => void>();
  #isClosed = false;

  constructor(parts: MailerParts) {
    this.#parts = parts;
  }

  /** `write` gives null if there is nothing to send after all. */
  later(write: () => Promise<Letter | null>): void {
    if (this.#isClosed) return;
    if (this.#pending.size >= PENDING_MAX) {
      this.#parts.failed('a letter was dropped', new Error(`${PENDING_MAX} are waiting`));
      return;
    }
    const work: Promise<void> = this.#work(write).finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /** Resolves when nothing is being written or sent. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** What has not been taken by then is not sent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#wakers) wake();
    await this.#parts.mail.close();
    await this.settled();
  }

  async #work(write: () => Promise<Letter | null>): Promise<void> {
    try {
      const letter = await write();
      if (letter !== null) await this.#send(letter);
    } catch (error) {
      this.#parts.failed('a letter was not sent', error);
    }
  }

  async #send(letter: Letter): Promise<void> {
    for (const pauseMs of PAUSES_MS) {
      try {
        return await this.#parts.mail.send(letter);
      } catch (error) {
        if (this.#isClosed) throw error;
        await this.#pause(pauseMs);
      }
    }
    await this.#parts.mail.send(letter);
  }

  #pause(pauseMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        stop();
        this.#wakers.delete(wake);
        resolve();
      };
      const stop = this.#parts.clock.setAlarm(pauseMs, wake);
      this.#wakers.add(wake);
    });
  }
}
