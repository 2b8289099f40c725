// The databases that the contract of a store is run on: files of SQLite, and a real PostgreSQL.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Postgres, startPostgres } from '@sibyl/storage/testing';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { SqlOperatorStore } from '../../src/adapters/sql/operators.ts';
import { operatorsSchema } from '../../src/adapters/sql/operators-schema.ts';
import { SqlPlatformStore } from '../../src/adapters/sql/platform.ts';
import { platformSchema } from '../../src/adapters/sql/platform-schema.ts';
import { PostgresServer } from '../../src/adapters/sql/postgres-server.ts';
import { PostgresStore } from '../../src/adapters/sql/postgres-store.ts';
import { SqlWebhookStore } from '../../src/adapters/sql/webhooks.ts';
import { webhooksSchema } from '../../src/adapters/sql/webhooks-schema.ts';

/** What nobody may ever read in a log, an error or an answer; it needs escaping in an address. */
export const PASSWORD = 'p@ss/w0rd-nobody-may-see';

export interface TestPostgres extends Pick<Postgres, 'halt' | 'resume'> {
  /** The address of a new, empty database. */
  create(): Promise<string>;
  /** Runs SQL as another program would. */
  query(url: string, sql: string): Promise<readonly Record<string, unknown>[]>;
}

/** Starts one for the tests of a file, and ends it with them. */
export function usePostgres(): TestPostgres {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres({ password: PASSWORD });
  });
  afterAll(() => postgres.stop());
  const addressOf = (name: string): string => {
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const query = async (url: string, sql: string): Promise<readonly Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    create: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      // Its language sorts otherwise than bytes do, as that of many servers does.
      const sorting = "template template0 locale_provider icu icu_locale 'en-US'";
      await query(addressOf('postgres'), `create database ${name} ${sorting}`);
      return addressOf(name);
    },
    query,
    halt: (mode) => postgres.halt(mode),
    resume: () => postgres.resume(),
  };
}

export async function openPostgresPlatform(server: PostgresServer): Promise<SqlPlatformStore> {
  return new SqlPlatformStore(await PostgresStore.open(server, platformSchema));
}

export async function openPostgresWebhooks(server: PostgresServer): Promise<SqlWebhookStore> {
  return new SqlWebhookStore(await PostgresStore.open(server, webhooksSchema));
}

export async function openPostgresOperators(server: PostgresServer): Promise<SqlOperatorStore> {
  return new SqlOperatorStore(await PostgresStore.open(server, operatorsSchema));
}

/** What the contract of a store needs: a database of its own for each test, opened as often as the test likes. */
export async function postgresHarness<Store>(
  postgres: TestPostgres,
  open: (server: PostgresServer) => Promise<Store>,
) {
  const url = await postgres.create();
  const servers: PostgresServer[] = [];
  return {
    open: async () => {
      const server = await PostgresServer.connect(url);
      servers.push(server);
      return open(server);
    },
    isDurable: true,
    dispose: async () => {
      for (const server of servers) await server.close();
    },
  };
}

export async function folderHarness<Store>(open: (folder: string) => Promise<Store>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-store-'));
  return {
    open: () => open(folder),
    isDurable: true,
    dispose: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
