// A body that takes its time: what opened the request by its head must still be good once the body is there.
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { MaintenanceWindow } from '../../src/gateway/maintenance-window.ts';
import { bearer, NOON_MS } from '../gateway/harness.ts';
import { RawClient } from '../gateway/raw-client.ts';
import { openOperator } from '../operator/harness.ts';
import { joined } from '../operator/people.ts';
import { addApp, type Client, connect } from './connected-app.ts';
import { type Exchange, openExchange } from './exchange.ts';

let exchange: Exchange;
let maintenance: MaintenanceWindow;
let clock: ManualClock;
let port: number;
let user: string;
let client: Client;
let order: string;

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  maintenance = await MaintenanceWindow.open(new MemoryPlatformStore(), clock);
  const options = { manualClock: clock, rateMultiplier: 1, maintenance };
  exchange = await openExchange(undefined, options);
  port = await exchange.gateway.listen({ host: '127.0.0.1', port: 0 });
  user = await exchange.trader();
  client = await addApp(exchange, await exchange.session());
  order = JSON.stringify({
    ...{ market_id: await exchange.market('book'), outcome_id: 'yes', side: 'buy' },
    ...{ order_type: 'limit', price: '0.42', size: '10' },
  });
});
afterEach(() => exchange.close());

interface Slow {
  readonly path?: string;
  readonly body?: string;
  readonly lines: string;
  readonly to?: number;
}

/** A request of which all but the last bytes were read before `meanwhile` is done; the code that it is answered with. */
async function late(slow: Slow, meanwhile: () => unknown): Promise<string> {
  const { path = '/sandbox/v1/orders', body = order, lines, to = port } = slow;
  const socket = new RawClient(to);
  await once(socket.socket, 'connect');
  socket.send(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lines}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
  );
  // Long enough for the head; were it too short, the refusal would be that of the head.
  await pause(100);
  await meanwhile();
  const answer = JSON.parse((await socket.ask(body.slice(20))).split('\r\n\r\n')[1] ?? '{}');
  socket.close();
  return answer.ok ? 'ok' : `${answer.error.code} ${answer.error.details?.reason ?? ''}`.trim();
}

/** Orders that plain clients would write are read by another parser than those with lines of their own. */
const ways = [
  ['as plain clients write it', ''],
  ['with a header of its own', 'X-Own: 1\r\n'],
] as const;

