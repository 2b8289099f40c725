// The journal of one lane: an append-only chain of commits of sequenced commands, and what may go wrong with it.

/** What one append makes durable: some records, in order, and their link in the chain. */
export interface JournalCommit {
  /** The position of its first record in the total order, which begins at 1 and has no gaps. */
  readonly firstSeq: number;
  /** The position of its last record. */
  readonly seq: number;
  /** The reign of the writer that appended it; rises with every start. */
  readonly epoch: number;
  /** Journal time of its last record. */
  readonly tsMs: number;
  /** All its records in one text, as UTF-8, which a journal keeps as it is. */
  readonly records: Uint8Array;
  readonly prevHash: string;
  /** SHA-256 over the previous hash and every other field. */
  readonly hash: string;
}

/** Where the chain ends; `seq` 0 and an empty hash mean that nothing was ever appended. */
export interface JournalHead {
  readonly seq: number;
  readonly hash: string;
  readonly tsMs: number;
  readonly epoch: number;
}

export interface Journal {
  /** Takes the right to append: every earlier writer is shut out from now on. */
  lead(): Promise<number>;

  /**
   * Resolves once the whole commit would survive a power cut. Whoever's first record is not the next one, or whose
   * epoch was taken over, gets a JournalConflict and nothing is written. The records are the caller's memory, who may use
   * it again as soon as the call returns: whatever is needed longer is copied. Nobody need wait for one before asking for
   * the next: they are taken in the order in which they are asked for.
   */
  append(commit: JournalCommit, epoch: number): Promise<void>;

  /** Pages of durable commits in order, from the one that holds `fromSeq` to the head at the time each page is read. */
  read(fromSeq: number): AsyncIterable<readonly JournalCommit[]>;

  head(): Promise<JournalHead>;

  /** True while the space kept back for cancels is being used up: the disk is full. */
  readonly isOnReserve: boolean;

  /** Tries to set that space aside again; true when it is. */
  refillReserve(): Promise<boolean>;

  close(): Promise<void>;
}

/** Another writer leads, or the caller is not where the chain ends. The caller must not continue. */
export class JournalConflict extends Error {
  override readonly name = 'JournalConflict';
}

/** No space was left, not even the reserve; nothing of the commit was written and the journal still reads. */
export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

/** An I/O error: whether the commit is durable is unknown, so nothing may be appended or answered any more. */
export class JournalFailed extends Error {
  override readonly name = 'JournalFailed';
}

/** What was read is not what was written. */
export class JournalCorrupt extends Error {
  override readonly name = 'JournalCorrupt';
}
