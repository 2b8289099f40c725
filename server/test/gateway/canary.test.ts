import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { MemoryStore } from '@sibyl/lane/testing';
import { boot, readConfig } from '@sibyl/server';
import { Secret } from 'otpauth';
import { expect, it } from 'vitest';
import { createLog } from '../../src/gateway/log.ts';
import { openPlatform } from '../../src/stores/open-stores.ts';
import { codeAt } from './authenticator-app.ts';
import { bearer, openHarness } from './harness.ts';

const passing = (write: (text: string) => void): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      write(String(chunk));
      done();
    },
  });

it('[P9] no secret of any flow stands in the logs, the journal or the platform file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-canary-'));
  let logs = '';
  const destination = passing((text) => {
    logs += text;
  });
  const stores = { live: new MemoryStore(), sandbox: new MemoryStore() };
  const platform = await openPlatform(folder);
  const harness = await openHarness({
    platform,
    stores,
    log: createLog('trace', destination),
    overrides: {
      getMarket: () => {
        throw new Error(`a defect that names ${secrets[0]}`);
      },
    },
  });
  const secrets: string[] = [];
  const session = await harness.session();
  const minted = await harness.call({
    method: 'POST',
    url: '/v1/keys',
    headers: { ...bearer(session), 'idempotency-key': 'canary-0001' },
    payload: { permissions: ['read', 'trade'] },
  });
  const anonymous = await harness.call({ method: 'POST', url: '/v1/sandbox-keys' });
  for (const { key_id: raw, secret, passphrase } of [minted.json().data, anonymous.json().data]) {
    secrets.push(raw, secret, passphrase);
  }
  secrets.push(session);
  const raw = secrets[0]!;
  await harness.call({ url: '/v1/account', headers: { 'x-api-key': raw } });
  await harness.call({ url: `/v1/nothing/${raw}?token=${session}`, headers: bearer(raw) });
  await harness.call({ url: '/v1/markets/m_0123456789abcdef', headers: bearer(raw) });
  await harness.call({
    method: 'POST',
    url: '/v1/orders',
    headers: bearer(raw),
    payload: { size: raw },
  });
  for (const [index, form] of [raw, raw.replaceAll('_', '%5F')].entries()) {
    await harness.call({
      method: 'DELETE',
      url: `/v1/keys/${form}`,
      headers: { ...bearer(session), 'idempotency-key': `canary-1${index}00` },
    });
  }
  await harness.close();
  await platform.close();
  const files = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'latin1'));
  const journal = JSON.stringify([stores.live.commits, stores.sandbox.commits]);
  expect(logs).toContain('a defect that names sk_live_');
  expect(logs.split('\n').length).toBeGreaterThan(6);
  expect(files.join('')).toContain(raw.slice(0, 24));
  for (const secret of secrets) {
    // The tail alone: the public part of a key may stand anywhere.
    const tail = secret.includes('_') ? secret.slice(secret.indexOf('_', 8) + 17) : secret;
    const forms = [
      tail.slice(-30),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64'),
    ];
    for (const form of forms) {
      for (const [where, text] of Object.entries({ logs, journal, files: files.join('') })) {
        expect(text.includes(form), `${form} stands in ${where}`).toBe(false);
      }
    }
  }
  await rm(folder, { recursive: true, force: true });
});

it('[P9][OP49] no seed and no recovery code of an operator stands in the logs or in any file of the folder', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-canary-'));
  let logs = '';
  const log = createLog(
    'trace',
    passing((text) => {
      logs += text;
    }),
  );
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: folder, LANES: 'live', BOTS: 'off' };
  const server = await boot(readConfig(environment, folder), log);
  const ask = async (route: string, token: string, body: object = {}) => {
    const answer = await fetch(`http://127.0.0.1:${server.adminPort}/admin/v1${route}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: Record<string, string> }).data;
  };
  const { name, password } = server.newOperator!;
  const { session_token: token } = await ask('/sessions', '', { name, password });
  await ask('/session/step-up', token!, { password });
  const { secret } = await ask('/session/totp', token!);
  const otp = codeAt(secret!, Date.now());
  const { recovery_codes: codes } = await ask('/session/totp/confirm', token!, { otp });
  const [used, ...rest] = codes as unknown as readonly string[];
  for (const code of [used, used])
    await ask('/sessions', '', { name, password, recovery_code: code });
  await ask('/session/step-up', token!, { recovery_code: rest[0] });
  await ask('/session/recovery-codes', token!);
  await server.close();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
  const seed = Buffer.from(Secret.fromBase32(secret!).buffer);
  const forms = [seed.toString('latin1'), seed.toString('hex'), seed.toString('base64'), secret!];
  expect(logs).toContain('renewOperatorRecoveryCodes');
  expect(files.join('')).toContain('renewOperatorRecoveryCodes');
  for (const form of [...forms, used!, ...rest, password]) {
    expect(logs.includes(form), `${form} stands in the logs`).toBe(false);
    expect(files.join('').includes(form), `${form} stands in a file`).toBe(false);
  }
  await rm(folder, { recursive: true, force: true });
});
