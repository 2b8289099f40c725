import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FileInUse, PageSums, PagesDamaged } from '@sibyl/storage';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlatform } from '../../src/stores/open-stores.ts';
import { flip } from '../faults/flip-regions.ts';
import { user } from '../ports/platform-suite.ts';

let parent: string;
let file: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'page-sums-'));
  file = path.join(parent, 'data', 'some.db');
  mkdirSync(path.dirname(file));
});

afterEach(() => rmSync(parent, { recursive: true, force: true }));

function open(): { readonly database: Database; readonly sums: PageSums } {
  const sums = new PageSums({ file });
  const database = new SqliteDatabase(file, { timeout: 100 });
  database.pragma('locking_mode = EXCLUSIVE');
  database.pragma('journal_mode = WAL');
  database.pragma('wal_autocheckpoint = 0');
  sums.begin(database);
  database.exec('CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, b TEXT)');
  sums.settle(database);
  return { database, sums };
}

function add({ database, sums }: ReturnType<typeof open>, count: number, isDurable = true): void {
  const insert = database.prepare('INSERT INTO t (b) VALUES (?)');
  for (let index = 0; index < count; index += 1) {
    sums.ready(database);
    sums.commit(database, () => insert.run('x'.repeat(700)), isDurable);
  }
}

/** The files as they are now, in another folder: what a kill at this moment leaves. */
function killed(): void {
  const copy = path.join(parent, 'killed');
  cpSync(path.dirname(file), copy, { recursive: true });
  file = path.join(copy, 'some.db');
}

function rows(): number {
  const { database, sums } = open();
  const count = database.prepare<[], number>('SELECT count(*) FROM t').pluck().get();
  sums.close(database);
  return count ?? 0;
}

describe('[DB7] sums of pages are true after a kill', () => {
  it('while commits are in the log', () => {
    const opened = open();
    const { database, sums } = opened;
    add(opened, 30);
    killed();
    sums.close(database);
    expect(rows()).toBe(30);
    expect(rows()).toBe(30);
  });

  it('between the move of the log and the sums', () => {
    const opened = open();
    const { database, sums } = opened;
    add(opened, 30);
    database.pragma('wal_checkpoint(PASSIVE)');
    killed();
    sums.close(database);
    expect(rows()).toBe(30);
  });

  it('after the sums, before the log begins anew', () => {
    const opened = open();
    const { database, sums } = opened;
    add(opened, 30);
    sums.settle(database);
    killed();
    sums.close(database);
    expect(rows()).toBe(30);
  });

  it('after a synced commit without a frame, when the log has begun anew', () => {
    const opened = open();
    const { database, sums } = opened;
    add(opened, 30);
    sums.settle(database);
    sums.ready(database);
    sums.commit(database, () => database.exec('BEGIN IMMEDIATE; COMMIT'), true);
    add(opened, 3, false);
    killed();
    sums.close(database);
    expect(rows()).toBe(33);
  });

  it('when the log has begun anew', () => {
    const opened = open();
    const { database, sums } = opened;
    add(opened, 30);
    sums.settle(database);
    add(opened, 3);
    killed();
    sums.close(database);
    expect(rows()).toBe(33);
  });
});

it('[DB5] a log that was moved and then damaged does not bring back older pages', () => {
  const opened = open();
  const { database, sums } = opened;
  add(opened, 30);
  sums.settle(database);
  killed();
  sums.close(database);
  const middle = 32 + 20 * (24 + 4096) + 100;
  flip({ file: `${file}-wal`, offset: middle, bit: 1 });
  expect(open).toThrow('some.db-wal is damaged');
});

