import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { MemoryStore } from '@sibyl/lane/testing';
import { expect, it } from 'vitest';
import { createLog } from '../../src/gateway/log.ts';
import { openPlatform } from '../../src/stores/open-stores.ts';
import { bearer, openHarness } from './harness.ts';

it('[P9] no secret of any flow stands in the logs, the journal or the platform file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-canary-'));
  let logs = '';
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logs += String(chunk);
      done();
    },
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
