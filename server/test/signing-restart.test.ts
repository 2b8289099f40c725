// Signed requests on a real server that is killed: what was sent once is never taken again, and no secret lies in its folder.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createClient, type SignedHeaders, signRequest } from '@sibyl/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examineFolder } from '../src/maintenance/doctor.ts';
import { rotateSigningKey } from '../src/operator/rotate-signing.ts';
import { seedSandbox } from './seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from './server-process.ts';

const { folder, remove } = temporaryFolder();
const dataDir = path.join(folder, 'data');
const operatorToken = 'a token that is long enough';
let server: Started;
let credential = { keyId: '', secret: '' };
let marketId = '';

const start = () =>
  startServer({
    dataDir,
    environment: { LANES: 'sandbox', OPERATOR_TOKEN: operatorToken, RATE_MULTIPLIER: '0' },
  });

beforeAll(async () => {
  await seedSandbox(dataDir);
  server = await start();
  const visitor = createClient({ baseUrl: server.baseUrl });
  const registered = { email: 'ada@example.com', password: 'amber kettle 93 northwind' };
  const { session_token: session } = await visitor.sessions.register(registered);
  const owner = visitor.withToken(session);
  const minted = await owner.keys.mint({ permissions: ['read', 'trade'] });
  const enabled = await fetch(`${server.adminUrl}/admin/v1/keys/${minted.public_id}/signing`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'a partner that signs', enabled: true }),
  });
  expect(await enabled.json()).toMatchObject({
    data: { key_id: minted.public_id, enabled_by: 'operator', has_secret: false },
  });
  const drawn = await owner.keys.drawSigningSecret(minted.public_id);
  credential = { keyId: minted.public_id, secret: drawn.secret ?? '' };
  await owner.sandbox.faucet();
  const { items } = await owner.markets.list({ state: 'active', sort: 'closes_at', limit: 50 });
  marketId = items.at(-1)?.market_id ?? '';
});
afterAll(async () => {
  await server?.stop();
  remove();
});

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly signed: SignedHeaders;
}

async function sign(method: string, target: string, body: unknown = undefined): Promise<Sent> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const request = { method, path: target, body: text };
  return { ...request, signed: await signRequest(credential, request) };
}

async function send({ method, path: target, body, signed }: Sent): Promise<string> {
  const response = await fetch(`${server.baseUrl}${target}`, {
    method,
    headers: { ...signed.headers, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(body !== '' && { body }),
  });
  const { error } = (await response.json()) as { error?: { code: string } };
  return error?.code ?? 'ok';
}

it('[HM5] no signed write is taken twice, before and after the server was killed', async () => {
  const { outcomes } = await createClient({ baseUrl: server.baseUrl }).markets.get(marketId);
  const order = { market_id: marketId, outcome_id: outcomes[0]?.id, side: 'buy', size: '100' };
  const placed = await sign('POST', '/v1/orders', { ...order, order_type: 'limit', price: '0.01' });
  const batch = await sign('POST', '/v1/orders', { ...order, order_type: 'limit', price: '0.02' });
  const minted = await sign('POST', '/v1/keys', { label: 'second', permissions: ['read'] });
  const cancelled = await sign('DELETE', '/v1/orders');
  const read = await sign('GET', '/v1/account/orders?status=pending&limit=5');
  const writes = [placed, batch, minted, cancelled];
  for (const one of [...writes, read])
    expect([one.path, await send(one)]).toEqual([one.path, 'ok']);
  for (const one of [...writes, read]) expect(await send(one)).toBe('NONCE_REUSED');
  await server.stop('SIGKILL');
  server = await start();
  for (const one of writes) {
    expect([one.method, one.path, await send(one)]).toEqual([one.method, one.path, 'NONCE_REUSED']);
  }
  const owner = createClient({ baseUrl: server.baseUrl, signing: credential });
  const { items } = await owner.account.orders({ status: 'all' });
  expect(items.filter(({ price }) => price === '0.010000')).toHaveLength(1);
  expect((await owner.keys.list()).items).toHaveLength(2);
});

it('[HM6] secrets are sealed under a key that can be rotated, and lie nowhere in the clear', async () => {
  await server.stop();
  const location = { dataDir, databaseUrl: null };
  expect(await rotateSigningKey(location)).toEqual({ resealed: 1, dropped: 0 });
  const generation = readFileSync(path.join(dataDir, 'signing-generations'), 'utf8');
  expect(generation).toMatch(/^[0-9a-f]{64}\n$/);
  expect(await rotateSigningKey(location)).toEqual({ resealed: 1, dropped: 0 });
  expect(readFileSync(path.join(dataDir, 'signing-generations'), 'utf8')).not.toBe(generation);
  const raw = Buffer.from(credential.secret, 'hex');
  const forms = [Buffer.from(credential.secret), raw, Buffer.from(raw.toString('base64'))];
  for (const name of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue;
    const bytes = readFileSync(path.join(name.parentPath, name.name));
    expect([name.name, forms.some((form) => bytes.includes(form))]).toEqual([name.name, false]);
  }
  server = await start();
  expect(await send(await sign('GET', '/v1/account'))).toBe('ok');
});

it('[HM7] a start, doctor and a rotation say that a wrapping key is lost, and what was sealed under it can be dropped', async () => {
  await server.stop();
  const location = { dataDir, databaseUrl: null };
  const file = path.join(dataDir, 'signing-generations');
  await rotateSigningKey(location);
  const kept = readFileSync(file);
  rmSync(file);
  const lost = /1 of 1 signing secrets do not open: .*signing-generations is missing/;
  const said = async () =>
    (await examineFolder(dataDir, null)).find(({ check }) => check === 'platform');
  expect(await said()).toMatchObject({ status: 'failure', detail: expect.stringMatching(lost) });
  await expect(start()).rejects.toThrow(lost);
  await expect(rotateSigningKey(location)).rejects.toThrow(lost);
  // Refused, and nothing written: with the file back in its place all is as it was.
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, kept, { mode: 0o400 });
  expect(await said()).toMatchObject({ status: 'ok' });
  server = await start();
  expect(await send(await sign('GET', '/v1/account'))).toBe('ok');
  await server.stop();
  rmSync(file);
  expect(await rotateSigningKey(location, true)).toEqual({ resealed: 0, dropped: 1 });
  server = await start();
  expect(await send(await sign('GET', '/v1/account'))).toBe('AUTH_INVALID');
});
