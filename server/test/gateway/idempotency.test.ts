import { randomBytes } from 'node:crypto';
import { operations } from '@sibyl/contract';
import { asMarketId } from '@sibyl/engine';
import { ManualClock, MemoryStore } from '@sibyl/lane/testing';
import { lots } from '@sibyl/money';
import type { Response } from 'light-my-request';
import { afterEach, describe, expect, it } from 'vitest';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import {
  type ApiError,
  ownAccount,
  type Reply,
  type RequestContext,
  refusal,
} from '../../src/handling/handler.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { exampleRequest } from './example.ts';
import { expectError, expectHeaders } from './expect.ts';
import { bearer, type Harness, type HarnessOptions, NOON_MS, openHarness } from './harness.ts';

const ORDER = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'market',
  size: '10',
};

/** A command of the engine that is refused, which is an answer worth recording like any other. */
const place: AnyHandler = async (request: RequestContext): Promise<Reply | ApiError> => {
  const outcome = await request.lane.submit({
    body: {
      type: 'mint_sets',
      accountId: ownAccount(request),
      marketId: asMarketId('m_0'),
      lots: lots(1),
      caps: null,
      grant: null,
    },
    actor: request.actor,
    requestId: request.requestId,
    ...(request.idempotency === undefined ? {} : { key: request.idempotency }),
  });
  const { answer, replayed } = outcome;
  return answer.ok ? { data: {}, replayed } : refusal(answer.rejection, replayed);
};

const open: Harness[] = [];
async function harnessWith(options: HarnessOptions = {}): Promise<Harness> {
  const harness = await openHarness({ overrides: { placeOrder: place }, ...options });
  open.push(harness);
  return harness;
}
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

interface Sent {
  readonly key?: string;
  readonly body?: object;
  readonly url?: string;
}

