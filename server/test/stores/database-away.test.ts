// A whole server whose PostgreSQL restarts, loses connections, or is cut off by the network.
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, SibylError } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { openSecrets } from '../../src/adapters/node/secrets.ts';
import { PostgresRecords } from '../../src/stores/postgres-records.ts';
import { CuttableLine } from '../browser/cuttable-line.ts';
import { type Started, startServer } from '../server-process.ts';
import { usePostgres } from './databases.ts';

const postgres = usePostgres();
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };
const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-database-away-'));
const PATIENCE_MS = 60_000;

const dataDir = path.join(folder, 'data');

let url: string;
/** Between the server and its database. */
let line: CuttableLine;
let environment: Readonly<Record<string, string>>;
let server: Started;
let token: string;

beforeAll(async () => {
  url = await postgres.create();
  line = new CuttableLine(Number(new URL(url).port));
  const lineUrl = Object.assign(new URL(url), { port: await line.listen() }).href;
  environment = { DATABASE_URL: lineUrl, LANES: 'sandbox', RATE_MULTIPLIER: '0' };
  server = await startServer({ dataDir, environment });
  token = (await client().sessions.register(account)).session_token;
});
afterAll(async () => {
  await server.stop('SIGKILL');
  line.close();
  rmSync(folder, { recursive: true, force: true });
});

const client = (credential?: string) =>
  createClient({
    baseUrl: `${server.baseUrl}/sandbox`,
    timeoutMs: PATIENCE_MS,
    retriesMax: 0,
    ...(credential !== undefined && { token: credential }),
  });

/** Transactions from several clients until it is ended: the error codes of the requests that failed. */
function load(): { end(): Promise<readonly string[]> } {
  const codes: string[] = [];
  let isOver = false;
  const one = async (_: unknown, index: number): Promise<void> => {
    const owner = client(token);
    const label = `load ${index}`;
    while (!isOver) {
      try {
        // A request that failed may have left a key: too many of them would be refused.
        const { items } = await owner.keys.list();
        const mine = items.filter((key) => key.label === label && key.status === 'active');
        for (const { key_id } of mine) await owner.keys.revoke(key_id);
        await owner.keys.mint({ permissions: ['read'], label });
      } catch (error) {
        codes.push(error instanceof SibylError ? error.code : String(error));
      }
    }
  };
  const all = Array.from({ length: 8 }, one);
  return {
    end: async () => {
      isOver = true;
      await Promise.all(all);
      return codes;
    },
  };
}

describe('[SD11] a restart of the database under load', () => {
  for (const mode of ['fast', 'immediate', 'immediate'] as const) {
    it(`ends no server (${mode})`, async () => {
      const running = load();
      await postgres.halt(mode);
      await postgres.resume();
      await expect.poll(() => client().sessions.logIn(account), { timeout: 20_000 }).toBeTruthy();
      const codes = await running.end();
      expect(new Set(codes)).toEqual(new Set(['SERVICE_UNAVAILABLE']));
      expect(server.child.exitCode).toBeNull();
    });
  }
});

/** What the probe and the metrics say of the database. */
async function told(): Promise<{ awayMs: number | null; status: string; seconds: number }> {
  const { status, database_away_at_ms: awayMs } = await client().system.health();
  const metrics = await (await fetch(`${server.adminUrl}/metrics`)).text();
  const seconds = Number(/^sibyl_database_away_seconds (\S+)$/m.exec(metrics)?.[1]);
  return { awayMs, status, seconds };
}

const WELL = { awayMs: null, status: 'ok', seconds: 0 };
const patience = { timeout: 20_000 };
const logIn = () => client().sessions.logIn(account);

async function sessions(condition: string): Promise<number> {
  const rows = await postgres.query(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  );
  return rows.length;
}

const HAS_LOCK = "pid in (select pid from pg_locks where locktype = 'advisory')";

