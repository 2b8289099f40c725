// Databases as earlier builds wrote them, and as a later one might: what opens, and what is refused untouched.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PostgresServer } from '../../src/adapters/sql/postgres-server.ts';
import type { PlatformStore } from '../../src/ports/platform.ts';
import { openPlatform, openWebhooks } from '../../src/stores/open-stores.ts';
import { app } from '../ports/apps-suite.ts';
import { grant } from '../ports/grants-suite.ts';
import { user } from '../ports/platform-suite.ts';
import { openPostgresPlatform, openPostgresWebhooks, usePostgres } from './databases.ts';
import { readPlatform, readWebhooks, writePlatform, writeWebhooks } from './sample-records.ts';

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

/** Every table and index, however its SQL is spelled. */
function shapeOf(file: string): unknown {
  const database = new SqliteDatabase(file, { readonly: true });
  const names = database
    .prepare<[], { type: string; name: string }>(
      "SELECT type, name FROM sqlite_schema WHERE name NOT LIKE '%migration%' ORDER BY type, name",
    )
    .all();
  const shape = names.map(({ type, name }) => [
    type,
    name,
    database.pragma(type === 'table' ? `table_info(${name})` : `index_xinfo(${name})`),
    type === 'table' ? database.pragma(`foreign_key_list(${name})`) : null,
    type === 'table' ? database.pragma(`table_list(${name})`) : null,
  ]);
  database.close();
  return shape;
}

const digestsOf = (): string =>
  readdirSync(folder)
    .sort()
    .filter((name) => name.endsWith('.db'))
    .map((name) =>
      createHash('sha256')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex'),
    )
    .join(' ');

describe('[SD2] a data folder of an earlier build', () => {
  it('opens with every user, key, session, answer and incident', async () => {
    write('platform', 'platform.sql');
    for (let time = 1; time <= 2; time += 1) {
      const store = await openPlatform(folder);
      expect(await readPlatform(store)).toEqual(expected('platform'));
      await store.close();
    }
  });

  it('opens with every endpoint, delivery, attempt and cursor', async () => {
    write('webhooks', 'webhooks.sql');
    for (let time = 1; time <= 2; time += 1) {
      const store = await openWebhooks(folder);
      expect(await readWebhooks(store)).toEqual(expected('webhooks'));
      await store.close();
    }
  });

  it('is brought forward from where it stands', async () => {
    write('platform', 'platform-0003.sql');
    const store = await openPlatform(folder);
    expect(await store.userById('usr_old')).toMatchObject({
      email: 'Old@example.com',
      isDemo: false,
    });
    expect((await store.savedAnswer('scope', 'plain', 0))?.answer).toBe('{"data":{"note":"kept"}}');
    expect((await store.savedAnswer('scope', 'told', 0))?.answer).toBe('{"data":1}');
    expect(await store.incidents(0)).toEqual([]);
    await store.close();
  });

  it('[AT2] gives grants the cap that their app has, and builders the name of the approved application', async () => {
    // What these columns are for, taken away as a build of before knew nothing of it.
    const undone = (prefix: string) => `
      alter table ${prefix}grants drop column fee_cap_bps;
      alter table ${prefix}builders drop column approved_name;
      delete from ${prefix}kysely_migration where name >= '0025'`;
    const first = await openPlatform(folder);
    await writeAgreed(first);
    await first.close();
    const database = new SqliteDatabase(path.join(folder, 'platform.db'));
    database.exec(undone(''));
    database.close();
    rmSync(path.join(folder, 'platform.db-sums'), { force: true });
    const again = await openPlatform(folder);
    await expectAgreed(again);
    await again.close();
    const url = await postgres.create();
    const server = await PostgresServer.connect(url);
    await writeAgreed(await openPostgresPlatform(server));
    await postgres.query(url, undone('sibyl_platform.'));
    await expectAgreed(await openPostgresPlatform(server));
    await server.close();
  });

  async function writeAgreed(store: PlatformStore): Promise<void> {
    for (const name of ['ada', 'bob']) await store.addUser(user(name));
    await store.apps.add(app('a', { feeCapBps: 40 }), 1);
    const trade = { scopes: ['account:read', 'orders:trade'] };
    await store.grants.add(grant('trades', trade), null, 9);
    await store.grants.add(grant('reads', { scopes: ['account:read'] }), null, 9);
    const delegated = { kind: 'delegation', appId: null, partnerId: 'usr_bob' } as const;
    await store.grants.add(grant('partner', { ...trade, ...delegated }), null, 9);
    const asked = { website: null, about: 'A desk.', agreementVersion: '1', atMs: 1 };
    const change = { actor: 'opr_1', reason: 'ticket 1', atMs: 2 };
    const decision = { change, agreedRate: null, note: null, cohortMax: 9 };
    for (const userId of ['usr_ada', 'usr_bob']) {
      await store.builders.apply({ ...asked, userId, track: 'partner', name: 'Desk Ltd' });
      await store.builders.approve({ ...decision, userId });
    }
    const later = { track: 'institutional', name: 'A bank' } as const;
    await store.builders.apply({ ...asked, ...later, userId: 'usr_bob' });
  }

  async function expectAgreed({ grants, builders }: PlatformStore): Promise<void> {
    const caps = ['trades', 'reads', 'partner'].map(
      async (name) => (await grants.grantById(`grt_${name}`))?.feeCapBps,
    );
    expect(await Promise.all(caps)).toEqual([40, 0, 0]);
    const names = ['usr_ada', 'usr_bob'].map(async (id) => (await builders.of(id))?.approvedName);
    // Of the second nobody knows any more what was approved: its name is the one that is in review.
    expect(await Promise.all(names)).toEqual(['Desk Ltd', null]);
  }

  it('has the tables and indexes that a new one gets', async () => {
    const both = [openPlatform, openWebhooks];
    const written = [write('platform', 'platform.sql'), write('webhooks', 'webhooks.sql')];
    for (const open of both) await (await open(folder)).close();
    const earlier = written.map(shapeOf);
    rmSync(folder, { recursive: true });
    folder = mkdtempSync(path.join(tmpdir(), 'sibyl-earlier-'));
    for (const open of both) await (await open(folder)).close();
    const files = ['platform.db', 'webhooks.db'].map((name) => path.join(folder, name));
    expect(files.map(shapeOf)).toEqual(earlier);
  });

  it('says the same as PostgreSQL of the same records', async () => {
    const server = await PostgresServer.connect(await postgres.create());
    const platform = await openPostgresPlatform(server);
    await writePlatform(platform);
    expect(await readPlatform(platform)).toEqual(expected('platform'));
    const webhooks = await openPostgresWebhooks(server);
    await writeWebhooks(webhooks);
    expect(await readWebhooks(webhooks)).toEqual(expected('webhooks'));
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
    expect(digestsOf()).toBe(before);
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
    const again = await openPlatform(folder);
    expect(await again.setting('a')).toBe('b');
    await again.close();
  });
});
