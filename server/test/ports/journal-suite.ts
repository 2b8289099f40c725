// What every journal must do, whatever it is kept in; each adapter's test runs this suite.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Journal, JournalConflict, type JournalRecord } from '../../src/ports/journal.ts';

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

    it('[P1] gives back every field of every record, after it was closed and opened too', async () => {
      const epoch = await journal.lead();
      const records = chainOf(1, 5, epoch);
      await journal.append(records.slice(0, 2), 1, epoch);
      await journal.append(records.slice(2), 3, epoch);
      expect(await readAll(journal, 1)).toEqual(records);
      await journal.close();
      journal = await harness.open();
      expect(await readAll(journal, 1)).toEqual(records);
      const { seq, hash, tsMs } = records[4]!;
      expect(await journal.head()).toEqual({ seq, hash, tsMs, epoch });
    });

    it('[P1] reads pages in order from any place, beyond one page', async () => {
      const epoch = await journal.lead();
      const records = chainOf(1, 1300, epoch);
      await journal.append(records, 1, epoch);
      expect(await readAll(journal, 1)).toEqual(records);
      expect((await readAll(journal, 700)).map(({ seq }) => seq)).toEqual(
        records.slice(699).map(({ seq }) => seq),
      );
      expect(await readAll(journal, 1301)).toEqual([]);
    });

    it('[P1] keeps text as it is: quotes, newlines, NUL, every plane', async () => {
      const epoch = await journal.lead();
      const body = '{"text":"\\u0000 \' \\" \u2028 é 中 🜁"}\n\t\u0000end';
      const record = { ...chainOf(1, 1, epoch)[0]!, body, requestId: 'ü🜁', actor: "a'b" };
      await journal.append([record], 1, epoch);
      expect(await readAll(journal, 1)).toEqual([record]);
    });

    it('[P7] each lead raises the epoch, across openings', async () => {
      const first = await journal.lead();
      await journal.close();
      journal = await harness.open();
      const second = await journal.lead();
      expect(second).toBeGreaterThan(first);
    });

    it('[P7] refuses an append at the wrong place and writes nothing of it', async () => {
      const epoch = await journal.lead();
      const records = chainOf(1, 4, epoch);
      await journal.append(records.slice(0, 2), 1, epoch);
      await expect(journal.append(records.slice(1, 3), 2, epoch)).rejects.toThrow(JournalConflict);
      await expect(journal.append(records.slice(3), 4, epoch)).rejects.toThrow(JournalConflict);
      expect(await readAll(journal, 1)).toEqual(records.slice(0, 2));
      await journal.append(records.slice(2), 3, epoch);
      expect(await readAll(journal, 1)).toEqual(records);
    });

    it('[P7] refuses whoever does not lead', async () => {
      const records = chainOf(1, 1, 1);
      await expect(journal.append(records, 1, 1)).rejects.toThrow(JournalConflict);
      const epoch = await journal.lead();
      await expect(journal.append(records, 1, epoch + 1)).rejects.toThrow(JournalConflict);
      await expect(journal.append(records, 1, epoch - 1)).rejects.toThrow(JournalConflict);
      expect(await readAll(journal, 1)).toEqual([]);
    });

    it('[P7] never lets two writers append', async () => {
      const epoch = await journal.lead();
      if (harness.secondWriter === 'excluded') {
        await expect(harness.open()).rejects.toThrow(JournalConflict);
        await journal.append(chainOf(1, 1, epoch), 1, epoch);
        return;
      }
      const second = await harness.open();
      const later = await second.lead();
      await expect(journal.append(chainOf(1, 1, epoch), 1, epoch)).rejects.toThrow(JournalConflict);
      await second.append(chainOf(1, 1, later), 1, later);
      expect((await readAll(second, 1)).map((record) => record.epoch)).toEqual([later]);
      await second.close();
    });

    it('[P1] closes twice without harm and refuses work afterwards', async () => {
      await journal.close();
      await journal.close();
      await expect(journal.head()).rejects.toThrow(/closed/);
    });
  });
}

export async function readAll(journal: Journal, fromSeq: number): Promise<JournalRecord[]> {
  const records: JournalRecord[] = [];
  for await (const page of journal.read(fromSeq)) records.push(...page);
  return records;
}

/** Records that only look like a chain: a journal keeps them and does not judge them. */
export function chainOf(fromSeq: number, count: number, epoch: number): JournalRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const seq = fromSeq + index;
    return {
      seq,
      epoch,
      tsMs: 1_700_000_000_000 + seq,
      type: 'tick',
      ver: 1,
      actor: 'system',
      requestId: `request ${seq}`,
      body: `{"seq":${seq}}`,
      outcomeHash: hex(seq, 'o'),
      prevHash: hex(seq - 1, 'h'),
      hash: hex(seq, 'h'),
    };
  });
}

function hex(seq: number, salt: string): string {
  return `${salt === 'h' ? 'a' : 'b'}${seq}`.padEnd(64, '0');
}