describe('[SD12] while the database is away', () => {
  it('the health check and a metric say since when, and it is over when it is back', async () => {
    const beforeMs = Date.now();
    await postgres.halt('fast');
    await expect(logIn()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const { awayMs, status, seconds } = await told();
    expect(awayMs).toBeGreaterThanOrEqual(beforeMs);
    expect(awayMs).toBeLessThanOrEqual(Date.now());
    expect([status, seconds >= 1]).toEqual(['degraded', true]);
    await postgres.resume();
    await expect.poll(told, patience).toEqual(WELL);
    await expect(logIn()).resolves.toBeTruthy();
    expect(server.output()).toContain('the database of users and keys is away');
    expect(server.output()).toContain('the database of users and keys answers again');
  });
});

it('[SD11] connections that are cut one by one cost the requests that used them', async () => {
  const running = load();
  let cut = 0;
  for (let time = 0; time < 20; time += 1) {
    cut += await sessions(`not ${HAS_LOCK} and random() < 0.5`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const codes = await running.end();
  expect(cut).toBeGreaterThan(10);
  expect(codes.length).toBeLessThanOrEqual(cut);
  expect(codes.filter((code) => code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
  await expect(logIn()).resolves.toBeTruthy();
});

describe('[SD13] the lock of the server', () => {
  it('is taken again when its session was cut, and no second server begins', async () => {
    expect(await sessions(HAS_LOCK)).toBe(1);
    await expect.poll(() => locks(), patience).toBe(1);
    await expect.poll(told, patience).toEqual(WELL);
    const other = { dataDir: path.join(folder, 'other'), environment: { DATABASE_URL: url } };
    await expect(startServer(other)).rejects.toThrow('is in use by another server');
  });

  it('is waited for while a command that only reads has it', async () => {
    const records = await whileAway(() => PostgresRecords.open(url));
    await expect(logIn()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await records.close();
    await expect.poll(told, patience).toEqual(WELL);
  });

  it('is lost to a process that used the database meanwhile, and the server stops', async () => {
    const ended = once(server.child, 'exit');
    const records = await whileAway(async () => {
      const found = await PostgresRecords.open(url);
      await found.belongTo(dataDir, openSecrets(dataDir, systemRandom, true));
      return found;
    });
    expect(await ended).toEqual([1, null]);
    expect(server.output()).toMatch(/used PostgreSQL at .* while it was away from this one/);
    await records.close();
    server = await startServer({ dataDir, environment });
    await expect(logIn()).resolves.toBeTruthy();
  });
});

describe('[SD14] a network that swallows everything', () => {
  it('keeps no request waiting long, and the server recovers beside its own former session', async () => {
    line.swallow();
    const startedMs = performance.now();
    const tries = await Promise.allSettled([logIn(), client(token).keys.list(), logIn()]);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
    for (const tried of tries) {
      expect(tried).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
    }
    expect(await locks()).toBe(1);
    const againMs = performance.now();
    await expect(logIn()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(performance.now() - againMs).toBeLessThan(5000);
    line.mend();
    await expect.poll(told, patience).toEqual(WELL);
    await expect(logIn()).resolves.toBeTruthy();
    expect(await locks()).toBe(1);
  });

  it('does not keep the server from closing its lanes when it stops', async () => {
    const snapshots = () => readdirSync(path.join(dataDir, 'sandbox', 'snapshots'));
    const before = snapshots();
    line.swallow();
    // What waited for the database was not written.
    expect(await server.stop()).toBe(1);
    expect(snapshots()).not.toEqual(before);
    line.mend();
    // PostgreSQL has not seen it go.
    await expect.poll(locks, { timeout: 40_000, interval: 500 }).toBe(0);
    server = await startServer({ dataDir, environment });
    await expect(logIn()).resolves.toBeTruthy();
  });
});

async function locks(): Promise<number> {
  return (await postgres.query(url, "select 1 from pg_locks where locktype = 'advisory'")).length;
}

/** Keeps the server out of its database until the work has taken the lock. */
async function whileAway<T>(work: () => Promise<T>): Promise<T> {
  line.cut();
  await expect.poll(async () => (await told()).awayMs, patience).not.toBeNull();
  try {
    return await work();
  } finally {
    line.mend();
  }
}
