import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { boot, readConfig, type Server, silentLog } from '@sibyl/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, Client } from '../conformance/http.ts';
import { dataOf, isRecord, listOf, verdictOf } from '../conformance/judge.ts';
import { seedSandbox } from '../seeded-sandbox.ts';
import { temporaryFolder } from '../server-process.ts';

const PASSWORD = 'plum otter ladder 47 quay';
const OPERATOR_TOKEN = 'op_request_log_token_000001';

const data = temporaryFolder();
const client = new Client();
let server: Server;
let people = 0;

function start(more: Readonly<Record<string, string>> = {}): Promise<Server> {
  const environment = { PORT: '0', ADMIN_PORT: '0', BOTS: 'off', RATE_MULTIPLIER: '0' };
  const settings = { ...environment, DATA_DIR: data.folder, OPERATOR_TOKEN, ...more };
  return boot(readConfig(settings, data.folder), silentLog);
}

beforeAll(async () => {
  await seedSandbox(data.folder);
  server = await start();
});
afterAll(async () => {
  client.close();
  await server?.close();
  data.remove();
});

interface Sending {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(
  method: string,
  url: string,
  { token, body, headers }: Sending = {},
): Promise<Answer> {
  return client.send({
    port: server.port,
    method,
    path: url,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
}

interface Person {
  readonly session: string;
  readonly sandboxKey: string;
  readonly liveKey: string;
}

async function person(): Promise<Person> {
  people += 1;
  const body = { email: `dev${people}@example.com`, password: PASSWORD };
  const session = String(dataOf(await send('POST', '/api/auth/register', { body })).session_token);
  const mint = async (base: string): Promise<string> => {
    const wanted = { token: session, body: { permissions: ['read', 'trade'] } };
    return String(dataOf(await send('POST', `${base}/v1/keys`, wanted)).key_id);
  };
  return { session, sandboxKey: await mint('/sandbox'), liveKey: await mint('') };
}

const idOf = ({ headers }: Answer): string => String(headers['x-request-id']);

async function logged(token: string, query = '', base = ''): Promise<readonly LogEntry[]> {
  const answer = await send('GET', `${base}/v1/requests${query}`, { token });
  return listOf(answer) as unknown as readonly LogEntry[];
}

interface LogEntry {
  readonly request_id: string;
  readonly operation: string;
  readonly environment: string;
  readonly path: string;
}

describe('the request log', () => {
  it('[RL1] has every request of a credential, and none of strangers or of those who read it', async () => {
    const { sandboxKey: token } = await person();
    const before = Date.now();
    const balance = await send('GET', '/sandbox/v1/balance?x=1', { token });
    await send('GET', '/sandbox/v1/markets');
    const placed = await send('POST', '/sandbox/v1/orders', { token, body: { size: 'none' } });
    const entries = await logged(token, '', '/sandbox');
    // The first one minted the key.
    expect(entries.map(({ operation }) => operation)).toEqual([
      'placeOrder',
      'getBalance',
      'mintKey',
    ]);
    expect(entries.map(({ request_id: id }) => id).slice(0, 2)).toEqual([
      idOf(placed),
      idOf(balance),
    ]);
    expect(entries[0]).toMatchObject({
      method: 'POST',
      path: '/sandbox/v1/orders',
      operation: 'placeOrder',
      status: 400,
      code: verdictOf(placed),
      environment: 'sandbox',
      credential_kind: 'key',
      credential_id: token.slice(0, 24),
      requested_at_ms: expect.toSatisfy((at: number) => at >= before && at <= Date.now()),
      latency_us: expect.toSatisfy((us: number) => us > 0 && us < 60_000_000),
    });
    expect(entries[1]).toMatchObject({ path: '/sandbox/v1/balance?x=1', operation: 'getBalance' });
    expect(await logged(token, '', '/sandbox')).toHaveLength(3);
  });

  it('[RL1] has orders on the short way with what was sent and answered, to the byte', async () => {
    const { sandboxKey: token } = await person();
    const [market] = listOf(await send('GET', '/sandbox/v1/markets?status=active&limit=1'));
    const outcomes = market?.outcomes as readonly { readonly id: string }[];
    const body = {
      market_id: market?.market_id,
      outcome_id: outcomes[0]?.id,
      side: 'buy',
      order_type: 'limit',
      price: '0.01',
      size: '100',
    };
    await send('POST', '/sandbox/v1/sandbox/faucet', { token });
    const placed = await send('POST', '/sandbox/v1/orders', { token, body });
    expect(placed.status).toBe(200);
    const one = dataOf(await send('GET', `/sandbox/v1/requests/${idOf(placed)}`, { token }));
    expect(one).toMatchObject({
      operation: 'placeOrder',
      status: 200,
      code: null,
      request_body: JSON.stringify(body),
      request_body_bytes: JSON.stringify(body).length,
      answer_body: placed.text,
      answer_body_bytes: Buffer.byteLength(placed.text),
      secrets_withheld: false,
    });
    expect(one.request_headers).toContainEqual({ name: 'authorization', value: '[cut]' });
    expect(one.request_headers).toContainEqual({ name: 'content-type', value: 'application/json' });
  });

  it('[RL1] shows long bodies cut at 4 KiB, whole characters only, and tells how long they were', async () => {
    const { sandboxKey: token } = await person();
    const label = 'ä'.repeat(5000);
    const sent = await send('POST', '/sandbox/v1/keys', { token, body: { label } });
    const one = dataOf(await send('GET', `/sandbox/v1/requests/${idOf(sent)}`, { token }));
    const whole = JSON.stringify({ label });
    expect(one.request_body_bytes).toBe(Buffer.byteLength(whole));
    expect(Buffer.byteLength(String(one.request_body))).toBeLessThanOrEqual(4096);
    expect(Buffer.byteLength(String(one.request_body))).toBeGreaterThan(4092);
    expect(whole.startsWith(String(one.request_body))).toBe(true);
  });

  it('[RL2] keeps no secret of headers, paths, queries and bodies, neither in answers nor on the disk', async () => {
    const { session, sandboxKey: token } = await person();
    const minted = await send('POST', '/sandbox/v1/keys', { token: session, body: {} });
    const { key_id: key, secret, passphrase } = dataOf(minted);
    const passwords = { current_password: PASSWORD, new_password: `${PASSWORD} x` };
    const changed = await send('POST', '/api/auth/password', { token: session, body: passwords });
    expect(changed.status).toBe(200);
    const escaped = String(key).replace('sk', '\\u0073k');
    await client.send({
      port: server.port,
      method: 'POST',
      path: `/sandbox/v1/orders?api_key=${secret}&token=abc-${passphrase}`,
      headers: {
        authorization: `Bearer ${session}`,
        cookie: `session=${passphrase}`,
        'x-note': String(key),
        'content-type': 'application/json',
      },
      body: `{"size":"${escaped}","new_password":"${secret}","note":"${token}"}`,
    });
    await send('DELETE', `/sandbox/v1/keys/${key}`, { token: session });
    const entries = await logged(session);
    expect(entries.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['mintKey', 'changePassword', 'placeOrder', 'revokeKey']),
    );
    const whole = await Promise.all(
      entries.map(({ request_id: id }) => send('GET', `/v1/requests/${id}`, { token: session })),
    );
    const records = whole.map(dataOf);
    const mint = records.find(({ request_id: id }) => id === idOf(minted));
    expect(mint).toMatchObject({ answer_body: null, secrets_withheld: true, request_body: '{}' });
    const change = records.find(({ request_id: id }) => id === idOf(changed));
    expect(change).toMatchObject({ request_body: null, secrets_withheld: true });
    const files = readdirSync(data.folder)
      .filter((name) => name.startsWith('requests.db'))
      .map((name) => readFileSync(path.join(data.folder, name), 'latin1'));
    const shown = [JSON.stringify(records), JSON.stringify(entries), ...files].join('\n');
    expect(shown).toContain(String(key).slice(0, 24));
    for (const hidden of [
      String(key).slice(-43),
      secret,
      passphrase,
      PASSWORD,
      session.slice(-43),
    ]) {
      expect(shown.includes(String(hidden)), `${hidden} is shown`).toBe(false);
    }
  });

  it('[RL3] is for its own user alone: a key sees its environment, a session both', async () => {
    const { session, sandboxKey, liveKey } = await person();
    const other = await person();
    const mine = await send('GET', '/sandbox/v1/balance', { token: sandboxKey });
    await send('GET', '/v1/keys', { token: session });
    const foreign = await send('GET', `/v1/requests/${idOf(mine)}`, { token: other.session });
    expect(verdictOf(foreign)).toBe('NOT_FOUND');
    const theirs = await logged(other.sandboxKey, '', '/sandbox');
    expect(theirs.map(({ operation }) => operation)).toEqual(['mintKey']);
    const ofSandbox = await logged(sandboxKey, '', '/sandbox');
    expect(new Set(ofSandbox.map(({ environment }) => environment))).toEqual(new Set(['sandbox']));
    const ofSession = await logged(session);
    expect(ofSession.map(({ operation }) => operation)).toEqual([
      'listKeys',
      'getBalance',
      'mintKey',
      'mintKey',
    ]);
    const ofLive = await logged(session, '?environment=live');
    expect(ofLive.map(({ operation }) => operation)).toEqual(['listKeys', 'mintKey']);
    expect(liveKey).toMatch(/^sk_live_/);
  });

  it('[RL3][SB4] shows a key that is bound to a subaccount what it sent itself', async () => {
    const { session, sandboxKey } = await person();
    const opened = await send('POST', '/sandbox/v1/subaccounts', {
      token: session,
      body: { label: 'bots' },
    });
    const { subaccount_id } = dataOf(opened);
    const minted = await send('POST', '/sandbox/v1/keys', {
      token: session,
      body: { permissions: ['read'], subaccount_id },
    });
    const token = String(dataOf(minted).key_id);
    const others = await send('GET', '/sandbox/v1/balance', { token: sandboxKey });
    const own = await send('GET', '/sandbox/v1/balance', { token });
    const wrong = await send('GET', '/sandbox/v1/account/orders?limit=x', { token });
    const seen = (await logged(token, '', '/sandbox')).map(({ request_id: id }) => id);
    expect(seen).toEqual([idOf(wrong), idOf(own)]);
    const one = await send('GET', `/sandbox/v1/requests/${idOf(own)}`, { token });
    expect(dataOf(one).answer_body).toBe(own.text);
    for (const hidden of [others, minted]) {
      const answer = await send('GET', `/sandbox/v1/requests/${idOf(hidden)}`, { token });
      expect(verdictOf(answer)).toBe('NOT_FOUND');
    }
    const summary = dataOf(await send('GET', '/sandbox/v1/requests/summary', { token }));
    expect(summary.last_24h).toMatchObject({ request_count: 2, error_count: 1 });
    // Its owner sees them too.
    const all = (await logged(session)).map(({ request_id: id }) => id);
    expect(all).toEqual(expect.arrayContaining(seen));
  });

  it('[RL3] shows a key no body of what only a session may ask for', async () => {
    const { session, sandboxKey } = await person();
    const body = { phone: '+351912345678' };
    const told = await send('PATCH', '/sandbox/api/auth/profile', { token: session, body });
    const whole = await send('GET', '/sandbox/api/auth/export', { token: session });
    for (const answer of [told, whole]) {
      const url = `/sandbox/v1/requests/${idOf(answer)}`;
      const hidden = dataOf(await send('GET', url, { token: sandboxKey }));
      const kept = { request_body: null, answer_body: null, secrets_withheld: true };
      expect(hidden).toMatchObject({ ...kept, answer_body_bytes: Buffer.byteLength(answer.text) });
      const shown = dataOf(await send('GET', url, { token: session }));
      expect(shown.answer_body).toContain(body.phone);
    }
    const own = await send('GET', '/sandbox/v1/balance', { token: sandboxKey });
    const balance = dataOf(
      await send('GET', `/sandbox/v1/requests/${idOf(own)}`, { token: sandboxKey }),
    );
    expect(balance).toMatchObject({ answer_body: own.text, secrets_withheld: false });
  });

  it('[RL4] is listed newest first, page by page, by any filter', async () => {
    const { session, sandboxKey: token } = await person();
    for (const size of ['one', 'two', 'three']) {
      await send('POST', '/sandbox/v1/orders', { token, body: { size } });
      await send('GET', `/sandbox/v1/account/orders?limit=${size.length}`, { token });
    }
    const all = await logged(token, '', '/sandbox');
    const pages: string[] = [];
    for (let cursor = ''; ; ) {
      const answer = await send('GET', `/sandbox/v1/requests?limit=4${cursor}`, { token });
      pages.push(...listOf(answer).map((entry) => String(entry.request_id)));
      const meta = isRecord(answer.body) && isRecord(answer.body.meta) ? answer.body.meta : {};
      if (typeof meta.next_cursor !== 'string') break;
      cursor = `&cursor=${encodeURIComponent(meta.next_cursor)}`;
    }
    expect(pages).toEqual(all.map(({ request_id: id }) => id));
    const counts = async (query: string): Promise<number> =>
      (await logged(session, `?${query}`)).length;
    expect(await counts('status=4xx')).toBe(3);
    expect(await counts('status=5xx')).toBe(0);
    expect(await counts('code=MISSING_FIELD')).toBe(3);
    expect(await counts('method=GET')).toBe(3);
    expect(await counts('operation=listOrders')).toBe(3);
    expect(await counts('path=limit%3D3')).toBe(2);
    expect(await counts(`key=${token.slice(0, 24)}`)).toBe(6);
    expect(await counts(`from_ms=${Date.now() + 60_000}`)).toBe(0);
    expect(await counts(`to_ms=${Date.now() + 60_000}&environment=sandbox`)).toBe(7);
  });

  it('[RL8] is summed up: counts, errors by code with an example, hours and latency', async () => {
    const { sandboxKey: token } = await person();
    await send('GET', '/sandbox/v1/balance', { token });
    await send('POST', '/sandbox/v1/orders', { token, body: {} });
    const last = await send('POST', '/sandbox/v1/orders', { token, body: {} });
    const summary = dataOf(await send('GET', '/sandbox/v1/requests/summary', { token }));
    const totals = { request_count: 4, error_count: 2, dropped_count: 0 };
    expect(summary).toMatchObject({ log_kept: true, last_24h: totals });
    expect(summary.errors).toMatchObject([
      { code: verdictOf(last), error_count: 2, example_request_id: idOf(last) },
    ]);
    const hours = summary.hours as readonly { from_ms: number; request_count: number }[];
    expect(hours).toHaveLength(24);
    expect(hours.reduce((sum, hour) => sum + hour.request_count, 0)).toBe(4);
    const day = summary.last_24h as { latency_p50_us: number; latency_p99_us: number };
    expect(day.latency_p50_us).toBeGreaterThan(0);
    expect(day.latency_p99_us).toBeGreaterThanOrEqual(day.latency_p50_us);
  });

  it('[RL7] outlives a restart, is closed to others, in no backup, and made anew when damaged', async () => {
    const { session } = await person();
    const file = path.join(data.folder, 'requests.db');
    const admin = `http://127.0.0.1:${server.adminPort}/admin/v1/backups`;
    const headers = {
      authorization: `Bearer ${OPERATOR_TOKEN}`,
      'content-type': 'application/json',
    };
    const backup = await fetch(admin, { method: 'POST', headers, body: '{"reason":"a test"}' });
    expect(backup.status).toBe(200);
    const copied = readdirSync(data.folder, { recursive: true, encoding: 'utf8' });
    expect(copied.filter((name) => name.endsWith('requests.db'))).toEqual(['requests.db']);
    await server.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    server = await start();
    expect(await logged(session)).toHaveLength(2);
    await server.close();
    writeFileSync(file, 'x'.repeat(20_000));
    server = await start();
    await send('GET', '/v1/keys', { token: session });
    expect((await logged(session)).map(({ operation }) => operation)).toEqual(['listKeys']);
  });

  it('[RL9] is not kept where the operator switched it off, and says so', async () => {
    const { session } = await person();
    await server.close();
    server = await start({ REQUEST_LOG: 'off' });
    await send('GET', '/v1/keys', { token: session });
    expect(await logged(session)).toEqual([]);
    const summary = dataOf(await send('GET', '/v1/requests/summary', { token: session }));
    expect(summary).toMatchObject({ log_kept: false, today: { request_count: 0 } });
  });
});
