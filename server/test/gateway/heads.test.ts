// Requests over real sockets that are refused by their head.
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { operations } from '@sibyl/contract';
import { systemClock } from '@sibyl/lane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, type Harness, openHarness } from './harness.ts';

/** A header that nobody reads, and that takes a request to Node. */
const UNUSUAL = { 'x-unusual': '1' };
const JSON_TYPE = { 'content-type': 'application/json' };
const BODY_LENGTH = 60_000;

const WAYS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['straight on the socket', {}],
  ['by way of Node', UNUSUAL],
];
const PLACEMENT = { action: 'place', order: operations.placeOrder.example.body };

let harness: Harness;
let port: number;
beforeAll(async () => {
  harness = await openHarness({ clock: systemClock });
  port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => harness.close());

interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly agent?: Agent;
}

function begin({ path, method = 'POST', headers, agent }: Sent): ClientRequest {
  const options = agent === undefined ? {} : { agent };
  return request({ host: '127.0.0.1', port, method, path, headers, ...options });
}

function responseTo(call: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.on('response', resolve);
    call.on('error', reject);
  });
}

async function codeIn(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return JSON.parse(text).error?.code ?? 'ok';
}

/** A key that has spent all its trade requests of this minute. */
async function spentKey(): Promise<string> {
  const key = await harness.key({ tier: 'read_live' });
  const url = '/v1/orders/batch';
  const headers = { ...bearer(key), ...JSON_TYPE };
  for (let left = 30; left > 0; left -= 1)
    await harness.call({ method: 'POST', url, headers, payload: '{' });
  return key;
}

describe('a request that is refused by its head', () => {
  it.each([
    ['no credential', 'AUTH_REQUIRED', '/v1/orders', async () => ({})],
    ['a wrong credential', 'AUTH_INVALID', '/v1/orders', async () => bearer('sk_nothing')],
    [
      'no permission',
      'SCOPE_MISSING',
      '/v1/orders',
      async () => bearer(await harness.key({ permissions: ['read'], tier: 'read_live' })),
    ],
    ['a spent quota', 'RATE_LIMITED', '/v1/orders/batch', async () => bearer(await spentKey())],
    ['an unknown path', 'NOT_FOUND', '/v1/nothing', async () => ({})],
  ] as const)(
    '[RQ8] is answered before its body comes, and its connection goes on: %s',
    async (_name, code, path, credential) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const headers = { ...(await credential()), ...JSON_TYPE, 'content-length': BODY_LENGTH };
      const call = begin({ path, headers, agent });
      call.flushHeaders();
      const response = await responseTo(call);
      const { localPort } = response.socket;
      expect(await codeIn(response)).toBe(code);
      call.end('['.repeat(BODY_LENGTH));
      const next = begin({ path: '/v1/health', method: 'GET', headers: {}, agent });
      const answered = responseTo(next);
      next.end();
      const other = await answered;
      expect(other.socket.localPort).toBe(localPort);
      expect(await codeIn(other)).toBe('ok');
      agent.destroy();
    },
  );

  it.each([
    ['of an operation', '/v1/orders', 'AUTH_REQUIRED'],
    ['of an unknown path', '/v1/nothing', 'NOT_FOUND'],
  ])(
    '[RQ8] ends its connection if its body is too long or has no announced length: %s',
    async (_name, path, code) => {
      for (const length of [{ 'content-length': 70_000 }, { 'transfer-encoding': 'chunked' }]) {
        const agent = new Agent({ keepAlive: true });
        const call = begin({ path, headers: { ...JSON_TYPE, ...length }, agent });
        call.flushHeaders();
        const response = await responseTo(call);
        const closed = new Promise((resolve) => response.socket.once('close', resolve));
        expect(response.headers.connection).toBe('close');
        expect(await codeIn(response)).toBe(code);
        await closed;
        agent.destroy();
      }
    },
  );

  it.each(WAYS)('[RQ8] is told who it is and not what it sent: %s', async (_name, extra) => {
    const send = async (credential: Record<string, string>): Promise<string> => {
      const call = begin({
        path: '/v1/orders',
        headers: { ...JSON_TYPE, ...credential, ...extra },
      });
      const response = responseTo(call);
      call.end('{"half":');
      return codeIn(await response);
    };
    expect(await send({})).toBe('AUTH_REQUIRED');
    expect(await send(bearer('sk_nothing'))).toBe('AUTH_INVALID');
    expect(await send(bearer(await spentKey()))).toBe('RATE_LIMITED');
    expect(await send(bearer(await harness.key({ tier: 'read_live' })))).toBe('BAD_REQUEST');
  });
});

describe('a batch', () => {
  it.each(WAYS)(
    '[RQ7] costs one with its head and the rest with its body: %s',
    async (_name, extra) => {
      const key = await harness.key({ tier: 'read_live' });
      const batch = async (payload: string, credential: string): Promise<unknown[]> => {
        const named = {
          ...JSON_TYPE,
          ...bearer(credential),
          'idempotency-key': 'batch-0001',
          ...extra,
        };
        const call = begin({ path: '/v1/orders/batch', headers: named });
        const answered = responseTo(call);
        call.end(payload);
        const response = await answered;
        return [await codeIn(response), Number(response.headers['x-ratelimit-remaining'])];
      };
      const items = (count: number): string =>
        JSON.stringify({ items: Array.from({ length: count }, () => PLACEMENT) });
      expect(await batch(items(3), key)).toEqual(['ok', 27]);
      expect(await batch('{"half":', key)).toEqual(['BAD_REQUEST', 26]);
      expect(await batch(items(20), key)).toEqual(['ok', 6]);
      expect(await batch(items(7), key)).toEqual(['RATE_LIMITED', 5]);
      expect(await batch(items(5), key)).toEqual(['ok', 0]);
    },
  );
});
