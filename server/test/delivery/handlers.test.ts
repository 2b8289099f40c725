import { operations as served, type WebhookWithSecret, webhookOperations } from '@sibyl/contract';
import { asAccountId } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { usdt } from '@sibyl/money';
import { Ajv } from 'ajv';
import type { InjectOptions, Response } from 'light-my-request';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryWebhookStore } from '../../src/adapters/memory/webhooks.ts';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { createDelivery, type Delivery } from '../../src/delivery/delivery.ts';
import { createGuard, NO_ALLOWANCE } from '../../src/delivery/guard.ts';
import { freshCode, freshTokens } from '../../src/handling/app-tokens.ts';
import type { AnyHandler } from '../../src/http/bind.ts';
import { keyViewOf } from '../../src/key-view.ts';
import { webhookHandlers } from '../../src/modules/webhooks/handlers.ts';
import type { OutboundRequest } from '../../src/ports/outbound.ts';
import { expectError } from '../gateway/expect.ts';
import { bearer, type Harness, NOON_MS, openHarness } from '../gateway/harness.ts';
import { app as blankApp } from '../ports/apps-suite.ts';
import { grant as blankGrant } from '../ports/grants-suite.ts';

const operations = { ...served, ...webhookOperations };
type OperationId = keyof typeof operations;

const ajv = new Ajv({ strict: false, validateFormats: false });
const BODY = { url: 'https://example.com/hooks', event_types: ['deposit.confirmed'] };

let harness: Harness;
let delivery: Delivery;
let store: MemoryWebhookStore;
let sent: OutboundRequest[];
let status: number;
let session: string;
/** What happens while the URL of a webhook is looked at. */
let inspecting: () => Promise<unknown>;

beforeEach(async () => {
  store = new MemoryWebhookStore();
  sent = [];
  status = 200;
  inspecting = async () => undefined;
  const clock = new ManualClock(NOON_MS);
  const late: { handlers: ReturnType<typeof webhookHandlers> | null } = { handlers: null };
  const ids = [
    'createWebhook',
    'listWebhooks',
    'updateWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
    'listWebhookDeliveries',
    'replayWebhook',
  ] as const;
  // The delivery needs the lanes of the gateway that needs its handlers.
  const overrides: Partial<Record<OperationId, AnyHandler>> = Object.fromEntries(
    ids.map((id) => [
      id,
      (...args: Parameters<AnyHandler>) => Reflect.apply(late.handlers![id], null, args),
    ]),
  );
  harness = await openHarness({
    ...{ operations, overrides, manualClock: clock, rateMultiplier: 0, webhooks: store },
  });
  const guard = createGuard(NO_ALLOWANCE);
  delivery = createDelivery({
    store,
    outbound: {
      inspect: async (url, owner) => {
        await inspecting();
        const target = guard.read(url, owner);
        return 'refused' in target ? target.refused : null;
      },
      send: async (request) => {
        sent.push(request);
        return { kind: 'answered', status, latencyMs: 3, answerBytes: 5 };
      },
    },
    lanes: harness.lanes,
    platform: harness.platform,
    keyView: keyViewOf(harness.platform),
    secrets: harness.secrets,
    random: systemRandom,
    clock,
    failed: (message, error) => {
      throw new Error(message, { cause: error });
    },
  });
  late.handlers = webhookHandlers({ delivery, clock, platform: harness.platform });
  await delivery.start();
  session = await harness.session();
});

afterEach(async () => {
  await delivery.stop();
  await harness.close();
});

async function call(
  id: OperationId,
  options: InjectOptions & { readonly as?: string; readonly webhook?: string } = {},
): Promise<Response> {
  const { as = session, webhook = '', headers, ...rest } = options;
  const { method, path } = operations[id];
  const query = typeof options.url === 'string' ? options.url : '';
  const response = await harness.call({
    ...rest,
    method,
    url: `${path.replace('{webhook_id}', webhook)}${query}`,
    headers: { ...bearer(as), ...headers },
  });
  if (response.statusCode === 200) {
    const check = ajv.compile(operations[id].data);
    expect(check(response.json().data), `${id}: ${ajv.errorsText(check.errors)}`).toBe(true);
  }
  return response;
}

