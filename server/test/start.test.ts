// npm start, as somebody who has just cloned would use it: ready in time, kept over a restart, stopped in order.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Started, startServer, temporaryFolder } from './server-process.ts';

type Envelope = { readonly ok: boolean; readonly data: never; readonly error: { code: string } };

async function get(url: string, token?: string): Promise<Response> {
  const headers: Record<string, string> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(url, { headers });
}

async function json<T = Envelope>(response: Response): Promise<T> {
  return (await response.json()) as T;
}

interface Reconciled {
  readonly run: { readonly state: string };
  readonly report: { readonly balanced: boolean; readonly sum: string };
}

/** The report of a reconciliation that begins now. */
async function reconciled(server: Started, token: string): Promise<Reconciled['report']> {
  const url = `${server.adminUrl}/admin/v1/reconciliation`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ lane: 'sandbox', reason: 'a test' });
  await fetch(url, { method: 'POST', headers, body });
  for (;;) {
    const { data } = await json<{ data: Reconciled }>(await get(`${url}?lane=sandbox`, token));
    if (data.run.state !== 'running') return data.report;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function signedIn(server: Started, password: string | null): Promise<string> {
  const answer = await fetch(`${server.adminUrl}/admin/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'admin', password }),
  });
  return (await json<{ data: { session_token: string } }>(answer)).data.session_token;
}

/** npm is gone at once; the server behind it finishes what it has begun. */
async function gone(url: string): Promise<void> {
  const deadlineMs = performance.now() + 120_000;
  while (performance.now() < deadlineMs) {
    const isUp = await get(url).then(
      () => true,
      () => false,
    );
    if (!isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server is still there');
}

/** The port is let go of before the data folder is. */
async function startWhenFree(dataDir: string): Promise<Started> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startServer({ dataDir });
    } catch (error) {
      if (attempt === 5 || !/in use/.test(String(error))) throw error;
    }
  }
}

describe('[SU1] npm start', () => {
  const data = temporaryFolder();
  let server: Started;
  beforeAll(async () => {
    server = await startServer({ dataDir: data.folder, command: ['npm', 'start'] });
  });
  afterAll(async () => {
    await server.stop('SIGTERM');
    data.remove();
  });

  it('is ready in time and shows addresses, the first operator and a first order', () => {
    // The machine may be busy; waiting itself ends a minute later.
    expect(server.readyMs).toBeLessThan(180_000);
    expect(server.operatorPassword).toMatch(/^[0-9A-Za-z]{5}(-[0-9A-Za-z]{5}){3}$/);
    expect(server.output()).toContain('/v1/sandbox-keys');
    expect(server.output()).toContain('/docs');
  });

  it('is well, and serves its document and its reference', async () => {
    const health = await json<{ data: { status: string } }>(
      await get(`${server.baseUrl}/v1/health`),
    );
    expect(health.data.status).toBe('ok');
    const document = await json<{ openapi: string }>(await get(`${server.baseUrl}/openapi.json`));
    expect(document.openapi).toMatch(/^3\.1/);
    const reference = await get(`${server.baseUrl}/docs/`);
    expect(reference.status).toBe(200);
    expect(await reference.text()).toContain('Sibyl');
  });

  it('has history: trades and candles of two weeks in the sandbox; live has templates and no market', async () => {
    const list = await json<{ data: { market_id: string; outcomes: { id: string }[] }[] }>(
      await get(`${server.baseUrl}/sandbox/v1/markets?category=technology&status=active`),
    );
    const [market] = list.data;
    const outcome = market?.outcomes[0]?.id;
    const trades = await json<{ data: unknown[] }>(
      await get(`${server.baseUrl}/sandbox/v1/trades/${market?.market_id}?limit=500`),
    );
    expect(trades.data.length).toBeGreaterThan(100);
    const candles = await json<{ data: { volume: string }[] }>(
      await get(
        `${server.baseUrl}/sandbox/v1/candles/${market?.market_id}?outcome_id=${outcome}&interval=1d`,
      ),
    );
    expect(candles.data.filter(({ volume }) => Number(volume) > 0).length).toBeGreaterThan(7);
    const live = await json<{ data: unknown[] }>(await get(`${server.baseUrl}/v1/markets`));
    expect(live.data).toEqual([]);
    const templates = await json<{ data: unknown[] }>(
      await get(`${server.baseUrl}/v1/markets/templates`),
    );
    expect(templates.data.length).toBeGreaterThan(8);
  });

  it('keeps the operator plane apart', async () => {
    const report = `${server.adminUrl}/admin/v1/reconciliation?lane=sandbox`;
    expect((await get(report)).status).toBe(401);
    expect((await get(`${server.baseUrl}/admin/v1/reconciliation?lane=sandbox`)).status).toBe(404);
    const answer = await reconciled(server, await signedIn(server, server.operatorPassword));
    expect(answer.balanced).toBe(true);
    expect(Number(answer.sum)).toBe(0);
  });

  it('stops in order on SIGTERM, and the next start has everything and is quick', async () => {
    const minted = await json<{ data: { key_id: string } }>(
      await fetch(`${server.baseUrl}/sandbox/v1/sandbox-keys`, { method: 'POST' }),
    );
    const key = minted.data.key_id;
    const funded = await fetch(`${server.baseUrl}/sandbox/v1/sandbox/faucet`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
    });
    expect(funded.status).toBe(200);
    const password = server.operatorPassword;
    await server.stop('SIGTERM');
    await gone(`${server.baseUrl}/v1/health`);
    server = await startWhenFree(data.folder);
    expect(server.operatorPassword).toBeNull();
    // Three seconds on an idle machine; tests share theirs.
    expect(server.readyMs).toBeLessThan(120_000);
    const balance = await json<{ data: { balances: { free: string }[] } }>(
      await get(`${server.baseUrl}/sandbox/v1/balance`, key),
    );
    expect(Number(balance.data.balances[0]?.free)).toBe(10_000);
    expect((await reconciled(server, await signedIn(server, password))).balanced).toBe(true);
  });

  it('ends with 0 when it is stopped, however it was started', async () => {
    expect(await server.stop('SIGINT')).toBe(0);
    const command = [process.execPath, 'scripts/run.mjs', 'server/src/main.ts'] as const;
    server = await startServer({ dataDir: data.folder, command });
    expect(await server.stop('SIGTERM')).toBe(0);
    server = await startServer({ dataDir: data.folder });
  });

  it('refuses a second server on the same data folder, and says so', async () => {
    await expect(startServer({ dataDir: data.folder })).rejects.toThrow(/in use/);
  });

  it('[SR1] says in a sentence what to do about secrets that are missing or cannot be read', async () => {
    const other = temporaryFolder();
    for (const name of ['platform.db', 'webhooks.db', 'operators.db'])
      writeFileSync(path.join(other.folder, name), '');
    const refusal = () => startServer({ dataDir: other.folder }).catch(String);
    const missing = await refusal();
    expect(missing).toMatch(/ended with 1:[\s\S]*\nsibyl: \S+secrets is missing: .*newest backup/);
    // Not readable for whoever it is, the superuser too.
    mkdirSync(path.join(other.folder, 'secrets'), { mode: 0o700 });
    const unreadable = await refusal();
    expect(unreadable).toMatch(/ended with 1:[\s\S]*\nsibyl: \S+secrets cannot be read .*chown/);
    expect(`${missing}${unreadable}`).not.toMatch(/^ +at /m);
    other.remove();
  });

  it('refuses settings that it cannot take', async () => {
    const environment = { LANES: 'nowhere' };
    await expect(startServer({ dataDir: data.folder, environment })).rejects.toThrow(/LANES/);
  });
});
