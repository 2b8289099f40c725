// A whole server on a real PostgreSQL: what somebody does with it, a restart, a database that goes away, and a backup.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backup } from '../../src/maintenance/backup.ts';
import { examine } from '../../src/maintenance/doctor.ts';
import { verifyStores } from '../../src/maintenance/verify-stores.ts';
import { openPlatform, openWebhooks } from '../../src/stores/open-stores.ts';
import { type Started, startServer } from '../server-process.ts';
import { PASSWORD, usePostgres } from './databases.ts';

const postgres = usePostgres();
const operatorToken = 'a token that is long enough';
/** The machine may be busy with much else. */
const PATIENCE_MS = 120_000;
const WRONG = 'another-password-nobody-may-see';
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };
const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-postgres-server-'));
const data = path.join(folder, 'data');

let url: string;
let receiver: Server;
let arrived: string[];
let environment: Readonly<Record<string, string>>;
let server: Started;
let outputs = '';
let keyId: string;
let webhookId: string;
let orderId: string;

beforeAll(async () => {
  url = await postgres.create();
  arrived = [];
  receiver = createServer((request, response) => {
    arrived.push(String(request.headers['x-svc-event']));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  environment = {
    DATABASE_URL: url,
    LANES: 'sandbox',
    LOG_LEVEL: 'debug',
    OPERATOR_TOKEN: operatorToken,
    WEBHOOK_ALLOW: `127.0.0.1:${(receiver.address() as AddressInfo).port}`,
  };
  server = await startServer({ dataDir: data, environment });
});
afterAll(async () => {
  await server.stop('SIGKILL');
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

const client = (token?: string) =>
  createClient({
    baseUrl: `${server.baseUrl}/sandbox`,
    timeoutMs: PATIENCE_MS,
    ...(token !== undefined && { token }),
  });

async function restart(): Promise<void> {
  expect(await server.stop()).toBe(0);
  outputs += server.output();
  server = await startServer({ dataDir: data, environment });
}

/** Of everything below a folder. */
function contents(below: string): string {
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

describe('[SD7] a server on PostgreSQL', () => {
  it('takes a user, a key, an order and a webhook, and delivers', async () => {
    const { session_token: token } = await client().sessions.register(account);
    const owner = client(token);
    await owner.sandbox.faucet();
    const minted = await owner.keys.mint({ permissions: ['read', 'trade'], label: 'bot' });
    keyId = minted.key_id;
    const host = environment.WEBHOOK_ALLOW;
    const hook = { url: `http://${host}/hooks`, event_types: ['order.accepted'] as const };
    const webhook = await owner.webhooks.create({ ...hook, event_types: [...hook.event_types] });
    webhookId = webhook.webhook_id;
    const { items } = await owner.markets.list({ status: 'active', market_type: 'normal' });
    const market = items.find(({ outcomes }) => outcomes.some(({ id }) => id === 'yes'))!;
    const order = await client(keyId).orders.place({
      market_id: market.market_id,
      outcome_id: 'yes',
      side: 'buy',
      order_type: 'limit',
      price: '0.01',
      size: '5',
    });
    orderId = order.order_id;
    await expect.poll(() => arrived).toEqual(['order.accepted']);
    expect(readdirSync(data)).not.toContain('platform.db');
    expect(readdirSync(data)).not.toContain('webhooks.db');
  });

  it('has all of it after a restart', async () => {
    await restart();
    const { session_token: token } = await client().sessions.logIn(account);
    const owner = client(token);
    expect((await owner.keys.list()).items.map(({ label }) => label)).toEqual(['bot']);
    expect((await client(keyId).orders.get(orderId)).order_id).toBe(orderId);
    const [webhook] = (await owner.webhooks.list()).items;
    expect(webhook?.webhook_id).toBe(webhookId);
    const { items } = await owner.webhooks.deliveries(webhookId);
    expect(items.map(({ status }) => status)).toEqual(['succeeded']);
    // Nothing is sent a second time.
    expect(arrived).toEqual(['order.accepted']);
  });

  it('[SD5] is not joined by a second one', async () => {
    const other = { dataDir: path.join(folder, 'other'), environment };
    const refused = await startServer(other).catch((error: Error) => error.message);
    expect(refused).toContain('is in use by another server: stop it, or set another database');
    expect(readdirSync(folder)).not.toContain('other');
    outputs += String(refused);
  });

  it('[SD10] says that it cannot serve while the database is away, and goes on when it is back', async () => {
    const name = new URL(url).pathname.slice(1);
    const house = Object.assign(new URL(url), { pathname: '/postgres' }).href;
    await postgres.query(house, `alter database ${name} allow_connections false`);
    await postgres.query(
      house,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    const login = () =>
      fetch(`${server.baseUrl}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
      });
    const away = await login();
    expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
    const told = await away.text();
    expect(told).toContain('SERVICE_UNAVAILABLE');
    expect(told).not.toMatch(/postgres|sql|select|55000|database/i);
    await postgres.query(house, `alter database ${name} allow_connections true`);
    expect((await login()).status).toBe(200);
  });

  it('[SD9] is backed up with users, keys and webhooks, and not without them', async () => {
    const made = await fetch(`${server.adminUrl}/admin/v1/backups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'a test' }),
    });
    expect(made.status).toBe(200);
    const { data: backedUp } = (await made.json()) as { data: { folder: string } };
    const target = backedUp.folder;
    expect(await server.stop()).toBe(0);
    await expect(backup(data, path.join(folder, 'copy'), () => undefined)).rejects.toThrow(
      /are in PostgreSQL at .*: set DATABASE_URL/,
    );
    const offline = path.join(folder, 'offline');
    await backup(data, offline, () => undefined, url);
    for (const copy of [target, offline]) {
      const platform = await openPlatform(copy);
      const user = await platform.userByEmail(account.email);
      expect(await platform.keysOf(user!.userId, { limit: 5, after: null })).toHaveLength(1);
      await platform.close();
      const webhooks = await openWebhooks(copy);
      const [finished] = await webhooks.finishedSince(webhookId, 0, 1);
      expect((await webhooks.attemptsOf([finished!.deliveryId]))[0]).toHaveLength(1);
      await webhooks.close();
    }
  });

  it('[CL2] the trail there is verified, and said to be where the rest is not', async () => {
    expect(await verifyStores(data, url)).toEqual({
      ...{ files: [], database: expect.stringContaining('127.0.0.1') },
      trailEntries: expect.any(Number),
    });
    expect((await verifyStores(data)).trailEntries).toBeNull();
    await postgres.query(url, "update sibyl_operators.trail set reason = 'another' where seq = 1");
    await expect(verifyStores(data, url)).rejects.toThrow(/not as written at entry 1/);
    await postgres.query(url, "update sibyl_operators.trail set reason = 'a test' where seq = 1");
  });

  it('[SD5] doctor finds it as a start would', async () => {
    const say = async (more: Readonly<Record<string, string>>) => {
      const found = await examine(
        { ...environment, DATA_DIR: data, PORT: '0', ADMIN_PORT: '0', ...more },
        folder,
      );
      outputs += JSON.stringify(found);
      return found.filter(({ check }) => check === 'database' || check === 'platform');
    };
    expect(await say({})).toMatchObject([
      { status: 'ok', detail: expect.stringContaining('tables up to date') },
    ]);
    expect(await say({ DATABASE_URL: '' })).toMatchObject([
      { status: 'failure', detail: expect.stringContaining('set DATABASE_URL') },
    ]);
    const wrong = Object.assign(new URL(url), { password: WRONG }).href;
    expect(await say({ DATABASE_URL: wrong })).toMatchObject([
      { status: 'failure', detail: expect.stringContaining('refuses the user or the password') },
    ]);
    const elsewhere = path.join(folder, 'elsewhere');
    expect(await say({ DATA_DIR: elsewhere })).toMatchObject([
      { status: 'failure', detail: expect.stringContaining('of another data folder') },
    ]);
  });

  it('[SD6] nothing that was said or written holds the password', () => {
    const everything = `${outputs}${server.output()}${contents(folder)}`;
    expect(everything.length).toBeGreaterThan(10_000);
    for (const secret of [PASSWORD, encodeURIComponent(PASSWORD), WRONG]) {
      expect(everything).not.toContain(secret);
    }
  });
});
