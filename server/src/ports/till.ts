// The books of the local custody: what came in and what became of each payout, each once.

export interface TillEntry {
  /** What names it once and for all. */
  readonly entryId: string;
  /** Above zero what came in, below what went out; zero of a payout that is never made. */
  readonly amount: bigint;
  /** Where it came from, by which reference it went out, or why it never will. */
  readonly note: string;
  readonly atMs: number;
  /** The operator by whose word it stands here; absent where that is nobody's, or was not kept. */
  readonly by?: string;
}

/** Every write is durable when its promise resolves; nothing is ever changed or removed. */
export interface TillStore {
  /** False, and nothing is written, if there is an entry of that id. */
  enter(entry: TillEntry): Promise<boolean>;
  /** Those that there are of the ids, in any order. */
  entries(entryIds: readonly string[]): Promise<readonly TillEntry[]>;
  /** Those with just that note, in any order. */
  noted(note: string): Promise<readonly TillEntry[]>;
  /** The sum of all entries; null before the first. */
  balance(): Promise<bigint | null>;
}