async function created(body: object = BODY): Promise<WebhookWithSecret & { secret: string }> {
  return (await call('createWebhook', { payload: body })).json().data;
}

async function minted(
  permissions: readonly string[],
): Promise<{ readonly key_id: string; readonly public_id: string }> {
  const request = { method: 'POST', url: '/v1/keys', headers: bearer(session) } as const;
  return (await harness.call({ ...request, payload: { permissions } })).json().data;
}

async function pass(elapsedMs: number): Promise<void> {
  harness.clock.advance(elapsedMs);
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Each deposit has a reference of its own. */
let wires = 0;

async function deposit(): Promise<void> {
  const response = await harness.call({ method: 'GET', url: '/v1/keys', headers: bearer(session) });
  expect(response.statusCode).toBe(200);
  const accountId = (await store.endpointsIn('live'))[0]?.accountId ?? '';
  wires += 1;
  const money = { amount: usdt(5n), reference: `wire-${wires}` };
  await harness.lanes.live!.submit({
    body: { type: 'deposit', accountId: asAccountId(accountId), ...money },
    actor: { kind: 'operator', name: 'test', reason: 'test' },
    requestId: 'req_1',
  });
  await pass(25);
}

describe('the Webhooks group', () => {
  it('[KY24] goes on without the key that registered one, and whoever revokes it is told of each', async () => {
    const ask = (method: 'POST' | 'DELETE', url: string, as: string) =>
      harness.call({
        method,
        url,
        headers: bearer(as),
        ...(method === 'POST' && { payload: TRADE }),
      });
    const TRADE = { permissions: ['read', 'trade'] };
    const byHand = await created();
    expect(byHand.created_by).toBeNull();
    const minted = async (as: string): Promise<{ key_id: string; public_id: string }> =>
      (await ask('POST', '/v1/keys', as)).json().data;
    const parent = await minted(session);
    const child = await minted(parent.key_id);
    const other = await minted(session);
    const made: string[] = [];
    for (const [index, { key_id: as, public_id: publicId }] of [parent, child, other].entries()) {
      const payload = { ...BODY, url: `https://example.com/hooks/${index}` };
      const webhook = (await call('createWebhook', { as, payload })).json().data;
      expect(webhook.created_by).toBe(publicId);
      made.push(webhook.webhook_id);
    }
    const revoke = async ({ public_id: id }: { public_id: string }) =>
      (await ask('DELETE', `/v1/keys/${id}`, session)).json().data;
    const left = (await revoke(parent)).webhook_ids;
    expect([...left].sort()).toEqual(made.slice(0, 2).sort());
    // What is done already leaves behind what it did.
    expect((await revoke(parent)).webhook_ids).toEqual(left);
    expect((await revoke(child)).webhook_ids).toEqual([made[1]]);
    for (const id of made) expect((await store.endpoint(id))?.disabledReason).toBeNull();
    await store.removeEndpoint(made[2]!);
    expect((await revoke(other)).webhook_ids).toEqual([]);
  });

  it('[KY24] names those, too, that the key gave an address or a secret of its own', async () => {
    const [maker, thief] = [await minted(['read', 'trade']), await minted(['read', 'trade'])];
    const made: string[] = [];
    for (const path of ['a', 'b', 'c']) {
      const payload = { ...BODY, url: `https://example.com/${path}` };
      const { webhook_id: id } = (await call('createWebhook', { as: maker.key_id, payload })).json()
        .data;
      made.push(id);
    }
    const as = thief.key_id;
    const away = { as, webhook: made[0]!, payload: { url: 'https://example.com/away' } };
    expect((await call('updateWebhook', away)).json().data.changed_by).toBe(thief.public_id);
    await call('rotateWebhookSecret', { as, webhook: made[1]! });
    await call('updateWebhook', { as, webhook: made[2]!, payload: { status: 'paused' } });
    const url = `/v1/keys/${thief.public_id}`;
    const revoked = await harness.call({ method: 'DELETE', url, headers: bearer(session) });
    expect([...revoked.json().data.webhook_ids].sort()).toEqual(made.slice(0, 2).sort());
  });

  it('[KY25] lets a key at those only whose maker can do no more, and a session at any', async () => {
    const { userId } = (await harness.platform.keyById((await minted(['trade'])).public_id))!;
    const change = { actor: 'test', reason: 'test', atMs: NOON_MS };
    await harness.platform.setUserTier(userId!, 'trade_full', change);
    const weak = await minted(['read', 'trade']);
    const strong = await minted(['read', 'trade', 'withdraw']);
    const sister = await minted(['read', 'trade']);
    const acts = [
      ['updateWebhook', { payload: { description: 'mine' } }],
      ['rotateWebhookSecret', {}],
      ['replayWebhook', { payload: { event_type: 'webhook.ping' } }],
      ['deleteWebhook', {}],
    ] as const;
    const makers = [
      { as: session, lacks: { weak: 'session', strong: 'session' } },
      { as: strong.key_id, lacks: { weak: 'withdraw', strong: null } },
      { as: sister.key_id, lacks: { weak: null, strong: null } },
    ];
    for (const [index, { as: maker, lacks }] of makers.entries()) {
      for (const [caller, as] of [
        ['weak', weak.key_id] as const,
        ['strong', strong.key_id] as const,
      ]) {
        const payload = { ...BODY, url: `https://example.com/${index}/${caller}` };
        const { webhook_id: webhook } = (await call('createWebhook', { as: maker, payload })).json()
          .data;
        for (const [id, rest] of acts) {
          const answer = await call(id, { as, webhook, ...rest });
          const required = lacks[caller];
          if (required === null) expect(answer.statusCode, `${id} ${caller}`).toBe(200);
          else {
            expectError(answer, 'SCOPE_MISSING');
            expect(answer.json().error.details).toEqual({ required });
          }
        }
        const left = await store.endpoint(webhook);
        expect(left?.description ?? null).toBe(lacks[caller] === null ? null : '');
        if (left === null) continue;
        expect(left).toMatchObject({ rotatedAtMs: null, lastSequence: 0 });
        expect((await call('deleteWebhook', { webhook })).statusCode).toBe(200);
      }
    }
  });

  it('[KY26] ends those of an anonymous key with it', async () => {
    const minting = await harness.call({ method: 'POST', url: '/v1/sandbox-keys' });
    const { key_id: as, public_id: publicId } = minting.json().data;
    const hooks = ['one', 'two'].map((path) => ({ ...BODY, url: `https://example.com/${path}` }));
    const made: string[] = [];
    for (const payload of hooks) {
      const answer = await call('createWebhook', { as, payload });
      made.push(answer.json().data.webhook_id);
    }
    expect((await call('deleteWebhook', { as, webhook: made[1]! })).statusCode).toBe(200);
    const url = `/v1/keys/${publicId}`;
    const revoked = await harness.call({ method: 'DELETE', url, headers: bearer(as) });
    expect(revoked.json().data).toMatchObject({ status: 'revoked', webhook_ids: [] });
    expect(await store.endpointsIn('sandbox')).toEqual([]);
  });

  it('[KY26] makes none for an anonymous key that was revoked meanwhile', async () => {
    const minting = await harness.call({ method: 'POST', url: '/v1/sandbox-keys' });
    const { key_id: as, public_id: publicId } = minting.json().data;
    inspecting = async () => {
      const url = `/v1/keys/${publicId}`;
      const revoked = await harness.call({ method: 'DELETE', url, headers: bearer(as) });
      expect(revoked.json().data).toMatchObject({ status: 'revoked' });
    };
    const late = await call('createWebhook', { as, payload: BODY });
    expectError(late, 'AUTH_INVALID');
    expect(late.json().error.details).toEqual({ reason: 'revoked' });
    expect(await store.endpointsIn('sandbox')).toEqual([]);
  });

  it('[KY28] makes none for a session that a new password ended meanwhile', async () => {
    const { userId } = (await harness.platform.sessionById(session.split('_', 2).join('_')))!;
    inspecting = () => harness.platform.sessions.endOthers(userId, '', harness.clock.wallMs());
    expectError(await call('createWebhook', { payload: BODY }), 'AUTH_INVALID');
    expect(await store.endpointsIn('live')).toEqual([]);
  });

  describe('[MF21] of an account that is closed meanwhile', () => {
    const key = { 'idempotency-key': 'needle-of-answers' };
    const ada = { email: 'ada@example.com', password: 'horse battery' };
    let userId: string;
    beforeEach(async () => {
      const request = { method: 'POST', url: '/api/auth/register', payload: ada } as const;
      ({ session_token: session, user_id: userId } = (await harness.call(request)).json().data);
    });
    const close = async (): Promise<void> => {
      const request = { method: 'POST', url: '/api/auth/close', headers: bearer(session) } as const;
      const { password } = ada;
      expect((await harness.call({ ...request, payload: { password } })).statusCode).toBe(200);
    };
    /** The webhook, and the answer that has its URL. */
    const kept = async () => ({
      webhooks: (await store.endpointsIn('live')).length,
      isAnswered:
        (await store.savedAnswer(`${userId} POST /v1/webhooks`, key['idempotency-key'], 0)) !==
        null,
    });
    const nothing = { webhooks: 0, isAnswered: false };

    it('is erased where it was made while the person was being erased', async () => {
      const { closing } = harness.platform;
      const erase = closing.erase.bind(closing);
      vi.spyOn(closing, 'erase').mockImplementationOnce(async (...who) => {
        await call('createWebhook', { payload: BODY, headers: key });
        expect(await kept()).toEqual({ webhooks: 1, isAnswered: true });
        return erase(...who);
      });
      await close();
      expect(await kept()).toEqual(nothing);
    });

    it('is not made where it comes after that', async () => {
      inspecting = close;
      expectError(await call('createWebhook', { payload: BODY, headers: key }), 'AUTH_INVALID');
      expect(await kept()).toEqual(nothing);
    });
  });

  it('[IF54] registers, shows the secret once, and lists without it', async () => {
    const webhook = await created();
    expect(webhook).toMatchObject({
      ...BODY,
      status: 'active',
      environment: 'live',
      secrets_withheld: false,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const listed = await call('listWebhooks');
    expect(listed.json().data).toHaveLength(1);
    expect(listed.payload).not.toContain('whsec_');
    const bytes = Buffer.from(webhook.secret.slice('whsec_'.length), 'base64');
    const kept = JSON.stringify(await store.endpoint(webhook.webhook_id), (_key, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(kept).not.toContain(bytes.toString(encoding));
    }
  });

  it('[IF54, IF56] refuses bad URLs, unknown events, a second one of the same URL, and too many', async () => {
    for (const url of ['http://example.com/', 'https://u@example.com/', 'https://127.0.0.1/']) {
      const refused = await call('createWebhook', { payload: { ...BODY, url } });
      expectError(refused, 'WEBHOOK_URL_INVALID');
    }
    const unknown = { ...BODY, event_types: ['deposit.confirmed', 'order.eaten'] };
    const answer = await call('createWebhook', { payload: unknown });
    expectError(answer, 'WEBHOOK_EVENT_UNKNOWN');
    expect(answer.json().error.details).toEqual({ unknown: ['order.eaten'] });
    const unsent = { ...BODY, event_types: ['deposit.confirmed', 'rfq.opened', 'order.eaten'] };
    const silent = await call('createWebhook', { payload: unsent });
    expectError(silent, 'WEBHOOK_EVENT_UNKNOWN');
    expect(silent.json().error).toMatchObject({
      message: 'Nothing sends rfq.opened yet.',
      details: { unknown: ['rfq.opened', 'order.eaten'], not_sent: ['rfq.opened'] },
    });
    const { webhook_id: webhook } = await created();
    const later = { webhook, payload: { event_types: ['bounty.claimed'] } };
    expectError(await call('updateWebhook', later), 'WEBHOOK_EVENT_UNKNOWN');
    const tried = { webhook, payload: { event_type: 'bounty.claimed' } };
    expectError(await call('replayWebhook', tried), 'WEBHOOK_EVENT_UNKNOWN');
    expectError(await call('createWebhook', { payload: BODY }), 'ALREADY_EXISTS');
    const bad = { webhook, payload: { event_types: ['nonsense.x'] } };
    expectError(await call('updateWebhook', bad), 'WEBHOOK_EVENT_UNKNOWN');
    const plain = { webhook, payload: { url: 'http://example.com/' } };
    expectError(await call('updateWebhook', plain), 'WEBHOOK_URL_INVALID');
    for (let index = 1; index < 20; index += 1) {
      await created({ ...BODY, url: `https://example.com/${index}` });
    }
    const more = { ...BODY, url: 'https://example.com/more' };
    expectError(await call('createWebhook', { payload: more }), 'VALIDATION_FAILED');
  });

  it('[IF54] lets nobody have more by asking for many at once', async () => {
    const asked = Array.from({ length: 25 }, (_, index) =>
      call('createWebhook', { payload: { ...BODY, url: `https://example.com/${index}` } }),
    );
    const codes = (await Promise.all(asked)).map((one) => one.json().error?.code ?? 'made');
    expect(codes.filter((code) => code === 'made')).toHaveLength(20);
    expect(codes.filter((code) => code === 'VALIDATION_FAILED')).toHaveLength(5);
    expect(await store.endpointsIn('live')).toHaveLength(20);
  });

  it('[IF56, IF57, IF59] delivers, shows attempts, changes, pauses, and removes', async () => {
    const { webhook_id: webhook } = await created();
    await deposit();
    expect(sent).toHaveLength(1);
    expect(JSON.parse(sent[0]!.body)).toMatchObject({ type: 'deposit.confirmed', sequence: 1 });
    status = 500;
    await deposit();
    const log = (await call('listWebhookDeliveries', { webhook })).json();
    expect(log.data.map((one: { status: string }) => one.status)).toEqual([
      'retrying',
      'succeeded',
    ]);
    expect(log.data[1].attempts).toMatchObject([{ http_status: 200, response_bytes: 5 }]);
    expect(log.data[0].attempts).toMatchObject([{ http_status: 500, response_bytes: 5 }]);
    const first = await call('listWebhookDeliveries', { webhook, url: '?limit=1' });
    const cursor = encodeURIComponent(first.json().meta.next_cursor);
    const second = await call('listWebhookDeliveries', {
      webhook,
      url: `?limit=1&cursor=${cursor}`,
    });
    expect(second.json().data[0].delivery_id).toBe(log.data[1].delivery_id);
    const only = await call('listWebhookDeliveries', { webhook, url: '?status=succeeded' });
    expect(only.json().data).toHaveLength(1);
    const paused = await call('updateWebhook', { webhook, payload: { status: 'paused' } });
    expect(paused.json().data).toMatchObject({ status: 'paused', failure_streak: 1 });
    await deposit();
    expect(sent).toHaveLength(2);
    const active = await call('updateWebhook', { webhook, payload: { status: 'active' } });
    expect(active.json().data).toMatchObject({ status: 'active', failure_streak: 0 });
    expect((await call('deleteWebhook', { webhook })).statusCode).toBe(200);
    expectError(await call('deleteWebhook', { webhook }), 'NOT_FOUND');
  });

  it('[IF60] sends again one delivery, all since a time, and tests', async () => {
    const { webhook_id: webhook } = await created();
    await deposit();
    await deposit();
    const [newest] = (await call('listWebhookDeliveries', { webhook })).json().data;
    const again = { webhook, payload: { delivery_id: newest.delivery_id } };
    expect((await call('replayWebhook', again)).json().data).toMatchObject({ queued: 1 });
    const since = { webhook, payload: { since_ms: NOON_MS } };
    expect((await call('replayWebhook', since)).json().data.queued).toBe(2);
    await call('replayWebhook', { webhook, payload: { event_type: 'order.filled' } });
    await pass(25);
    const bodies = sent.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ sequence }) => sequence)).toEqual([1, 2, 2, 1, 2, 3]);
    expect(bodies[2].id).toBe(bodies[1].id);
    expect(bodies[5]).toMatchObject({ type: 'order.filled', test: true });
    const unknown = { webhook, payload: { event_type: 'order.eaten' } };
    expectError(await call('replayWebhook', unknown), 'WEBHOOK_EVENT_UNKNOWN');
    const none = { webhook, payload: { delivery_id: 'dlv_none' } };
    expectError(await call('replayWebhook', none), 'NOT_FOUND');
    await call('updateWebhook', { webhook, payload: { status: 'paused' } });
    expectError(await call('replayWebhook', again), 'STATE_CONFLICT');
  });

  it('[WH4] shows what is sent, and tries at once what waits for its next attempt', async () => {
    status = 500;
    const { webhook_id: webhook } = await created();
    await deposit();
    const [failed] = (await call('listWebhookDeliveries', { webhook })).json().data;
    expect(failed).toMatchObject({ status: 'retrying', body: sent[0]?.body });
    status = 200;
    const again = { webhook, payload: { delivery_id: failed.delivery_id } };
    expect((await call('replayWebhook', again)).json().data).toEqual({
      queued: 1,
      delivery_ids: [failed.delivery_id],
    });
    await pass(0);
    expect(sent.map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2']);
    const [done, ...others] = (await call('listWebhookDeliveries', { webhook })).json().data;
    expect(done).toMatchObject({ delivery_id: failed.delivery_id, status: 'succeeded' });
    expect(others).toEqual([]);
  });

  it('[IF58] rotates once a day, and tells the endpoint with both signatures', async () => {
    const body = { ...BODY, event_types: ['webhook.secret_rotated'] };
    const { webhook_id: webhook, secret } = await created(body);
    const rotated = (await call('rotateWebhookSecret', { webhook })).json().data;
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.old_secret_expires_at_ms).toBe(NOON_MS + 86_400_000);
    await pass(25);
    expect(sent[0]?.headers['x-svc-signature']?.match(/v1=/g)).toHaveLength(2);
    expectError(await call('rotateWebhookSecret', { webhook }), 'STATE_CONFLICT');
    harness.clock.advance(86_400_000);
    session = await harness.session();
    expectError(await call('rotateWebhookSecret', { webhook }), 'NOT_FOUND');
  });

  it('[P8] somebody else sees, changes and sends nothing', async () => {
    const { webhook_id: webhook } = await created();
    await deposit();
    const [{ delivery_id }] = (await call('listWebhookDeliveries', { webhook })).json().data;
    const as = await harness.session();
    expect((await call('listWebhooks', { as })).json().data).toEqual([]);
    const payload = { status: 'paused' };
    expectError(await call('updateWebhook', { as, webhook, payload }), 'NOT_FOUND');
    expectError(await call('rotateWebhookSecret', { as, webhook }), 'NOT_FOUND');
    expectError(await call('listWebhookDeliveries', { as, webhook }), 'NOT_FOUND');
    expectError(await call('deleteWebhook', { as, webhook }), 'NOT_FOUND');
    expectError(
      await call('replayWebhook', { as, webhook, payload: { delivery_id } }),
      'NOT_FOUND',
    );
    const { webhook_id: own } = (await call('createWebhook', { as, payload: BODY })).json().data;
    // A delivery of one's own webhook only.
    const foreign = { as, webhook: own, payload: { delivery_id } };
    expectError(await call('replayWebhook', foreign), 'NOT_FOUND');
  });

  it('[IF6] repeats an answer for the same Idempotency-Key, without the secret', async () => {
    const headers = { 'idempotency-key': 'once-and-again' };
    const first = await call('createWebhook', { payload: BODY, headers });
    const second = await call('createWebhook', { payload: BODY, headers });
    expect(second.json().data).toEqual({
      ...first.json().data,
      secret: null,
      secrets_withheld: true,
    });
    expect(second.headers['idempotency-replayed']).toBe('true');
    const other = { ...BODY, description: 'x' };
    expectError(
      await call('createWebhook', { payload: other, headers }),
      'IDEMPOTENCY_BODY_MISMATCH',
    );
  });

  it('[OA10] repeats a refusal for the same Idempotency-Key, though it would be taken by now', async () => {
    const { webhook_id: webhook } = await created();
    for (let index = 1; index < 20; index += 1) {
      await created({ ...BODY, url: `https://example.com/${index}` });
    }
    const more = { ...BODY, url: 'https://example.com/more' };
    const wishes: readonly (readonly [OperationId, string, object])[] = [
      ['createWebhook', 'VALIDATION_FAILED', { payload: more }],
      [
        'updateWebhook',
        'NOT_FOUND',
        { webhook: 'wh_0000000000000000', payload: { url: more.url } },
      ],
      ['updateWebhook', 'WEBHOOK_URL_INVALID', { webhook, payload: { url: 'http://a.example/' } }],
    ];
    const send = (at: number, key: string): Promise<Response> => {
      const [id, , options] = wishes[at]!;
      return call(id, { ...options, headers: { 'idempotency-key': `${key}-${at}` } });
    };
    const firsts = await Promise.all(wishes.map((_, at) => send(at, 'refused')));
    await call('deleteWebhook', { webhook });
    for (const [at, first] of firsts.entries()) {
      expect([first.json().error.code, first.headers['idempotency-replayed']]).toEqual([
        wishes[at]![1],
        undefined,
      ]);
      const again = await send(at, 'refused');
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(unstamped(again)).toBe(unstamped(first));
    }
    expect((await send(0, 'another')).statusCode).toBe(200);
    const headers = { 'idempotency-key': 'refused-0' };
    const mismatch = await call('createWebhook', { payload: BODY, headers });
    expectError(mismatch, 'IDEMPOTENCY_BODY_MISMATCH');
  });
});

