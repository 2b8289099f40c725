import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EarlierBuild } from './earlier-build.ts';
import { migrate, requireBaseline } from './migrate.ts';

const FIRST = 'CREATE TABLE first (id INTEGER) STRICT;';

describe('migrations', () => {
  let folder: string;
  let database: Database;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sibyl-migrate-'));
    database = new SqliteDatabase(':memory:');
    write('0001_first.sql', FIRST);
    write(
      '0002_second.sql',
      'CREATE TABLE second (id INTEGER) STRICT; INSERT INTO second VALUES (1);',
    );
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const write = (name: string, sql: string): void => writeFileSync(path.join(folder, name), sql);
  const contents = (): unknown[] =>
    readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]);
  const tables = (): unknown[] =>
    database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();

  it('[MG1] applies each file once, in order', () => {
    migrate(database, folder);
    migrate(database, folder);
    expect(tables()).toEqual(['first', 'migration', 'second']);
    expect(database.prepare('SELECT count(*) FROM second').pluck().get()).toBe(1);
    write('0003_third.sql', 'ALTER TABLE first ADD COLUMN name TEXT;');
    migrate(database, folder);
    expect(database.prepare('SELECT count(*) FROM migration').pluck().get()).toBe(3);
  });

  it('[MG2] changes nothing at all when one of several fails', () => {
    write('0003_third.sql', 'CREATE TABLE third (id INTEGER); CREATE TABLE first (id INTEGER);');
    expect(() => migrate(database, folder)).toThrow(/already exists/);
    expect(tables()).toEqual([]);
  });

  it('[MG3] refuses a file that was changed, a gap, and a database from a newer program', () => {
    migrate(database, folder);
    write('0002_second.sql', 'CREATE TABLE second (id TEXT) STRICT;');
    expect(() => migrate(database, folder)).toThrow(/0002_second.sql was changed after/);
    rmSync(path.join(folder, '0002_second.sql'));
    expect(() => migrate(database, folder)).toThrow(
      /newer program: it has migration 0002_second.sql/,
    );
    write('0003_third.sql', '');
    expect(() => migrate(database, folder)).toThrow(/without gaps/);
  });

  it('[MG4] refuses a file with another baseline as one of an earlier build', () => {
    migrate(database, folder);
    write('0001_first.sql', 'CREATE TABLE first (id TEXT) STRICT;');
    expect(() => migrate(database, folder)).toThrow(EarlierBuild);
    expect(tables()).toEqual(['first', 'migration', 'second']);
    rmSync(path.join(folder, '0001_first.sql'));
    write('0001_baseline.sql', FIRST);
    expect(() => migrate(database, folder)).toThrow(/run the build that wrote it/);
  });

  it('[MG4] finds another baseline by a look that leaves the file and its log as they are', () => {
    const file = path.join(folder, 'some.db');
    const earlier = new SqliteDatabase(file);
    earlier.pragma('journal_mode = WAL');
    migrate(earlier, folder);
    const log = readFileSync(`${file}-wal`);
    earlier.close();
    for (const left of [log, null]) {
      if (left !== null) writeFileSync(`${file}-wal`, left);
      const before = contents();
      requireBaseline(file, folder);
      write('0001_first.sql', 'CREATE TABLE first (id TEXT) STRICT;');
      expect(() => requireBaseline(file, folder)).toThrow(EarlierBuild);
      write('0001_first.sql', FIRST);
      expect(contents()).toEqual(before);
      rmSync(`${file}-wal`, { force: true });
    }
  });
});
