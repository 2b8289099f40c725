// A commit that ends earlier: the part of it up to some record, sealed anew.
import { sealCommit } from '../journal/chain.ts';
import type { JournalCommit } from '../journal/journal.ts';
import type { RecordStamp } from './order-text.ts';
import { RecordReader, textOf } from './record.ts';

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