describe('[DB16] a log that SQLite moved when a process ended without closing the file', () => {
  function leave(): void {
    const opened = open();
    add(opened, 30);
    // What better-sqlite3 does when its thread ends.
    opened.database.close();
    opened.sums.leave();
  }

  it('is no damage: SQLite checks the file, and its sums are made anew with a warning', () => {
    leave();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const { database, sums } = open();
    expect(sums.warning).toContain('data/some.db was not closed properly');
    sums.close(database);
    expect(new PageSums({ file }).warning).toBeNull();
    expect(rows()).toBe(30);
  });

  it('is checked: a page that SQLite cannot read is damage', () => {
    leave();
    flip({ file, offset: 2 * 4096 + 1, bit: 7 });
    expect(open).toThrow(PagesDamaged);
  });

  it('gives the same warning until a start has written the sums', () => {
    leave();
    expect(new PageSums({ file }).warning).not.toBeNull();
    expect(new PageSums({ file }).warning).not.toBeNull();
    expect(rows()).toBe(30);
    expect(new PageSums({ file }).warning).toBeNull();
  });
});

it('[DB5] a log that was removed with durable commits in it is damaged', () => {
  const opened = open();
  add(opened, 30);
  killed();
  opened.sums.close(opened.database);
  rmSync(`${file}-wal`);
  expect(open).toThrow('some.db-wal is damaged');
});

it('[DB4] a file without sums is taken as it is, and watched from then on', () => {
  const opened = open();
  const { database, sums } = opened;
  add(opened, 30);
  sums.close(database);
  rmSync(`${file}-sums`);
  expect(rows()).toBe(30);
  flip({ file, offset: 3 * 4096 - 7, bit: 0 });
  expect(open).toThrow(PagesDamaged);
});

it('[DB4] a file that became shorter or longer is damaged', () => {
  const opened = open();
  const { database, sums } = opened;
  add(opened, 30);
  sums.close(database);
  const { size } = statSync(file);
  truncateSync(file, size - 1);
  expect(() => new PageSums({ file })).toThrow('some.db is damaged');
  truncateSync(file, size - 4096);
  expect(() => new PageSums({ file })).toThrow(`page ${size / 4096} not as written`);
  truncateSync(file, size + 4096);
  expect(() => new PageSums({ file })).toThrow('some.db is damaged');
});

it('[DB15] a file that another process closed just before it was opened is said to be in use', () => {
  const opened = open();
  const { database, sums } = opened;
  add(opened, 30);
  const late = new PageSums({ file });
  sums.close(database);
  const free = new SqliteDatabase(file);
  expect(() => late.begin(free)).toThrow(FileInUse);
  free.close();
  expect(rows()).toBe(30);
});

it('[DB4] a file that another process writes is said to be in use, not damaged', async () => {
  const opened = open();
  const { database, sums } = opened;
  add(opened, 5);
  sums.close(database);
  const program = `
    import SqliteDatabase from 'better-sqlite3';
    const database = new SqliteDatabase(process.argv[1]);
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec("INSERT INTO t (b) VALUES ('y')");
    database.pragma('wal_checkpoint(TRUNCATE)');
    console.log('open');
    process.stdin.resume();
  `;
  const args = ['--input-type=module', '-e', program, file];
  const other = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: 'pipe' });
  try {
    await once(other.stdout, 'data');
    expect(open).toThrow('database is locked');
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
});

it('[DB8] a copy for a backup has sums of its own', async () => {
  const folder = path.dirname(file);
  const store = await openPlatform(folder);
  for (let index = 0; index < 20; index += 1) await store.addUser(user(`${index}`));
  const copies = mkdtempSync(path.join(parent, 'backup-'));
  const copy = path.join(copies, 'platform.db');
  await store.copyTo(copy);
  await store.close();
  flip({ file: copy, offset: 2 * 4096 - 3, bit: 6 });
  await expect(openPlatform(copies)).rejects.toThrow('platform.db is damaged: page 2');
  flip({ file: copy, offset: 2 * 4096 - 3, bit: 6 });
  const opened = await openPlatform(copies);
  expect((await opened.userById('usr_7'))?.email).toBe('7@example.com');
  await opened.close();
});
