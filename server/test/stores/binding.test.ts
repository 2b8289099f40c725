// A data folder and the database that keeps its users: how one is moved to the other, and what is refused.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeyedSecrets } from '../../src/adapters/node/secrets.ts';
import { boot } from '../../src/boot.ts';
import { silentLog } from '../../src/gateway/log.ts';
import { readConfig } from '../../src/settings/config.ts';
import { openPlatform, openWebhooks } from '../../src/stores/open-stores.ts';
import { PostgresRecords } from '../../src/stores/postgres-records.ts';
import { findRecords } from '../../src/stores/records.ts';
import { delivery } from '../ports/webhooks-suite.ts';
import { PASSWORD, usePostgres } from './databases.ts';
import { keepRecords, readPlatform, readWebhooks } from './sample-records.ts';

const FIXTURES = path.join(import.meta.dirname, 'fixtures');
const postgres = usePostgres();
const secrets = new KeyedSecrets(randomBytes(32));

let parent: string;
let folder: string;
let open: PostgresRecords[];

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'sibyl-binding-'));
  folder = mkdtempSync(path.join(parent, 'data-'));
  open = [];
});
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
  rmSync(parent, { recursive: true, force: true });
});

const expected = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8'));

/** Gives a folder users and webhooks, as a server without DATABASE_URL leaves them. */
async function fill(at = folder): Promise<void> {
  await keepRecords(await openPlatform(at), await openWebhooks(at));
}

async function database(url: string): Promise<PostgresRecords> {
  for (const other of open.splice(0)) await other.close();
  const opened = await PostgresRecords.open(url);
  open.push(opened);
  return opened;
}

describe('[SD8] a data folder and a database', () => {
  it('a new database takes over what the folder has, every record of it', async () => {
    await fill();
    const url = await postgres.create();
    const moved = await database(url);
    expect(await moved.belongTo(folder, secrets)).toBe('taken over');
    expect(await readPlatform(moved.platform)).toEqual(expected('platform'));
    expect(await readWebhooks(moved.webhooks)).toEqual(expected('webhooks'));
    expect(readdirSync(folder).sort()).toEqual([
      'platform.db.moved',
      'platform.postgres',
      'webhooks.db.moved',
    ]);
    const again = await database(url);
    expect(await again.belongTo(folder, secrets)).toBe('known');
    // What counts up by itself goes on behind what was there.
    await again.webhooks.add([delivery('9', 'wh_a', 'z')], 500);
    const before = await again.webhooks.delivery('dlv_r');
    const after = await again.webhooks.delivery('dlv_9');
    expect(after!.position).toBe(before!.position + 1);
    await again.platform.setUserTier('usr_bob', 'self_serve', {
      actor: 'ops',
      reason: 'r',
      atMs: 1,
    });
    expect(await again.platform.tierChanges('usr_bob')).toHaveLength(2);
  });

  it('a move that was cut off is done again, or finished', async () => {
    await fill();
    const url = await postgres.create();
    const first = await database(url);
    await first.belongTo(folder, secrets);
    await first.platform.putSetting('kept', 'yes');
    // The database had everything, and the files had their names still.
    await fill();
    const second = await database(url);
    expect(await second.belongTo(folder, secrets)).toBe('known');
    expect(await second.platform.setting('kept')).toBe('yes');
    expect(existsSync(path.join(folder, 'platform.db'))).toBe(false);
    // It had only a part.
    await fill();
    await postgres.query(url, "delete from sibyl_platform.settings where name = 'data_folder'");
    const third = await database(url);
    expect(await third.belongTo(folder, secrets)).toBe('taken over');
    expect(await third.platform.setting('kept')).toBeNull();
    expect(await readPlatform(third.platform)).toEqual(expected('platform'));
  });

  it('refuse each other where somebody would lose users', async () => {
    const url = await postgres.create();
    expect(await (await database(url)).belongTo(folder, secrets)).toBe('begun');
    const foreign = new KeyedSecrets(randomBytes(32));
    const other = mkdtempSync(path.join(parent, 'other-'));
    await expect((await database(url)).belongTo(other, foreign)).rejects.toThrow(
      'holds the users and keys of another data folder',
    );
    // A folder that was restored, beside a database that went on.
    await fill(other);
    await expect((await database(url)).belongTo(other, secrets)).rejects.toThrow(
      'has users and keys already, and so has',
    );
    expect(existsSync(path.join(other, 'platform.db'))).toBe(true);
    await expect(
      (await database(await postgres.create())).belongTo(folder, secrets),
    ).rejects.toThrow(/is empty, but the users and keys of .* are at 127\.0\.0\.1:\d+\/test_/);
    await expect(findRecords({ dataDir: folder, databaseUrl: null }, silentLog)).rejects.toThrow(
      /are in PostgreSQL at .*: set DATABASE_URL/,
    );
  });

  it('[SD9] a copy of the database is a file that any start takes', async () => {
    await fill();
    const url = await postgres.create();
    const moved = await database(url);
    await moved.belongTo(folder, secrets);
    const copy = mkdtempSync(path.join(parent, 'copy-'));
    await moved.platform.copyTo(path.join(copy, 'platform.db'));
    await moved.webhooks.copyTo(path.join(copy, 'webhooks.db'));
    const platform = await openPlatform(copy);
    expect(await readPlatform(platform)).toEqual(expected('platform'));
    await platform.close();
    const webhooks = await openWebhooks(copy);
    expect(await readWebhooks(webhooks)).toEqual(expected('webhooks'));
    await webhooks.close();
  });
});

