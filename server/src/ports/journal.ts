// The journal of one lane: an append-only chain of sequenced commands, and what may go wrong with it.

export interface JournalRecord {
  /** The command's place in the total order, from 1, without gaps. */
  readonly seq: number;
  /** The reign of the writer that appended the record; rises with every start. */
  readonly epoch: number;
  /** Journal time of the command. */
  readonly tsMs: number;
  readonly type: string;
  /** Version of the body's form: a decoder for every version is kept forever. */
  readonly ver: number;
  readonly actor: string;
  readonly requestId: string;
  /** The command's canonical text. */
  readonly body: string;
  /** Digest of the outcome: a replay that differs is found at the record where it does. */
  readonly outcomeHash: string;
  readonly prevHash: string;
  /** SHA-256 over the previous hash and every other field, each with its length. */
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
   * Resolves once the whole batch would survive a power cut. `expectedSeq` is the seq of the first record: whoever
   * is not at that place, or whose epoch was taken over, gets a JournalConflict and nothing is written.
   */
  append(batch: readonly JournalRecord[], expectedSeq: number, epoch: number): Promise<void>;

  /** Pages of durable records in order, from `fromSeq` to the head at the time each page is read. */
  read(fromSeq: number): AsyncIterable<readonly JournalRecord[]>;

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

/** No space was left, not even the reserve; nothing of the batch was written and the journal still reads. */
export class JournalFull extends Error {
  override readonly name = 'JournalFull';
}

/** An I/O error: whether the batch is durable is unknown, so nothing may be appended or answered any more. */
export class JournalFailed extends Error {
  override readonly name = 'JournalFailed';
}

/** What was read is not what was written. */
export class JournalCorrupt extends Error {
  override readonly name = 'JournalCorrupt';
}
