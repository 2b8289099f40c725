// The hash-chained commit: how records are sealed together for the journal, and how a sealed commit is checked.
import { createHash } from 'node:crypto';
import { type JournalCommit, JournalCorrupt, type JournalHead } from '../journal/journal.ts';
import type { RecordStamp } from './order-text.ts';
import { RecordReader, textOf } from './record.ts';

/** A position in the chain: what the next commit must follow. */
export type ChainLink = JournalHead;

/** What is sealed: the text of some records, and where they end. */
export interface Unsealed {
  readonly seq: number;
  readonly epoch: number;
  readonly tsMs: number;
  readonly records: Uint8Array;
}

export function sealCommit(
  { seq, epoch, tsMs, records }: Unsealed,
  after: ChainLink,
): JournalCommit {
  const commit = {
    firstSeq: after.seq + 1,
    seq,
    epoch,
    tsMs,
    records,
    prevHash: after.hash,
    hash: '',
  };
  commit.hash = hashCommit(commit);
  return commit;
}

/** Throws JournalCorrupt unless the commit is the one that was sealed after `link`. */
export function checkCommit(commit: JournalCommit, link: ChainLink): void {
  const { firstSeq, seq } = commit;
  if (firstSeq !== link.seq + 1)
    throw new JournalCorrupt(`record ${link.seq + 1} is missing: ${firstSeq} follows ${link.seq}`);
  if (commit.prevHash !== link.hash)
    throw new JournalCorrupt(`record ${firstSeq} does not follow the record before it`);
  if (commit.hash !== hashCommit(commit) && commit.hash !== hashAsBefore(commit))
    throw new JournalCorrupt(
      `${namesOf(firstSeq, seq)} altered: the hash of the commit does not match`,
    );
  if (commit.epoch < link.epoch)
    throw new JournalCorrupt(`record ${firstSeq} is of an earlier epoch than the record before it`);
}

/** The same chain up to a record inside the commit: what comes later is left out, and the rest is sealed anew. */
export function cutCommit(
  commit: JournalCommit,
  isWanted: (stamp: RecordStamp) => boolean,
): JournalCommit | null {
  const reader = new RecordReader();
  reader.open(commit);
  let last: RecordStamp | null = null;
  let end = 0;
  while (reader.next() && isWanted(reader)) {
    last = { seq: reader.seq, tsMs: reader.tsMs };
    end = reader.end;
  }
  if (last === null || last.seq === commit.seq) return last === null ? null : commit;
  const { epoch, firstSeq, prevHash } = commit;
  const before = { seq: firstSeq - 1, hash: prevHash, tsMs: 0, epoch };
  const records = Buffer.from(textOf(commit.records).slice(0, end));
  return sealCommit({ ...last, epoch, records }, before);
}

export function linkOf({ seq, hash, tsMs, epoch }: JournalCommit): ChainLink {
  return { seq, hash, tsMs, epoch };
}

/** Numbers stand between spaces and texts behind their lengths, so that no two commits give the same text. */
function hashCommit(commit: JournalCommit, length = commit.records.length): string {
  const { firstSeq, seq, epoch, tsMs, prevHash, records } = commit;
  return createHash('sha256')
    .update(`commit 1 ${firstSeq} ${seq} ${epoch} ${tsMs} ${prevHash.length} ${length} ${prevHash}`)
    .update(records)
    .digest('hex');
}

/** Commits used to be sealed with the number of characters in place of bytes: not the same where a name has an umlaut. */
function hashAsBefore(commit: JournalCommit): string {
  return hashCommit(commit, textOf(commit.records).length);
}

function namesOf(firstSeq: number, seq: number): string {
  return firstSeq === seq ? `record ${seq} was` : `records ${firstSeq} to ${seq} were`;
}