function send(
  harness: Harness,
  token: string,
  { key, body = ORDER, url = '/v1/orders' }: Sent,
): Promise<Response> {
  return harness.call({
    method: 'POST',
    url,
    headers: { ...bearer(token), ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: body,
  });
}

describe('Idempotency-Key', () => {
  it('[IF6] replays the recorded answer, a refusal too, and says so', async () => {
    const harness = await harnessWith();
    const token = await harness.key();
    const first = await send(harness, token, { key: 'retry-me-1' });
    expectError(first, 'MARKET_NOT_FOUND');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    const again = await send(harness, token, { key: 'retry-me-1' });
    expectError(again, 'MARKET_NOT_FOUND');
    expectHeaders(again);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const other = await send(harness, token, { key: 'retry-me-2' });
    expect(other.headers['idempotency-replayed']).toBeUndefined();
  });

  it('[IF6] refuses the same key with another body or query, and takes it on another path', async () => {
    const harness = await harnessWith({ overrides: { placeOrder: place, createMarket: place } });
    const token = await harness.key();
    await send(harness, token, { key: 'retry-me-1' });
    const mismatch = await send(harness, token, {
      key: 'retry-me-1',
      body: { ...ORDER, size: '11' },
    });
    expectError(mismatch, 'IDEMPOTENCY_BODY_MISMATCH');
    expect(mismatch.headers['idempotency-replayed']).toBeUndefined();
    expectError(
      await send(harness, token, { key: 'retry-me-1', url: '/v1/orders?dry_run=false' }),
      'IDEMPOTENCY_BODY_MISMATCH',
    );
    const elsewhere = await send(harness, token, {
      key: 'retry-me-1',
      url: '/v1/markets',
      body: { template_id: 't', params: {} },
    });
    expectError(elsewhere, 'MARKET_NOT_FOUND');
    expect(elsewhere.headers['idempotency-replayed']).toBeUndefined();
  });

  it('[KY8] belongs to the path as it is understood, however it is written', async () => {
    const harness = await harnessWith({ overrides: { placeOrder: place, cancelOrder: place } });
    const token = await harness.key();
    await send(harness, token, { key: 'retry-me-1' });
    const escaped = await send(harness, token, { key: 'retry-me-1', url: '/v1/%6frders' });
    expect(escaped.headers['idempotency-replayed']).toBe('true');
    const cancel = (name: string): Promise<Response> =>
      harness.call({
        method: 'DELETE',
        url: `/v1/orders/${name}`,
        headers: { ...bearer(token), 'idempotency-key': 'retry-me-2' },
      });
    await cancel('coid:a%2Fb');
    expect((await cancel('%63oid%3Aa%2fb')).headers['idempotency-replayed']).toBe('true');
    expect((await cancel('coid:a%2Fc')).headers['idempotency-replayed']).toBeUndefined();
  });

  it('[KY8] belongs to a key that is revoked by its raw form, its public one or an escaped one', async () => {
    const harness = await harnessWith();
    const session = await harness.session();
    const raw = await harness.key({ session });
    const remove = (form: string): Promise<Response> =>
      harness.call({
        method: 'DELETE',
        url: `/v1/keys/${form}`,
        headers: { ...bearer(session), 'idempotency-key': 'revoke-me-1' },
      });
    expect((await remove(raw)).headers['idempotency-replayed']).toBeUndefined();
    for (const form of [raw.slice(0, 24), raw.replaceAll('_', '%5F')])
      expect((await remove(form)).headers['idempotency-replayed']).toBe('true');
  });

  it('[OA10] replays a refusal of state though it would be granted by now, over a restart too', async () => {
    const master = randomBytes(32);
    const platform = new MemoryPlatformStore();
    const stores = { live: new MemoryStore(), sandbox: new MemoryStore() };
    const before = await harnessWith({ master, platform, stores });
    const session = await before.session();
    const mint = (harness: Harness, key?: string): Promise<Response> =>
      send(harness, session, { url: '/v1/keys', body: {}, ...(key === undefined ? {} : { key }) });
    const keys = Array.from({ length: 20 }, () => mint(before));
    const [one] = await Promise.all(keys);
    const refused = await mint(before, 'one-too-many');
    expectError(refused, 'CONFLICT');
    expect(refused.headers['idempotency-replayed']).toBeUndefined();
    await before.call({
      method: 'DELETE',
      url: `/v1/keys/${one?.json().data.public_id}`,
      headers: bearer(session),
    });
    for (const harness of [before, await harnessWith({ master, platform, stores })]) {
      const again = await mint(harness, 'one-too-many');
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.payload.replaceAll(again.json().meta.request_id, '')).toBe(
        refused.payload.replaceAll(refused.json().meta.request_id, ''),
      );
    }
    expect((await mint(before, 'another-wish')).statusCode).toBe(200);
  });

  it('[OA10] does not remember what was not decided: a body that is wrong, or trading that is paused', async () => {
    const harness = await harnessWith();
    const session = await harness.session();
    const mint = (body: object): Promise<Response> =>
      send(harness, session, { url: '/v1/keys', body, key: 'try-again-1' });
    const pause = (readOnly: boolean) =>
      harness.lanes.live!.submit({
        body: { type: 'set_read_only', readOnly, reason: 'test' },
        actor: { kind: 'operator', name: 'ops', reason: 'test' },
        requestId: 'r',
      });
    expectError(await mint({ permissions: 'all' }), 'VALIDATION_FAILED');
    await pause(true);
    expectError(await mint({}), 'READ_ONLY_MODE');
    await pause(false);
    expect((await mint({})).statusCode).toBe(200);
  });

  it.each(['short', 'x'.repeat(129), 'has space in', 'umlaut-ä-12', ''])(
    '[IF6] refuses the malformed %j',
    async (key) => {
      const harness = await harnessWith();
      expectError(await send(harness, await harness.key(), { key }), 'IDEMPOTENCY_KEY_MALFORMED');
    },
  );

  it.each(['x'.repeat(8), 'A-Z_0-9_'.repeat(16)])('[IF6] takes the well-formed %s', async (key) => {
    const harness = await harnessWith();
    expectError(await send(harness, await harness.key(), { key }), 'MARKET_NOT_FOUND');
  });

  it('[IF6] answers IN_FLIGHT while the first one runs, MISMATCH if it differs, and has one effect', async () => {
    let release: (reply: Reply) => void = () => undefined;
    let runs = 0;
    const slow: AnyHandler = () => {
      runs += 1;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    const harness = await harnessWith({ overrides: { useFaucet: slow } });
    const token = await harness.session();
    const url = '/sandbox/v1/sandbox/faucet';
    const first = send(harness, token, { key: 'in-flight', url, body: {} });
    while (runs === 0) await new Promise((resolve) => setImmediate(resolve));
    expectError(
      await send(harness, token, { key: 'in-flight', url, body: {} }),
      'IDEMPOTENCY_IN_FLIGHT',
    );
    expectError(
      await send(harness, token, { key: 'in-flight', url: `${url}?again=1`, body: {} }),
      'IDEMPOTENCY_BODY_MISMATCH',
    );
    release({ data: {} });
    await first;
    expect(runs).toBe(1);
  });

  it('[P2] gives up waiting after thirty seconds, keeps the key while the command runs, then answers', async () => {
    let release: (reply: Reply) => void = () => undefined;
    let runs = 0;
    const stuck: AnyHandler = () => {
      runs += 1;
      return new Promise((resolve) => {
        release = resolve;
      });
    };
    const harness = await harnessWith({ overrides: { useFaucet: stuck } });
    const token = await harness.session();
    const sent = { key: 'stuck-key', url: '/sandbox/v1/sandbox/faucet', body: {} };
    const first = send(harness, token, sent);
    while (runs === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let second = 0; second < 31; second += 1) harness.clock.advance(1000);
    const late = await first;
    expectError(late, 'UPSTREAM_TIMEOUT');
    expectHeaders(late);
    expectError(await send(harness, token, sent), 'IDEMPOTENCY_IN_FLIGHT');
    release({ data: {} });
    await new Promise((resolve) => setImmediate(resolve));
    const again = send(harness, token, sent);
    while (runs === 1) await new Promise((resolve) => setImmediate(resolve));
    release({ data: operations.useFaucet.example.data });
    expect((await again).statusCode).toBe(200);
  });

  it('[P2] frees the key when a handler fails', async () => {
    let runs = 0;
    const broken: AnyHandler = () => {
      runs += 1;
      throw new Error('a defect');
    };
    const harness = await harnessWith({ overrides: { placeOrder: broken } });
    const token = await harness.key();
    for (let index = 0; index < 2; index += 1) {
      expectError(await send(harness, token, { key: 'defective' }), 'INTERNAL_ERROR');
    }
    expect(runs).toBe(2);
  });

  it('[IF6] forgets after 24 hours of journal time, and not before', async () => {
    const harness = await harnessWith();
    const token = await harness.key();
    await send(harness, token, { key: 'one-day-1' });
    harness.clock.advance(24 * 3_600_000 - 1);
    expect((await send(harness, token, { key: 'one-day-1' })).headers['idempotency-replayed']).toBe(
      'true',
    );
    harness.clock.advance(1);
    expect(
      (await send(harness, token, { key: 'one-day-1' })).headers['idempotency-replayed'],
    ).toBeUndefined();
  });

  it('[IF6] finds the lane that first saw the key, after graduation too', async () => {
    const harness = await harnessWith();
    const token = await harness.key();
    const { live, sandbox } = harness.lanes;
    const before = [live!.status().seq, sandbox!.status().seq];
    await send(harness, token, { key: 'graduate-1' });
    expect(sandbox!.status().seq).toBe(before[1]! + 1);
    await harness.platform.setKeyTier(token.slice(0, 24), 'read_live', {
      actor: 'a',
      reason: 'b',
      atMs: 1,
    });
    const retried = await send(harness, token, { key: 'graduate-1' });
    expect(retried.headers['idempotency-replayed']).toBe('true');
    expect(harness.calls.at(-1)?.request.laneName).toBe('sandbox');
    expect(live!.status().seq).toBe(before[0]);
    await send(harness, token, { key: 'graduate-2' });
    expect(harness.calls.at(-1)?.request.laneName).toBe('live');
    expect(live!.status().seq).toBe(before[0]! + 1);
  });

  it('[IF6] is another key in the other lane for a session, whose address names its lane', async () => {
    const harness = await harnessWith();
    const token = await harness.session();
    const at = async (url: string) => {
      const answer = await send(harness, token, { key: 'both-lanes-1', url });
      return [answer.headers['idempotency-replayed'], harness.calls.at(-1)?.request.laneName];
    };
    expect(await at('/sandbox/v1/orders')).toEqual([undefined, 'sandbox']);
    expect(await at('/v1/orders')).toEqual([undefined, 'live']);
    expect(await at('/sandbox/v1/orders')).toEqual(['true', 'sandbox']);
    expect(await at('/v1/orders')).toEqual(['true', 'live']);
  });

  it('[IF6] leads nobody to another lane for a key that is forgotten, although that lane was still since', async () => {
    const harness = await harnessWith();
    const token = await harness.key();
    const { sandbox } = harness.lanes;
    await send(harness, token, { key: 'yesterday-1' });
    await harness.platform.setKeyTier(token.slice(0, 24), 'read_live', {
      actor: 'a',
      reason: 'b',
      atMs: 1,
    });
    const { seq } = sandbox!.status();
    harness.clock.advance(24 * 3_600_000);
    const answer = await send(harness, token, { key: 'yesterday-1' });
    expect(answer.headers['idempotency-replayed']).toBeUndefined();
    expect(harness.calls.at(-1)?.request.laneName).toBe('live');
    expect(sandbox!.status().seq).toBe(seq);
  });

  it('[P1] replays across a restart, from the journal and from the platform store', async () => {
    const stores = { live: new MemoryStore(), sandbox: new MemoryStore() };
    const shared = {
      stores,
      platform: new MemoryPlatformStore(),
      master: randomBytes(32),
      manualClock: new ManualClock(NOON_MS),
    };
    const first = await harnessWith(shared);
    const session = await first.session();
    const token = await first.key({ session });
    await send(first, token, { key: 'restart-1' });
    const minted = await send(first, session, { key: 'restart-2', url: '/v1/keys', body: {} });
    await open.pop()!.close();
    const second = await harnessWith(shared);
    const again = await send(second, token, { key: 'restart-1' });
    expect(again.headers['idempotency-replayed']).toBe('true');
    const replayed = await send(second, session, { key: 'restart-2', url: '/v1/keys', body: {} });
    expect(replayed.headers['idempotency-replayed']).toBe('true');
    expect(replayed.json().data.public_id).toBe(minted.json().data.public_id);
  });

  it('[RE9] withholds secrets on a replay, says so, and keeps none of them', async () => {
    const platform = new MemoryPlatformStore();
    const harness = await harnessWith({ platform });
    const session = await harness.session();
    const mint = (): Promise<Response> =>
      send(harness, session, { key: 'mint-once', url: '/v1/keys', body: { label: 'bot' } });
    const first = (await mint()).json().data;
    const second = await mint();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.json().data).toEqual({
      ...first,
      key_id: first.public_id,
      secret: null,
      passphrase: null,
      secrets_withheld: true,
    });
    expect(first.key_id.startsWith(`${first.public_id}_`)).toBe(true);
    const listed = await harness.call({ url: '/v1/keys', headers: bearer(session) });
    expect(listed.json().data).toHaveLength(1);
    const scope = `${(await harness.platform.keyById(first.public_id))?.holderId} POST /v1/keys`;
    const saved = JSON.stringify(await platform.savedAnswer(scope, 'mint-once', 0));
    expect(saved).toContain(first.public_id);
    for (const secret of [first.key_id, first.secret, first.passphrase])
      expect(saved).not.toContain(secret);
    expectError(
      await send(harness, session, { key: 'mint-once', url: '/v1/keys', body: { label: 'b' } }),
      'IDEMPOTENCY_BODY_MISMATCH',
    );
  });

  it('[P9] revoking by the raw key keeps none of it, and a retry by either form is found', async () => {
    const harness = await harnessWith();
    const session = await harness.session();
    const raw = await harness.key({ session });
    const revoke = (reference: string): Promise<Response> =>
      harness.call({
        method: 'DELETE',
        url: `/v1/keys/${reference}`,
        headers: { ...bearer(session), 'idempotency-key': 'revoke-it-1' },
      });
    expect((await revoke(raw)).json().data.status).toBe('revoked');
    expect(harness.calls.at(-1)?.request.idempotency?.scope).not.toContain(raw.slice(25));
    expect((await revoke(raw.slice(0, 24))).headers['idempotency-replayed']).toBe('true');
  });
});

describe('a malformed key', () => {
  it('[KY19] is refused on every write, whether the operation reads keys or not', async () => {
    const harness = await harnessWith({ rateMultiplier: 0 });
    const session = await harness.session();
    for (const operation of Object.values(operations)) {
      if (operation.method === 'GET') continue;
      const { method, url, payload } = exampleRequest(operation);
      const answer = await harness.call({
        method,
        url: operation.prodOnly ? url : `/sandbox${url}`,
        ...(payload === undefined ? {} : { payload }),
        headers: { ...bearer(session), 'idempotency-key': 'no:key' },
      });
      expectError(answer, 'IDEMPOTENCY_KEY_MALFORMED');
    }
  });
});