describe('[SD5] a DATABASE_URL that cannot be used stops the start with nothing written', () => {
  const refusal = async (url: string): Promise<string> => {
    const dataDir = path.join(parent, 'never');
    const environment = { DATABASE_URL: url, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' };
    const said = await Promise.resolve()
      .then(() => boot(readConfig(environment, parent), silentLog))
      .then(
        () => 'started',
        (error: Error) => `${error.message}\n${error.stack}`,
      );
    expect(existsSync(dataDir)).toBe(false);
    expect(said).not.toContain(PASSWORD);
    expect(said).not.toContain(encodeURIComponent(PASSWORD));
    return said.split('\n')[0]!;
  };
  const changed = (url: string, change: Partial<URL>): string =>
    Object.assign(new URL(url), change).href;

  it('says what is wrong, and what to do', async () => {
    const url = await postgres.create();
    const location = `PostgreSQL at 127.0.0.1:${new URL(url).port}`;
    expect(
      await refusal(changed(url, { password: `not-${encodeURIComponent(PASSWORD)}` })),
    ).toContain(`${location}${new URL(url).pathname} refuses the user or the password`);
    expect(await refusal(changed(url, { username: 'nobody' }))).toContain(
      'refuses the user or the password',
    );
    expect(await refusal(changed(url, { pathname: '/none' }))).toBe(
      `DATABASE_URL: ${location}/none has no such database: create it, or set the right name`,
    );
    expect(await refusal(changed(url, { port: '1' }))).toContain(
      'does not answer: start it, or set the right host and port',
    );
    expect(await refusal(changed(url, { hostname: 'nowhere.invalid' }))).toContain(
      'the name of the host is not known',
    );
  });

  it('[CF1] takes addresses of PostgreSQL only, and repeats none', async () => {
    const secret = encodeURIComponent(PASSWORD);
    for (const wrong of [
      `mysql://sibyl:${secret}@127.0.0.1/sibyl`,
      `postgres://sibyl:${secret}@127.0.0.1`,
      `postgres://sibyl:%zz${secret}@127.0.0.1/sibyl`,
      `sibyl:${secret}`,
      // Not escaped: a part of it would stand where the host and the name do.
      `postgres://sibyl:${PASSWORD}@127.0.0.1/sibyl`,
      'postgres://sibyl:1234#5678@127.0.0.1/sibyl',
      'postgres://sibyl:1234/5678@127.0.0.1/sibyl',
    ]) {
      expect(await refusal(wrong)).toBe(
        'DATABASE_URL must be postgres://user:password@host:port/name, with /, @, # and % of the password escaped',
      );
    }
  });

  it('[SD3] refuses one of a newer build', async () => {
    const url = await postgres.create();
    await (await database(url)).belongTo(folder, secrets);
    await open.pop()!.close();
    await postgres.query(
      url,
      "insert into sibyl_platform.kysely_migration (name, timestamp) values ('0099_later', 'x')",
    );
    expect(await refusal(url)).toContain('was written by a newer build');
  });
});