/** All of an answer but the id of its request. */
function unstamped(answer: Response): string {
  return answer.payload.replaceAll(answer.json().meta.request_id, '');
}

/** Of an app that may read the account and manage webhooks. */
async function appToken(): Promise<string> {
  const { platform, secrets } = harness;
  const makers = { random: systemRandom, secrets };
  const { userId } = (await platform.sessionById(session.slice(0, 20)))!;
  const { accounts } = (await platform.userById(userId))!;
  const scopes = ['account:read', 'webhooks:manage'];
  const app = blankApp('desk', { ownerId: userId, status: 'approved', allowedScopes: scopes });
  await platform.apps.add(app, 1);
  const untilMs = NOON_MS + 3_600_000;
  const grant = blankGrant('desk', {
    ...{ userId, accountId: accounts.live, lane: 'live', appId: app.appId, scopes },
    ...{ createdAtMs: NOON_MS, expiresAtMs: untilMs },
  });
  const { grantId } = grant;
  const code = freshCode(makers, { grantId, redirectUri: '', challenge: '' }, NOON_MS);
  await platform.grants.add(grant, code.kept, 1);
  const { kept, access } = freshTokens(makers, grantId, untilMs, NOON_MS);
  await platform.grants.exchangeCode(code.kept.publicId, kept, untilMs, NOON_MS);
  return access;
}

it('[OAU17] an app hears of the account, and not of the keys, apps and earnings of the person', async () => {
  const as = await appToken();
  const about = (type: string) => ({ ...BODY, event_types: ['order.filled', type] });
  for (const type of ['key.created', 'grant.revoked', 'app.approved', 'revenue.credited']) {
    expectError(await call('createWebhook', { as, payload: about(type) }), 'SCOPE_MISSING');
  }
  const made = await call('createWebhook', { as, payload: about('trade.executed') });
  const webhook: string = made.json().data.webhook_id;
  const change = { as, webhook, payload: { event_types: ['key.created'] } };
  expectError(await call('updateWebhook', change), 'SCOPE_MISSING');
  expect((await call('updateWebhook', { ...change, as: session })).statusCode).toBe(200);
});
