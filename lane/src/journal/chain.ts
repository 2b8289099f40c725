// The hash-chained commit: how records are sealed together for the journal, and how a sealed commit is checked.
import { createHash } from 'node:crypto';
import { type JournalCommit, JournalCorrupt, type JournalHead } from './journal.ts';

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
  if (commit.hash !== hashCommit(commit))
    throw new JournalCorrupt(
      `${namesOf(firstSeq, seq)} altered: the hash of the commit does not match`,
    );
  if (commit.epoch < link.epoch)
    throw new JournalCorrupt(`record ${firstSeq} is of an earlier epoch than the record before it`);
}

/** The links of a chain, one for each commit. Throws JournalCorrupt at the first commit that does not follow the one before it. */
export function* linksOf(commits: Iterable<JournalCommit>): Generator<ChainLink> {
  let link: ChainLink | null = null;
  for (const commit of commits) {
    checkCommit(commit, link ?? { seq: 0, hash: commit.prevHash, tsMs: 0, epoch: 0 });
    link = linkOf(commit);
    yield link;
  }
}

export function linkOf({ seq, hash, tsMs, epoch }: JournalCommit): ChainLink {
  return { seq, hash, tsMs, epoch };
}

/** Numbers stand between spaces and texts behind their lengths, so that no two commits give the same text. */
function hashCommit(commit: JournalCommit): string {
  const { firstSeq, seq, epoch, tsMs, prevHash, records } = commit;
  return createHash('sha256')
    .update(
      `commit 1 ${firstSeq} ${seq} ${epoch} ${tsMs} ${prevHash.length} ${records.length} ${prevHash}`,
    )
    .update(records)
    .digest('hex');
}

function namesOf(firstSeq: number, seq: number): string {
  return firstSeq === seq ? `record ${seq} was` : `records ${firstSeq} to ${seq} were`;
}
