// Databases of earlier and of later builds are refused untouched; records outlive their connection.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PostgresServer } from '../../src/adapters/sql/postgres-server.ts';
import { openPlatform, openWebhooks } from '../../src/stores/open-stores.ts';
import { openPostgresPlatform, openPostgresWebhooks, usePostgres } from './databases.ts';
import {
  keepRecords,
  readPlatform,
  readWebhooks,
  writePlatform,
  writeWebhooks,
} from './sample-records.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const postgres = usePostgres();

const text = (name: string): string => readFileSync(path.join(FIXTURES, name), 'utf8');
const expected = (name: string): unknown => JSON.parse(text(`${name}.json`));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sibyl-earlier-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A file as the build of that day left it. */
function write(name: 'platform' | 'webhooks', dump: string): string {
  const file = path.join(folder, `${name}.db`);
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  database.exec(text(dump));
  database.close();
  return file;
}

/** A crash of that build: its last commits are in the log. */
function crash(file: string): void {
  const database = new SqliteDatabase(file);
  database.pragma('wal_autocheckpoint = 0');
  database.exec('CREATE TABLE later (a TEXT)');
  const log = readFileSync(`${file}-wal`);
  database.close();
  writeFileSync(`${file}-wal`, log);
}

const digestsOf = (): readonly string[] =>
  readdirSync(folder)
    .sort()
    .map((name) => {
      const digest = createHash('sha256').update(readFileSync(path.join(folder, name)));
      return `${name} ${digest.digest('hex')}`;
    });

describe('[SD2] a database of an earlier build', () => {
  const EARLIER = /was written by an earlier build, which this one cannot read: run the build that/;

  it('is refused as such in a file, which stays as it is, and its log', async () => {
    crash(write('platform', 'platform.sql'));
    write('webhooks', 'webhooks.sql');
    const before = digestsOf();
    await expect(openPlatform(folder)).rejects.toThrow(EARLIER);
    await expect(openWebhooks(folder)).rejects.toThrow(EARLIER);
    expect(digestsOf()).toEqual(before);
  });

  it('is refused as such in PostgreSQL', async () => {
    const url = await postgres.create();
    const server = await PostgresServer.connect(url);
    await openPostgresWebhooks(server);
    await postgres.query(
      url,
      "update sibyl_webhooks.kysely_migration set name = '0001_baseline_000000000000'",
    );
    await expect(openPostgresWebhooks(server)).rejects.toThrow(EARLIER);
    await server.close();
  });

  it('is not what a start leaves that was killed before its tables were made', async () => {
    const database = new SqliteDatabase(path.join(folder, 'platform.db'));
    database.exec('create table kysely_migration (name varchar(255), timestamp varchar(255))');
    database.close();
    const store = await openPlatform(folder);
    await store.putSetting('a', 'b');
    expect(await store.setting('a')).toBe('b');
    await store.close();
  });
});

describe('[SD1] the same records', () => {
  it('are the same in a file after it was closed, and in PostgreSQL', async () => {
    await keepRecords(await openPlatform(folder), await openWebhooks(folder));
    const [platform, webhooks] = [await openPlatform(folder), await openWebhooks(folder)];
    expect(await readPlatform(platform)).toEqual(expected('platform'));
    expect(await readWebhooks(webhooks)).toEqual(expected('webhooks'));
    for (const store of [platform, webhooks]) await store.close();
    const server = await PostgresServer.connect(await postgres.create());
    const other = await openPostgresPlatform(server);
    await writePlatform(other);
    expect(await readPlatform(other)).toEqual(expected('platform'));
    const others = await openPostgresWebhooks(server);
    await writeWebhooks(others);
    expect(await readWebhooks(others)).toEqual(expected('webhooks'));
    await server.close();
  });
});

describe('[SD3] a database of a newer build', () => {
  const NEWER = "insert into kysely_migration (name, timestamp) values ('0099_later', 'x')";

  it('is refused in a file, which stays as it is', async () => {
    await (await openPlatform(folder)).close();
    const database = new SqliteDatabase(path.join(folder, 'platform.db'));
    database.exec(NEWER);
    database.close();
    rmSync(path.join(folder, 'platform.db-sums'), { force: true });
    const before = digestsOf();
    await expect(openPlatform(folder)).rejects.toThrow(
      'the platform database was written by a newer build: it has the migration 0099_later',
    );
    expect(digestsOf()).toEqual(before);
  });

  it('is refused in PostgreSQL', async () => {
    const url = await postgres.create();
    const server = await PostgresServer.connect(url);
    await openPostgresWebhooks(server);
    await postgres.query(url, NEWER.replace('kysely_', 'sibyl_webhooks.kysely_'));
    await expect(openPostgresWebhooks(server)).rejects.toThrow(
      'the webhooks database was written by a newer build',
    );
    await server.close();
  });

  it('[RE4] a second process is kept out of a file', async () => {
    const store = await openPlatform(folder);
    await expect(openPlatform(folder)).rejects.toThrow(/locked/);
    await store.putSetting('a', 'b');
    await store.close();
    // Closed without a question too.
    await (await openPlatform(folder)).close();
    const again = await openPlatform(folder);
    expect(await again.setting('a')).toBe('b');
    await again.close();
  });
});