describe.each(ways)('[KY27] a request %s', (_way, line) => {
  const by = (token: string): string => `${line}Authorization: Bearer ${token}\r\n`;
  const mint = async (more: object = {}): Promise<{ key_id: string; public_id: string }> =>
    (await exchange.ask('mintKey', { token: user, body: { permissions: ['trade'], ...more } }))
      .data;

  /** Another key of the same user: all credentials are looked at again. */
  const somethingElse = async (): Promise<void> => {
    const { public_id: publicId } = await mint();
    await exchange.ask('revokeKey', { token: user, params: { key_id: publicId } });
  };

  it('goes on if nothing of its own has changed', async () => {
    const { access } = await connect(exchange, client, user);
    const { key_id: key } = await mint();
    for (const token of [access, key, user]) {
      expect(await late({ lines: by(token) }, somethingElse)).toBe('ok');
    }
  });

  it('is refused once its grant was ended, or its app disabled', async () => {
    const { access, grantId } = await connect(exchange, client, user);
    const end = () => exchange.ask('revokeGrant', { token: user, params: { grant_id: grantId } });
    expect(await late({ lines: by(access) }, end)).toBe('TOKEN_REVOKED');
    const second = await connect(exchange, client, user);
    const act = { actor: 'opr_1', reason: 'ticket 1', atMs: NOON_MS };
    const disable = () =>
      exchange.platform.apps.change(client.app.appId, act, (app) => ({
        ...app,
        status: 'disabled',
      }));
    expect(await late({ lines: by(second.access) }, disable)).toBe('APP_DISABLED');
  });

  it('is refused once its key was revoked, or its session ended', async () => {
    const { key_id: key, public_id: publicId } = await mint();
    const revoke = () => exchange.ask('revokeKey', { token: user, params: { key_id: publicId } });
    expect(await late({ lines: by(key) }, revoke)).toBe('AUTH_INVALID revoked');
    const end = () => exchange.ask('logOut', { token: user, at: '' });
    expect(await late({ lines: by(user) }, end)).toBe('AUTH_INVALID revoked');
  });

  it('is refused once what it came with has run out', async () => {
    const { access } = await connect(exchange, client, user);
    const { key_id: key } = await mint({ expires_at_ms: NOON_MS + 1000 });
    expect(await late({ lines: by(key) }, () => clock.advance(1000))).toBe('AUTH_INVALID expired');
    expect(await late({ lines: by(access) }, () => clock.advance(900_000))).toBe('TOKEN_EXPIRED');
  });

  it('is refused once maintenance has begun', async () => {
    const { key_id: key } = await mint();
    const begin = () =>
      maintenance.plan({
        ...{ actor: 'grace', reason: 'new disks', message: null },
        ...{ effect: 'read_only', startsAtMs: NOON_MS, endsAtMs: null },
      });
    expect(await late({ lines: by(key) }, begin)).toBe('MAINTENANCE');
  });

  it('costs its place in the quota once', async () => {
    const { key_id: key } = await mint();
    expect(await late({ lines: by(key) }, somethingElse)).toBe('ok');
    const { headers } = await exchange.call({
      ...{ method: 'POST', url: '/sandbox/v1/orders', payload: order },
      headers: { ...bearer(key), 'content-type': 'application/json' },
    });
    const limit = Number(headers['x-ratelimit-limit']);
    expect(limit - Number(headers['x-ratelimit-remaining'])).toBe(2);
  });

  it('is refused where it was signed by a key that was revoked, or may sign no more', async () => {
    for (const end of ['revoked', 'switched-off'] as const) {
      const { key_id: key, public_id: publicId } = await mint({ permissions: ['read', 'trade'] });
      await exchange.platform.signing.enable(publicId, true, NOON_MS);
      const drawn = await exchange.ask('drawSigningSecret', {
        ...{ token: key, params: { key_id: publicId } },
      });
      const hashed = createHash('sha256').update(order).digest('hex');
      const text = ['POST', '/sandbox/v1/orders', NOON_MS / 1000, end, hashed].join('\n');
      const signature = createHmac('sha256', drawn.data.secret).update(text).digest('hex');
      const lines = `${line}SVC-Address: ${publicId}\r\nSVC-Timestamp: ${NOON_MS / 1000}\r\nSVC-Nonce: ${end}\r\nSVC-Signature: ${signature}\r\n`;
      const revoke = () => exchange.ask('revokeKey', { token: user, params: { key_id: publicId } });
      const switchOff = () => exchange.platform.signing.enable(publicId, false, NOON_MS);
      const said = await late({ lines }, end === 'revoked' ? revoke : switchOff);
      expect(said).toBe(end === 'revoked' ? 'AUTH_INVALID revoked' : 'AUTH_INVALID not_enabled');
    }
  });
});

it('[KY27] an act of an operator is refused once the operator was disabled', async () => {
  const plane = await openOperator();
  await joined(plane, 'ada', ['admin']);
  const operator = await joined(plane, 'grace', ['admin']);
  const slow = {
    path: '/admin/v1/mode',
    body: JSON.stringify({ lane: 'sandbox', reason: 'ticket 1', mode: 'read_only' }),
    lines: `Authorization: Bearer ${operator.token}\r\n`,
    to: await plane.gateway.listen({ host: '127.0.0.1', port: 0 }),
  };
  const disable = () => plane.operators.disableOperator(operator.operatorId, plane.clock.wallMs());
  expect(await late(slow, disable)).toBe('AUTH_INVALID revoked');
  expect(await plane.lane.read((state) => state.readOnly)).toBe(false);
  await plane.close();
});
