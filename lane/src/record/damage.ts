// What is left of a journal that does not open: which of its records are whole, and which is the first that is not.

import { type ChainLink, linksOf } from '../journal/chain.ts';
import { type JournalCommit, JournalCorrupt } from '../journal/journal.ts';

/** Shows the commits of a file that is not to be changed. */
export type ReadCommits = (see: (commits: Iterable<JournalCommit>) => string) => string;

/** A journal that is damaged says with its error which record is. */
export async function namingDamage<T>(opening: Promise<T>, read: ReadCommits): Promise<T> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof JournalCorrupt)) throw error;
    throw new JournalCorrupt(`${error.message}; ${described(read)}`);
  }
}

function described(read: ReadCommits): string {
  try {
    return read(firstDamage);
  } catch {
    return 'no record can be read';
  }
}

function firstDamage(commits: Iterable<JournalCommit>): string {
  let link: ChainLink | null = null;
  try {
    for (const reached of linksOf(commits)) link = reached;
  } catch (error) {
    const seq = link?.seq ?? 0;
    const reason =
      error instanceof JournalCorrupt ? error.message : `record ${seq + 1} cannot be read`;
    return `${reason}; ${seq === 0 ? 'no record before it is whole' : `records up to ${seq} are whole`}`;
  }
  return link === null ? 'it has no records' : `its records up to ${link.seq} are whole`;
}
