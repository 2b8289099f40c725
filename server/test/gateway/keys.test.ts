import { asAccountId } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import type { Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { graduate, keyGraduation } from '../../src/modules/keys/graduation.ts';
import { runJob } from '../run-job.ts';
import { expectError } from './expect.ts';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await openHarness({ rateMultiplier: 0 });
});
afterEach(() => harness.close());

const DAY_MS = 86_400_000;
const mint = (token: string, payload: object = {}, at = ''): Promise<Response> =>
  harness.call({ method: 'POST', url: `${at}/v1/keys`, headers: bearer(token), payload });
const mintAnonymous = (remoteAddress: string): Promise<Response> =>
  harness.call({ method: 'POST', url: '/v1/sandbox-keys', remoteAddress });

describe('minting', () => {
  it('[IF5] shows the raw key once and stores a salted, peppered hash of it', async () => {
    const session = await harness.session();
    const { data } = (await mint(session, { label: 'bot', permissions: ['trade', 'read'] })).json();
    expect(data.key_id).toMatch(/^sk_live_[0-9A-Za-z]{16}_[0-9A-Za-z_-]{43}$/);
    expect(data.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(data).toMatchObject({
      tier: 'self_serve',
      environment: 'sandbox',
      permissions: ['read', 'trade'],
      secrets_withheld: false,
    });
    const record = (await harness.platform.keyById(data.public_id))!;
    const stored = JSON.stringify(record);
    for (const secret of [data.key_id, data.key_id.slice(25), data.secret, data.passphrase])
      expect(stored).not.toContain(secret);
    expect(record.keyHash).toBe(harness.secrets.digest('token', `${record.salt}${data.key_id}`));
  });

  it('[IF1] gives sk_test_ at the sandbox, and live keys to users of read_live and above', async () => {
    const session = await harness.session();
    const test = (await mint(session, {}, '/sandbox')).json().data;
    expect(test).toMatchObject({ environment: 'sandbox' });
    expect(test.key_id).toMatch(/^sk_test_/);
    const userId = (await harness.platform.keyById(test.public_id))!.userId!;
    await harness.platform.setUserTier(userId, 'read_live', { actor: 'a', reason: 'b', atMs: 1 });
    const live = (await mint(session)).json().data;
    expect(live).toMatchObject({ environment: 'live', tier: 'read_live' });
    expectError(
      await harness.call({ url: '/sandbox/v1/account', headers: bearer(live.key_id) }),
      'WRONG_ENV_KEY',
    );
  });

  it('[KY1] grants at most what the caller has, and nothing to readers and anonymous holders', async () => {
    const session = await harness.session();
    const trader = (await mint(session, { permissions: ['read', 'trade'] })).json().data.key_id;
    const reader = (await mint(session, {})).json().data;
    expect(reader.permissions).toEqual(['read']);
    expect((await mint(trader, { permissions: ['trade'] })).statusCode).toBe(200);
    const excess = await mint(trader, { permissions: ['read', 'withdraw'] });
    expectError(excess, 'SCOPE_NOT_ALLOWED');
    expect(excess.json().error.details).toEqual({ not_allowed: ['withdraw'] });
    expectError(await mint(reader.key_id), 'SCOPE_MISSING');
    const anonymous = (await mintAnonymous('192.0.2.1')).json().data.key_id;
    expectError(await mint(anonymous), 'SCOPE_NOT_ALLOWED');
  });

  it('[KY1] a key mints its own kind, and none that outlives it', async () => {
    const session = await harness.session();
    const test = (await mint(session, { permissions: ['read', 'trade'] }, '/sandbox')).json().data
      .key_id;
    expect((await mint(test, {}, '/sandbox')).json().data.key_id).toMatch(/^sk_test_/);
    const endMs = harness.clock.wallMs() + 1000;
    const brief = (await mint(session, { permissions: ['trade'], expires_at_ms: endMs })).json()
      .data.key_id;
    expect((await mint(brief, { permissions: ['trade'] })).json().data.expires_at_ms).toBe(endMs);
    expectError(
      await mint(brief, { permissions: ['trade'], expires_at_ms: endMs + 1 }),
      'SCOPE_NOT_ALLOWED',
    );
    expectError(await mint(session, { expires_at_ms: endMs - 1000 }), 'VALIDATION_FAILED');
  });

  it('[RO1] mints nothing while the lane is read-only, but revokes', async () => {
    const session = await harness.session();
    const key = (await mint(session)).json().data.public_id;
    await harness.lanes.live!.submit({
      body: { type: 'set_read_only', readOnly: true, reason: 'test' },
      actor: { kind: 'operator', name: 'ops', reason: 'test' },
      requestId: 'r',
    });
    expectError(await mint(session), 'READ_ONLY_MODE');
    const revoked = await harness.call({
      method: 'DELETE',
      url: `/v1/keys/${key}`,
      headers: bearer(session),
    });
    expect(revoked.json().data.status).toBe('revoked');
  });

  it('[PA22] lists what is needed and no secret, with the last use to the minute', async () => {
    const session = await harness.session();
    const { key_id: raw, public_id: publicId } = (await mint(session, { label: 'bot' })).json()
      .data;
    harness.clock.advance(90_500);
    await harness.call({ url: '/v1/account', headers: bearer(raw) });
    const [entry] = (await harness.call({ url: '/v1/keys', headers: bearer(session) })).json().data;
    const used = harness.clock.wallMs() - (harness.clock.wallMs() % 60_000);
    expect(entry).toMatchObject({
      key_id: publicId,
      label: 'bot',
      status: 'active',
      last_used_at_ms: used,
    });
    expect(JSON.stringify(entry)).not.toContain(raw.slice(25));
  });

  it('[IF40] tells malformed ids, ids of another kind and unknown keys apart', async () => {
    const session = await harness.session();
    const remove = (id: string): Promise<Response> =>
      harness.call({ method: 'DELETE', url: `/v1/keys/${id}`, headers: bearer(session) });
    expectError(await remove('nothing'), 'ID_MALFORMED');
    expectError(await remove('ord_12'), 'ID_INVALID_KIND');
    expectError(await remove(`sk_live_${'x'.repeat(16)}`), 'NOT_FOUND');
  });
});

describe('anonymous keys', () => {
  it('[AK1] opens a sandbox account that trades at once, one per address and UTC day', async () => {
    const first = await mintAnonymous('192.0.2.7');
    const { data } = first.json();
    expect(data).toMatchObject({
      tier: 'self_serve',
      environment: 'sandbox',
      permissions: ['read', 'trade'],
    });
    expect(data.key_id).toMatch(/^sk_live_/);
    const id = asAccountId(data.account_id);
    expect(await harness.lanes.sandbox!.read((state) => state.accounts.get(id)?.mode)).toBe(
      'sandbox',
    );
    expect(
      (await harness.call({ url: '/v1/account', headers: bearer(data.key_id) })).statusCode,
    ).toBe(200);
    expect(harness.calls.at(-1)?.request).toMatchObject({
      laneName: 'sandbox',
      accountId: data.account_id,
    });
    const opened = harness.lanes.sandbox!.status().seq;
    const refused = await mintAnonymous('192.0.2.7');
    expectError(refused, 'SANDBOX_KEY_DAILY_LIMIT');
    expect(refused.headers['retry-after']).toBe(String(12 * 3600));
    expect(harness.lanes.sandbox!.status().seq).toBe(opened);
    expect((await mintAnonymous('192.0.2.8')).statusCode).toBe(200);
    harness.clock.advance(12 * 3_600_000);
    expect((await mintAnonymous('192.0.2.7')).statusCode).toBe(200);
  });

  it('[AD1] counts IPv6 by /64 and stores no address', async () => {
    expect((await mintAnonymous('2001:db8::1')).statusCode).toBe(200);
    expectError(await mintAnonymous('2001:db8::2'), 'SANDBOX_KEY_DAILY_LIMIT');
    expect((await mintAnonymous('2001:db8:0:1::1')).statusCode).toBe(200);
  });

  it('[IF1] mints sk_test_ keys in a deployment of the sandbox alone, and none without a sandbox', async () => {
    const alone = await openHarness({ lanes: ['sandbox'] });
    const { data } = (await alone.call({ method: 'POST', url: '/v1/sandbox-keys' })).json();
    expect(data.key_id).toMatch(/^sk_test_/);
    expect(
      (await alone.call({ url: '/v1/account', headers: bearer(data.key_id) })).statusCode,
    ).toBe(200);
    expect((await alone.key()).startsWith('sk_test_')).toBe(true);
    await alone.close();
    const live = await openHarness({ lanes: ['live'] });
    expectError(
      await live.call({ method: 'POST', url: '/v1/sandbox-keys' }),
      'SERVICE_UNAVAILABLE',
    );
    expectError(await live.call({ url: '/sandbox/v1/health' }), 'NOT_FOUND');
    await live.close();
  });
});

describe('graduation', () => {
  const volumes = new Map<string, bigint>();
  const asked: [number, number][] = [];
  const parts = (): Parameters<typeof graduate>[0] => ({
    platform: harness.platform,
    clock: harness.clock,
    live: harness.lanes.live,
    volume: {
      ofKey: async (publicId, firstDay, lastDay) => {
        asked.push([firstDay, lastDay]);
        return usdt(volumes.get(publicId) ?? 0n);
      },
    },
  });

  it('[IF17] lifts keys at 100 USD of thirty closed days, with an account to lead to', async () => {
    const below = (await mintAnonymous('192.0.2.1')).json().data;
    const enough = (await mintAnonymous('192.0.2.2')).json().data;
    volumes.set(below.public_id, 99_999_999n);
    volumes.set(enough.public_id, 100_000_000n);
    expect(await graduate(parts(), 20_000)).toEqual([enough.public_id]);
    expect(asked.at(-1)).toEqual([19_971, 20_000]);
    const record = (await harness.platform.keyById(enough.public_id))!;
    expect(record.tier).toBe('read_live');
    const live = asAccountId(record.accounts.live);
    expect(await harness.lanes.live!.read((state) => state.accounts.has(live))).toBe(true);
    await harness.call({ url: '/v1/account', headers: bearer(enough.key_id) });
    expect(harness.calls.at(-1)?.request).toMatchObject({
      laneName: 'live',
      accountId: record.accounts.live,
    });
    expect(await graduate(parts(), 20_000)).toEqual([]);
    const [change] = await harness.platform.tierChanges(enough.public_id);
    expect(change).toMatchObject({ actor: 'graduation', from: 'self_serve', to: 'read_live' });
  });

  it('[IF17] lifts the user with its key, so that the next key is a live one', async () => {
    const session = await harness.session();
    const key = (await mint(session)).json().data.public_id;
    volumes.set(key, 500_000_000n);
    await graduate(parts(), 20_000);
    expect((await mint(session)).json().data.environment).toBe('live');
  });

  it('[IF17] waits for midnight UTC, catches up after a stop, and runs once a day', async () => {
    const key = (await mintAnonymous('192.0.2.3')).json().data.public_id;
    volumes.set(key, 100_000_000n);
    const tierOf = async (): Promise<string | undefined> =>
      (await harness.platform.keyById(key))?.tier;
    const today = Math.floor(harness.clock.wallMs() / DAY_MS);
    await harness.platform.putSetting('graduation.day', String(today - 1));
    const stop = runJob(keyGraduation(parts()), harness.clock);
    await settle();
    for (let hour = 0; hour < 11; hour += 1) await pass(3_600_000);
    expect(await tierOf()).toBe('self_serve');
    for (let part = 0; part < 7; part += 1) await pass(600_000);
    expect(await tierOf()).toBe('read_live');
    expect(await harness.platform.setting('graduation.day')).toBe(String(today));
    await stop();
    const before = asked.length;
    await runJob(keyGraduation(parts()), harness.clock)();
    await settle();
    expect(asked).toHaveLength(before);
  });

  async function pass(elapsedMs: number): Promise<void> {
    harness.clock.advance(elapsedMs);
    await settle();
  }

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
});
