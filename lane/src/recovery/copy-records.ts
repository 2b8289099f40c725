// A copy of a journal, whole or up to a record or a time.
import type { Journal } from '../journal/journal.ts';
import { cutCommit } from '../record/commit.ts';
import type { RecoveryProgress } from './recover.ts';

export interface CopiedRecords {
  readonly seq: number;
  readonly headHash: string;
}

/** Where a copy ends; the newest record unless told. */
export interface CopyEnd {
  readonly seq?: number | undefined;
  readonly atMs?: number | undefined;
}

/**
 * Commit by commit, so that the source may be in use: what comes later is not in the copy. A commit that goes on
 * beyond the end is sealed anew without what comes after it.
 */
export async function copyRecords(
  from: Pick<Journal, 'read' | 'head'>,
  to: Journal,
  end: CopyEnd,
  progress: (progress: RecoveryProgress) => void,
): Promise<CopiedRecords> {
  const { seq: headSeq } = await from.head();
  const lastSeq = Math.min(headSeq, end.seq ?? headSeq);
  const lastMs = end.atMs ?? Number.POSITIVE_INFINITY;
  const epoch = await to.lead();
  let copied = { seq: 0, headHash: '' };
  for await (const page of from.read(1)) {
    const whole = page.filter(({ seq, tsMs }) => seq <= lastSeq && tsMs <= lastMs);
    const beyond = page[whole.length];
    const cut =
      beyond === undefined
        ? null
        : cutCommit(beyond, ({ seq, tsMs }) => seq <= lastSeq && tsMs <= lastMs);
    const wanted = cut === null ? whole : [...whole, cut];
    // One after the other without waiting for each: a journal takes them in the order in which it is asked.
    await Promise.all(wanted.map((commit) => to.append(commit, epoch)));
    const last = wanted.at(-1);
    if (last !== undefined) copied = { seq: last.seq, headHash: last.hash };
    progress({ seq: copied.seq, headSeq: lastSeq });
    if (beyond !== undefined) break;
  }
  return copied;
}
