// Letters that wait to be sent, at rest: sealed, because a link in one is as good as a password.

export interface KeptLetter {
  readonly letterId: string;
  readonly userId: string;
  /** Address and text, sealed. */
  readonly sealed: string;
  /** What it says is of no use from then on. */
  readonly expiresAtMs: number;
}

export interface TakenLetter extends KeptLetter {
  /** How often it was taken, this time included. */
  readonly attempts: number;
}

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface LetterStore {
  /** False, and nothing is kept, if so many wait already. */
  add(letter: KeptLetter, dueAtMs: number, waitingMax: number): Promise<boolean>;
  /**
   * Those that are due by now, the earliest first, and due again at the time given: until then nobody else takes them, and
   * whoever ends meanwhile leaves them to the next.
   */
  take(nowMs: number, untilMs: number, limit: number): Promise<readonly TakenLetter[]>;
  postpone(letterId: string, dueAtMs: number): Promise<void>;
  /** Sent, or given up. */
  remove(letterId: string): Promise<void>;
  waiting(): Promise<WaitingLetters>;
  /** Drops those that were over before the time. */
  prune(beforeMs: number): Promise<void>;
}

export interface WaitingLetters {
  readonly count: number;
  /** Null if none waits. */
  readonly nextDueMs: number | null;
}
