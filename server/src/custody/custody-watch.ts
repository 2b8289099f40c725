// Watches whether the custody answers: an outage is told of when it begins and when it is over, however often the custody is
// asked meanwhile.
import type { Clock } from '@sibyl/lane';
import { type Custody, CustodySilent } from '../ports/custody.ts';
import type { Outage, OutageWatcher } from '../ports/outage.ts';

export interface CustodyWatchOptions extends OutageWatcher {
  readonly clock: Pick<Clock, 'wallMs' | 'setAlarm'>;
  /** How often a custody that answers is asked for its books, to see that it does; null leaves it to those who need it. */
  readonly askEveryMs: number | null;
}

/** While it does not answer; each question moves nothing. */
const ASK_AGAIN_MS = 10_000;
/** Nobody repeats a check for its own sake: one that got no answer counts for so long where the books are given. */
const CHECK_COUNTS_MS = 600_000;

const BOOKS = 'books';
const CHECK = 'check';

export class CustodyWatch {
  readonly #options: CustodyWatchOptions;
  /** Questions without a clear answer, by payout or by kind, with when they last got none. */
  readonly #unanswered = new Map<string, number>();
  #outage: Outage | null = null;
  #isKnown = false;
  #ask: () => Promise<unknown> = async () => undefined;
  #asking: Promise<unknown> = Promise.resolve();
  #stopAlarm: () => void = () => undefined;
  #isClosed = false;

  constructor(options: CustodyWatchOptions) {
    this.#options = options;
  }

  /** Null while every question has a clear answer. */
  get outage(): Outage | null {
    return this.#outage;
  }

  /** False until a first question had its answer, or was seen to get none. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Payouts of which nobody knows whether they were made. */
  get unclearPayouts(): number {
    return [...this.#unanswered.keys()].filter((name) => name !== BOOKS && name !== CHECK).length;
  }

  /** The same custody, with every question watched. */
  over(custody: Custody): Custody {
    const { receive, correct, settle, told, paidBy, due, calls } = custody;
    this.#ask = () => this.#answerOf(BOOKS, custody.books([]));
    this.#askLater();
    return {
      name: custody.name,
      pay: (payout) => this.#answerOf(payout.payoutId, custody.pay(payout)),
      check: (destination, amount) => this.#answerOf(CHECK, custody.check(destination, amount)),
      books: (payoutIds) => this.#answerOf(BOOKS, custody.books(payoutIds)),
      ...(receive !== undefined && { receive: receive.bind(custody) }),
      ...(correct !== undefined && { correct: correct.bind(custody) }),
      ...(settle !== undefined && { settle: settle.bind(custody) }),
      ...(told !== undefined && { told: told.bind(custody) }),
      ...(paidBy !== undefined && { paidBy: paidBy.bind(custody) }),
      ...(due !== undefined && { due: due.bind(custody) }),
      ...(calls !== undefined && { calls }),
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopAlarm();
    await this.#asking;
  }

  async #answerOf<T>(question: string, answer: Promise<T>): Promise<T> {
    try {
      const told = await answer;
      this.#isKnown = true;
      this.#answered(question);
      return told;
    } catch (error) {
      this.#isKnown = true;
      this.#failed(question, error);
      throw error;
    }
  }

  #answered(question: string): void {
    const nowMs = this.#options.clock.wallMs();
    const wasUnanswered = this.#unanswered.delete(question);
    const checkedMs = this.#unanswered.get(CHECK);
    if (question === BOOKS && checkedMs !== undefined) {
      // Where the whole service was away, it is back; where checks alone were not answered, that counts for a while.
      if (wasUnanswered || nowMs - checkedMs >= CHECK_COUNTS_MS) this.#unanswered.delete(CHECK);
    }
    if (this.#outage === null || this.#unanswered.size > 0) return;
    const over = this.#outage;
    this.#outage = null;
    this.#options.ended(over, nowMs);
    this.#askLater();
  }

  #failed(question: string, error: unknown): void {
    const sinceMs = this.#options.clock.wallMs();
    this.#unanswered.set(question, sinceMs);
    if (this.#outage !== null || this.#isClosed) return;
    this.#outage = { sinceMs, reason: reasonOf(error) };
    this.#options.began(this.#outage);
    this.#askLater();
  }

  #askLater(): void {
    const { clock, askEveryMs } = this.#options;
    this.#stopAlarm();
    const delayMs = this.#outage === null ? askEveryMs : ASK_AGAIN_MS;
    if (this.#isClosed || delayMs === null) return;
    this.#stopAlarm = clock.setAlarm(delayMs, () => {
      this.#asking = this.#ask()
        .catch(() => undefined)
        .finally(() => this.#askLater());
    });
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CustodySilent)) return error instanceof Error ? error.message : 'an error';
  const { message, isLate, cause } = error;
  if (isLate) return `${message} in time`;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
