import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainOf, describeJournal, plain, readAll } from '../../../test/journal-suite.ts';
import { sealCommit } from '../chain.ts';
import {
  type Journal,
  type JournalCommit,
  JournalConflict,
  JournalCorrupt,
  JournalFailed,
  JournalFull,
} from '../journal.ts';
import { DirectJournal } from './direct-journal.ts';
import { JournalFile, type JournalFileOptions } from './journal-file.ts';
import { SqliteJournal } from './sqlite-journal.ts';

const RESERVE_BYTES = 64 << 10;
/** Every commit is slow, and one is enough. */
const SLOW_AT_ONCE = { quickMs: Number.MIN_VALUE, slowMax: 1 };

describeSqlite('that moves to the serving thread', (options) => SqliteJournal.open(options));

describeSqlite('that finds every disk slow', (options) =>
  SqliteJournal.open({ ...options, ...SLOW_AT_ONCE }),
);

describeSqlite('on its own thread', (options) => SqliteJournal.open({ ...options, quickMs: 0 }));

describeSqlite('in the same thread', async (options) => DirectJournal.open(options));

function describeSqlite(
  name: string,
  open: (options: JournalFileOptions) => Promise<Journal>,
): void {
  describeJournal(`SQLite ${name}`, async () => {
    const directory = mkdtempSync(path.join(tmpdir(), 'sibyl-journal-'));
    const options = { file: path.join(directory, 'journal.db'), reserveBytes: RESERVE_BYTES };
    return {
      open: () => open(options),
      dispose: async () => rmSync(directory, { recursive: true }),
      secondWriter: 'excluded',
    };
  });
}

describe('journal on the move', () => {
  let directory: string;
  let file: string;
  let journal: SqliteJournal;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'sibyl-journal-'));
    file = path.join(directory, 'journal.db');
  });

  afterEach(async () => {
    await journal.close();
    rmSync(directory, { recursive: true });
  });

  it.each([
    ['to the serving thread', {}],
    ['there and back', SLOW_AT_ONCE],
  ])(
    '[P1] %s: whoever reads meanwhile misses nothing and gets nothing twice',
    async (_, patience) => {
      const options = { file, reserveBytes: RESERVE_BYTES, ...patience };
      const before = DirectJournal.open(options);
      const first = await before.lead();
      const commits = chainOf(1, 300, first, 7);
      for (const commit of commits.slice(0, 290)) await before.append(commit, first);
      await before.close();
      journal = await SqliteJournal.open(options);
      const epoch = await journal.lead();
      const rest = commits.slice(290).map((commit) => ({ ...commit, epoch }));
      const seen: JournalCommit[] = [];
      for await (const page of journal.read(1)) {
        seen.push(...page);
        // Not awaited: it moves under the reader.
        const commit = rest.shift();
        if (commit !== undefined) void journal.append(commit, epoch);
      }
      while (rest.length > 0) await journal.append(rest.shift()!, epoch);
      const last = seen[seen.length - 1]!.seq;
      for await (const page of journal.read(last + 1)) seen.push(...page);
      expect(seen.map(({ seq }) => seq)).toEqual(commits.map(({ seq }) => seq));
    },
  );

  it('[P1] is on the serving thread while commits are small and quick', async () => {
    journal = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES, quickMs: 60_000 });
    const epoch = await journal.lead();
    expect(journal.hasThread).toBe(true);
    const [first, second, third, fourth] = chainOf(1, 4, epoch, 2);
    await journal.append(first!, epoch);
    await journal.append(second!, epoch);
    expect(journal.hasThread).toBe(false);
    await journal.append({ ...third!, records: new Uint8Array(9 << 20).fill(120) }, epoch);
    await journal.append(fourth!, epoch);
    expect(journal.hasThread).toBe(true);
    expect((await readAll(journal, 1)).map(({ seq }) => seq)).toEqual([2, 4, 6, 8]);
  });

  it('[P1] of a backup never comes to the serving thread', async () => {
    journal = await SqliteJournal.openDraft(file);
    const epoch = await journal.lead();
    for (const commit of chainOf(1, 4, epoch, 2)) await journal.append(commit, epoch);
    expect(journal.hasThread).toBe(true);
  });

  it('[P1] stays on the serving thread until slow commits are many more than quick ones', async () => {
    const patience = { quickMs: Number.MIN_VALUE, slowMax: 3 };
    journal = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES, ...patience });
    const epoch = await journal.lead();
    const threads: boolean[] = [];
    // The first one moves it, those after it count.
    for (const commit of chainOf(1, 5, epoch, 1)) {
      await journal.append(commit, epoch);
      threads.push(journal.hasThread);
    }
    expect(threads).toEqual([false, false, false, false, true]);
  });

  it('[P1] moves once when several slow commits come together, as in a copy', async () => {
    journal = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES, ...SLOW_AT_ONCE });
    const epoch = await journal.lead();
    const [first, ...rest] = chainOf(1, 6, epoch, 2);
    await journal.append(first!, epoch);
    await Promise.all(rest.map((commit) => journal.append(commit, epoch)));
    expect((await readAll(journal, 1)).map(({ seq }) => seq)).toEqual([2, 4, 6, 8, 10, 12]);
    expect(journal.hasThread).toBe(true);
  });

  it('[P1] reports on what it was told to keep back, wherever it is', async () => {
    journal = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES });
    const epoch = await journal.lead();
    expect(journal.isOnReserve).toBe(false);
    await journal.append(chainOf(1, 1, epoch)[0]!, epoch);
    expect(journal.isOnReserve).toBe(false);
    expect(await journal.refillReserve()).toBe(true);
  });

  it('[P6] that cannot be opened again says why, answers nobody, and closes', async () => {
    journal = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES });
    const epoch = await journal.lead();
    const [commit] = chainOf(1, 1, epoch);
    writeFileSync(`${file}-head`, 'head');
    await expect(journal.append(commit!, epoch)).rejects.toThrow(/damaged/);
    await expect(journal.append(commit!, epoch)).rejects.toThrow(/damaged/);
    await expect(journal.head()).rejects.toThrow(/damaged/);
    await journal.close();
    rmSync(`${file}-head`);
    journal = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES });
    expect(await readAll(journal, 1)).toEqual([]);
  });
});

