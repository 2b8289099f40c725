// The books of the local custody: what came in and what was paid out, each once.

export interface TillEntry {
  /** What names it once and for all. */
  readonly entryId: string;
  /** Above zero what came in, below what went out. */
  readonly amount: bigint;
  /** Whom it was for, or where it came from. */
  readonly note: string;
  readonly atMs: number;
}

/** Every write is durable when its promise resolves; nothing is ever changed or removed. */
export interface TillStore {
  /** False, and nothing is written, if there is an entry of that id. */
  enter(entry: TillEntry): Promise<boolean>;
  /** Those of the ids that there are entries of. */
  known(entryIds: readonly string[]): Promise<readonly string[]>;
  /** The sum of all entries; null before the first. */
  balance(): Promise<bigint | null>;
}
