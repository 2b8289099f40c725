// What every journal must do, whatever it is kept in; each adapter's test runs this suite.

import { type Journal, type JournalCommit, JournalConflict } from '@sibyl/lane';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf } from './records.ts';

export interface JournalHarness {
  /** Opens the same journal again and again: what one wrote, the next one reads. */
  open(): Promise<Journal>;
  dispose(): Promise<void>;
  /** Whether a second writer is kept out from the start, or shuts out the first by leading. */
  readonly secondWriter: 'excluded' | 'takes over';
}

export function describeJournal(name: string, create: () => Promise<JournalHarness>): void {
  describe(`journal: ${name}`, () => {
    let harness: JournalHarness;
    let journal: Journal;

    beforeEach(async () => {
      harness = await create();
      journal = await harness.open();
    });

    afterEach(async () => {
      await journal.close();
      await harness.dispose();
    });

    it('[P1] is empty at first, and reads nothing', async () => {
      expect(await journal.head()).toEqual({ seq: 0, hash: '', tsMs: 0, epoch: 0 });
      expect(await readAll(journal, 1)).toEqual([]);
    });

    it('[P1] gives back every field of every commit, after it was closed and opened too', async () => {
      const epoch = await journal.lead();
      const commits = chainOf(1, 2, epoch, 3);
      for (const commit of commits) await journal.append(commit, epoch);
      expect(await readAll(journal, 1)).toEqual(commits);
      await journal.close();
      journal = await harness.open();
      expect(await readAll(journal, 1)).toEqual(commits);
      const { seq, hash, tsMs } = commits[1]!;
      expect(await journal.head()).toEqual({ seq, hash, tsMs, epoch });
    });

    it('[P1] reads pages in order from the commit of any place, beyond one page', async () => {
      const epoch = await journal.lead();
      const commits = chainOf(1, 300, epoch, 7);
      for (const commit of commits) await journal.append(commit, epoch);
      expect(await readAll(journal, 1)).toEqual(commits);
      for (const seq of [1395, 1400, 1401]) {
        expect(await readAll(journal, seq)).toEqual(commits.slice(seq > 1400 ? 200 : 199));
      }
      expect(await readAll(journal, 2101)).toEqual([]);
    });

    it('[P1] keeps text as it is: quotes, newlines, NUL, every plane', async () => {
      const epoch = await journal.lead();
      const records = bytesOf('{"text":"\\u0000 \' \\" \u2028 é 中 🜁"}\n\t\u0000end');
      const commit = { ...chainOf(1, 1, epoch)[0]!, records };
      await journal.append(commit, epoch);
      expect(await readAll(journal, 1)).toEqual([commit]);
    });

    it('[P1] keeps what it was given, though its memory is used again at once', async () => {
      const epoch = await journal.lead();
      const commit = chainOf(1, 1, epoch)[0]!;
      const records = Uint8Array.from(commit.records);
      const appended = journal.append({ ...commit, records }, epoch);
      records.fill(0);
      await appended;
      expect(await readAll(journal, 1)).toEqual([commit]);
    });

    it('[P7] each lead raises the epoch, across openings', async () => {
      const first = await journal.lead();
      await journal.close();
      journal = await harness.open();
      const second = await journal.lead();
      expect(second).toBeGreaterThan(first);
    });

    it('[P7] takes appends in the order in which they are asked for, without waiting for each', async () => {
      const epoch = await journal.lead();
      const commits = chainOf(1, 40, epoch, 2);
      await Promise.all(commits.map((commit) => journal.append(commit, epoch)));
      expect(await readAll(journal, 1)).toEqual(commits);
    });

    it('[P7] refuses an append at the wrong place and writes nothing of it', async () => {
      const epoch = await journal.lead();
      const commits = chainOf(1, 3, epoch, 2);
      await journal.append(commits[0]!, epoch);
      await expect(journal.append(commits[0]!, epoch)).rejects.toThrow(JournalConflict);
      await expect(journal.append(chainOf(2, 1, epoch)[0]!, epoch)).rejects.toThrow(
        JournalConflict,
      );
      await expect(journal.append(commits[2]!, epoch)).rejects.toThrow(JournalConflict);
      expect(await readAll(journal, 1)).toEqual(commits.slice(0, 1));
      await journal.append(commits[1]!, epoch);
      expect(await readAll(journal, 1)).toEqual(commits.slice(0, 2));
    });

    it('[P7] refuses whoever does not lead', async () => {
      const [commit] = chainOf(1, 1, 1);
      await expect(journal.append(commit!, 1)).rejects.toThrow(JournalConflict);
      const epoch = await journal.lead();
      await expect(journal.append(commit!, epoch + 1)).rejects.toThrow(JournalConflict);
      await expect(journal.append(commit!, epoch - 1)).rejects.toThrow(JournalConflict);
      expect(await readAll(journal, 1)).toEqual([]);
    });

    it('[P7] never lets two writers append', async () => {
      const epoch = await journal.lead();
      const commit = chainOf(1, 1, epoch)[0]!;
      if (harness.secondWriter === 'excluded') {
        await expect(harness.open()).rejects.toThrow(JournalConflict);
        await journal.append(commit, epoch);
        return;
      }
      const second = await harness.open();
      const later = await second.lead();
      await expect(journal.append(commit, epoch)).rejects.toThrow(JournalConflict);
      await second.append(chainOf(1, 1, later)[0]!, later);
      expect((await readAll(second, 1)).map((kept) => kept.epoch)).toEqual([later]);
      await second.close();
    });

    it('[P1] closes twice without harm and refuses work afterwards', async () => {
      await journal.close();
      await journal.close();
      await expect(journal.head()).rejects.toThrow(/closed/);
    });
  });
}

export async function readAll(journal: Journal, fromSeq: number): Promise<JournalCommit[]> {
  const commits: JournalCommit[] = [];
  for await (const page of journal.read(fromSeq)) commits.push(...page.map(plain));
  return commits;
}

/** With records that are bytes and nothing more, to be compared. */
export function plain(commit: JournalCommit): JournalCommit {
  return { ...commit, records: new Uint8Array(commit.records) };
}

/** Commits that only look like a chain: a journal keeps them and does not judge them. */
export function chainOf(
  fromSeq: number,
  count: number,
  epoch: number,
  records = 1,
): JournalCommit[] {
  return Array.from({ length: count }, (_, index) => {
    const firstSeq = fromSeq + index * records;
    const seq = firstSeq + records - 1;
    return {
      firstSeq,
      seq,
      epoch,
      tsMs: 1_700_000_000_000 + seq,
      records: bytesOf(`${seq} `.repeat(records * 40)),
      prevHash: hexOf(firstSeq - 1),
      hash: hexOf(seq),
    };
  });
}

function hexOf(seq: number): string {
  return `a${seq}`.padEnd(64, '0');
}