describe('journal file', () => {
  let directory: string;
  let file: string;
  const open = (): JournalFile => new JournalFile({ file, reserveBytes: RESERVE_BYTES });
  const rows = (from: number, count: number) => chainOf(from, 1, 1, count)[0]!;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'sibyl-journal-'));
    file = path.join(directory, 'deep', 'er', 'journal.db');
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  it('[P1] syncs every commit, alone, without shared memory, in files that are nobody else’s', () => {
    const journal = open();
    journal.append(rows(1, 3), journal.lead());
    const pragma = (name: string): unknown => journal.database.pragma(name, { simple: true });
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('locking_mode')).toBe('exclusive');
    expect(pragma('wal_autocheckpoint')).toBe(0);
    expect(readdirSync(path.dirname(file)).sort()).toEqual([
      'journal.db',
      'journal.db-head',
      'journal.db-reserve',
      'journal.db-sums',
      'journal.db-wal',
    ]);
    expect(() =>
      new SqliteDatabase(file, { timeout: 0 }).prepare('SELECT 1 FROM batch').get(),
    ).toThrow(/locked/);
    for (const name of readdirSync(path.dirname(file))) {
      expect(statSync(path.join(path.dirname(file), name)).mode & 0o077).toBe(0);
    }
    journal.close();
  });

  it('[P7] a lead that was taken over is not gone on with', () => {
    const first = open();
    const epoch = first.lead();
    first.close();
    const second = open();
    second.resume(epoch);
    second.append(rows(1, 3), epoch);
    second.lead();
    second.close();
    const third = open();
    expect(() => third.resume(epoch)).toThrow(JournalConflict);
    expect(() => third.append(rows(4, 3), epoch)).toThrow(JournalConflict);
    third.close();
  });

  it('[P6] a full disk costs the reserve first, then says so and stays readable', () => {
    const journal = open();
    const epoch = journal.lead();
    journal.append(rows(1, 10), epoch);
    expect(journal.isOnReserve).toBe(false);
    const pages = Number(journal.database.pragma('page_count', { simple: true }));
    journal.database.pragma(`max_page_count = ${pages}`);
    expect(() => journal.append(rows(11, 200), epoch)).toThrow(JournalFull);
    expect(journal.isOnReserve).toBe(true);
    expect(journal.head().seq).toBe(10);
    expect(journal.page(1, 1000).map(plain)).toEqual([rows(1, 10)]);
    journal.database.pragma('max_page_count = 100000');
    journal.append(rows(11, 200), epoch);
    expect(journal.refillReserve()).toBe(true);
    expect(journal.isOnReserve).toBe(false);
    journal.close();
  });

  it('[P6] after any other error nothing is appended any more', () => {
    const journal = open();
    const epoch = journal.lead();
    journal.append(rows(1, 1), epoch);
    journal.database.exec(
      "CREATE TRIGGER broken BEFORE INSERT ON batch BEGIN SELECT RAISE(ABORT, 'broken'); END",
    );
    expect(() => journal.append(rows(2, 1), epoch)).toThrow(JournalFailed);
    journal.database.exec('DROP TRIGGER broken');
    expect(() => journal.append(rows(2, 1), epoch)).toThrow(/failed before: broken/);
    expect(() => journal.lead()).toThrow(JournalFailed);
    journal.close();
  });

  it('[P6] a log that cannot be moved takes back no commit, and ends all later ones', async () => {
    const kept = new JournalFile({ file, reserveBytes: RESERVE_BYTES, checkpointPages: 1 });
    const journal = new DirectJournal(kept);
    const epoch = await journal.lead();
    kept.database.pragma = () => {
      throw new Error('broken');
    };
    await journal.append(rows(1, 3), epoch);
    await expect(journal.append(rows(4, 3), epoch)).rejects.toThrow(/failed before: broken/);
    expect((await journal.head()).seq).toBe(3);
    await journal.close();
  });

  it('[P5] a journal that lost its end is refused, and so is a witness that was damaged', () => {
    const journal = open();
    const epoch = journal.lead();
    journal.append(rows(1, 15), epoch);
    journal.append(rows(16, 5), epoch);
    journal.close();
    const thief = new SqliteDatabase(file);
    thief.exec('DELETE FROM batch WHERE last_seq > 15');
    thief.close();
    expect(open).toThrow(/not as written/);
    rmSync(`${file}-sums`);
    expect(open).toThrow(JournalCorrupt);
    expect(open).toThrow(/record 20 was durable once, but the journal ends at 15/);
    writeFileSync(`${file}-head`, 'head');
    expect(open).toThrow(/damaged/);
    rmSync(`${file}-head`);
    const reopened = open();
    expect(reopened.head().seq).toBe(15);
    reopened.close();
  });

  it('[P5] every record is checked when no sums cover what SQLite moved on its own', () => {
    const journal = open();
    const epoch = journal.lead();
    for (let seq = 5; seq <= 30; seq += 5) {
      const records = new TextEncoder().encode('x'.repeat(700));
      journal.append(sealCommit({ seq, epoch, tsMs: seq, records }, journal.head()), epoch);
    }
    // What better-sqlite3 does when its thread ends.
    journal.database.close();
    const before = readFileSync(file);
    const sums = readFileSync(`${file}-sums`);
    const again = open();
    expect(again.warning).toContain('was not closed properly');
    expect(again.head().seq).toBe(30);
    again.close();
    writeFileSync(file, before);
    writeFileSync(`${file}-sums`, sums);
    const thief = new SqliteDatabase(file);
    thief.exec('UPDATE batch SET ts_ms = ts_ms + 1 WHERE first_seq = 11');
    thief.close();
    expect(open).toThrow(/records? 11.* altered/);
  });

  it('[P5] an index that leads back is refused, instead of being followed for ever', () => {
    const journal = open();
    const epoch = journal.lead();
    for (const commit of chainOf(1, 300, epoch, 5)) journal.append(commit, epoch);
    const pageSize = Number(journal.database.pragma('page_size', { simple: true }));
    const { rootpage } = journal.database
      .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'batch'")
      .get() as Numbers;
    journal.database.pragma('wal_checkpoint(TRUNCATE)');
    journal.close();
    const bytes = readFileSync(file);
    const { before, key } = misleadRoot(bytes, (rootpage! - 1) * pageSize);
    writeFileSync(file, bytes);
    rmSync(`${file}-sums`);
    const damaged = open();
    expect(damaged.page(1, before - 1).length).toBeGreaterThan(0);
    expect(() => damaged.page(key - 1, 1000)).toThrow(JournalCorrupt);
    damaged.close();
  });

  it('[P1] the log is moved into the main file as it grows', () => {
    const journal = new JournalFile({ file, reserveBytes: RESERVE_BYTES, checkpointPages: 20 });
    const epoch = journal.lead();
    for (let seq = 1; seq <= 400; seq++) {
      journal.append(rows(seq, 1), epoch);
      journal.tidy();
    }
    expect(statSync(`${file}-wal`).size).toBeLessThan(40 * 4200);
    expect(statSync(file).size).toBeGreaterThan(100_000);
    journal.close();
  });

  it('[P7] a second process is told that the file is taken', async () => {
    const journal = open();
    expect(open).toThrow(JournalConflict);
    journal.close();
    const again = await SqliteJournal.open({ file, reserveBytes: RESERVE_BYTES });
    expect(await readAll(again, 1)).toEqual([]);
    await again.close();
  });
});

type Numbers = Readonly<Record<string, number>>;

const INTERIOR_TABLE = 5;
const FIRST_POINTER = 12;

/**
 * Gives a cell in the middle of the root page the key of the next one: what lies between is sought before the leaf that
 * has it. The keys are two bytes long.
 */
function misleadRoot(bytes: Buffer, page: number): { before: number; key: number } {
  expect(bytes[page]).toBe(INTERIOR_TABLE);
  const cells = bytes.readUInt16BE(page + 3);
  const keyAt = (cell: number): number =>
    page + bytes.readUInt16BE(page + FIRST_POINTER + 2 * cell) + 4;
  const keyOf = (cell: number): number =>
    ((bytes[keyAt(cell)]! & 127) << 7) | (bytes[keyAt(cell) + 1]! & 127);
  const middle = cells >> 1;
  const before = keyOf(middle);
  bytes.copy(bytes, keyAt(middle), keyAt(middle + 1), keyAt(middle + 1) + 2);
  return { before, key: keyOf(middle) };
}
