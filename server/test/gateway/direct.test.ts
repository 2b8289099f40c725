import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { systemClock } from '@sibyl/lane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { readPlainRequest } from '../../src/direct/request-text.ts';
import { type Harness, openHarness } from './harness.ts';
import { RawClient } from './raw-client.ts';

const EXTRAS = {
  client_order_id: 'my-1',
  time_in_force: 'gtd',
  expires_at_ms: 1_900_000_000_000,
  post_only: true,
  stp_mode: 'cancel_incoming',
};

const ORDER = {
  market_id: 'm_0123456789abcdef',
  outcome_id: 'yes',
  side: 'buy',
  order_type: 'limit',
  price: '0.42',
  size: '10',
};

let harness: Harness;
let port: number;
let token: string;
beforeAll(async () => {
  harness = await openHarness({ clock: systemClock, rateMultiplier: 0 });
  port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
  token = await harness.session();
});
afterAll(() => harness.close());

interface Request {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function requestText({ path = '/v1/orders', body, headers = {} }: Request, extra = ''): string {
  const sent = body ?? JSON.stringify(ORDER);
  const lines = Object.entries({ Authorization: `Bearer ${token}`, ...headers })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${lines.join('')}${extra}Content-Length: ${Buffer.byteLength(sent)}\r\n\r\n${sent}`;
}

/** A header that nobody reads, and that takes a request to Node. */
const UNUSUAL = 'X-Unusual: 1\r\n';

const LOOK_UP_MS = 80;

/** Takes its time over a session, as a disk may. */
class SlowPlatform extends MemoryPlatformStore {
  override async sessionById(
    ...query: Parameters<MemoryPlatformStore['sessionById']>
  ): ReturnType<MemoryPlatformStore['sessionById']> {
    await new Promise((resolve) => setTimeout(resolve, LOOK_UP_MS));
    return super.sessionById(...query);
  }
}

/** What differs between any two answers to the same request. */
function comparable(answer: string): string {
  return answer
    .replaceAll(/req_\w+/g, 'req')
    .replaceAll(/Date: .*\r\n/g, '')
    .replaceAll(/"server_ts_ms":\d+/g, '"server_ts_ms":0')
    .replaceAll(/x-ratelimit-reset: \d+/g, 'x-ratelimit-reset: 0');
}

describe('plain requests', () => {
  it.each<[string, Request, number]>([
    ['an order', {}, 200],
    ['an order in the sandbox', { path: '/sandbox/v1/orders' }, 200],
    ['every field', { body: JSON.stringify({ ...ORDER, ...EXTRAS }) }, 200],
    ['a batch', { path: '/v1/orders/batch', body: '{"items":[]}' }, 400],
    ['not JSON', { body: '{"a":' }, 400],
    ['not JSON, of a stranger', { body: '{"a":', headers: { Authorization: '' } }, 401],
    ['nothing', { body: '' }, 400],
    ['a poisoned key', { body: '{"__proto__":1}' }, 400],
    ['a list', { body: '[]' }, 400],
    ['a missing field', { body: '{}' }, 400],
    ['an unknown field', { body: JSON.stringify({ ...ORDER, x: 1 }) }, 400],
    ['a wrong value', { body: JSON.stringify({ ...ORDER, side: 'hold' }) }, 400],
    ['no credential', { headers: { Authorization: '' } }, 401],
    ['a wrong credential', { headers: { Authorization: 'Bearer nobody' } }, 401],
    ['no bearer at all', { headers: { Authorization: 'Basic x' } }, 401],
    ['two credentials', { headers: { 'X-Api-Key': 'sk_live_other' } }, 401],
    ['a malformed key', { headers: { 'Idempotency-Key': 'a b' } }, 400],
    ['a key', { headers: { 'Idempotency-Key': 'one-two-three-four' } }, 200],
  ])('[FP1] are answered as Node and Fastify would: %s', async (_name, request, status) => {
    const client = new RawClient(port);
    const direct = await client.ask(requestText(request));
    const other = new RawClient(port);
    const usual = await other.ask(requestText(request, UNUSUAL));
    expect(direct.slice(9, 12)).toBe(String(status));
    expect(comparable(direct)).toBe(comparable(usual));
    client.close();
    other.close();
  });

  it('[FP1] may be followed by others on the same connection, whole, in pieces or in heaps', async () => {
    const client = new RawClient(port);
    const text = requestText({});
    expect(await client.ask(text)).toMatch(/^HTTP\/1.1 200/);
    client.send(text + text);
    expect(await client.until(3)).toHaveLength(3);
    const pieces = new RawClient(port);
    expect(await pieces.ask(text)).toMatch(/^HTTP\/1.1 200/);
    for (const piece of [text.slice(0, 20), text.slice(20, 200), text.slice(200)]) {
      pieces.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await pieces.until(2)).toHaveLength(2);
    expect(pieces.answers[1]).toMatch(/^HTTP\/1.1 200/);
    const health = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n';
    expect(await pieces.ask(health)).toMatch(/^HTTP\/1.1 200/);
    const eager = new RawClient(port);
    eager.send(text);
    eager.send(health);
    expect(await eager.until(2)).toHaveLength(2);
    for (const one of [client, pieces, eager]) one.close();
  });

  it('[FP1] keep their own bytes while others come in', async () => {
    const slow = await openHarness({
      clock: systemClock,
      rateMultiplier: 0,
      platform: new SlowPlatform(),
    });
    const slowPort = await slow.gateway.listen({ host: '127.0.0.1', port: 0 });
    const sessions = await Promise.all(Array.from({ length: 12 }, () => slow.session()));
    const clients = sessions.map(() => new RawClient(slowPort));
    const bodies = new Map<string, string>();
    const send = (client: RawClient, session: string, name: string): void => {
      const body = JSON.stringify({ ...ORDER, client_order_id: name });
      const headers = { Authorization: `Bearer ${session}`, 'Idempotency-Key': `key-of-${name}` };
      bodies.set(`key-of-${name}`, body);
      client.send(requestText({ body, headers }));
    };
    for (const [index, client] of clients.entries()) send(client, sessions[index]!, `a${index}`);
    // The credentials are still being looked up.
    await new Promise((resolve) => setTimeout(resolve, LOOK_UP_MS / 4));
    for (const [index, client] of clients.entries()) send(client, sessions[index]!, `b${index}`);
    for (const client of clients) {
      const answers = await client.until(2);
      expect(answers.map((answer) => answer.slice(0, 12))).toEqual([
        'HTTP/1.1 200',
        'HTTP/1.1 200',
      ]);
      client.close();
    }
    const keys = slow.calls.map(({ request }) => request.idempotency);
    const hashes = new Map(keys.map((key) => [key?.key, key?.bodyHash]));
    for (const [key, body] of bodies) {
      expect([key, hashes.get(key)]).toEqual([
        key,
        createHash('sha256').update(body).digest('hex'),
      ]);
    }
    await slow.close();
  });

  it('[FP1] count as connections of the listener until they are closed', async () => {
    const other = await openHarness({ clock: systemClock, rateMultiplier: 0 });
    const otherPort = await other.gateway.listen({ host: '127.0.0.1', port: 0 });
    const { server } = other.gateway.app;
    const count = () =>
      new Promise<number>((resolve, reject) =>
        server.getConnections((error, open) => (error ? reject(error) : resolve(open))),
      );
    const clients = Array.from({ length: 5 }, () => new RawClient(otherPort));
    for (const client of clients.slice(0, 3)) await client.ask(requestText({}));
    for (const client of clients.slice(3)) await client.ask(requestText({}, UNUSUAL));
    expect(await count()).toBe(clients.length);
    for (const client of clients) client.close();
    for (let turn = 0; turn < 100 && (await count()) > 0; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await count()).toBe(0);
    await other.close();
  });

  it('[FP1] end their connection after a thousand, and say so', async () => {
    const client = new RawClient(port);
    const text = requestText({});
    for (let count = 1; count < 1000; count += 1) await client.ask(text);
    expect(client.answers.at(-1)).toContain('\r\nConnection: keep-alive\r\n');
    expect(await client.ask(text)).toContain('\r\nConnection: close\r\n');
    await client.until(1001);
    expect(client.isClosed).toBe(true);
  });

  it('[FP1] are refused the plain way when anything about them is unusual', () => {
    const plain = requestText({});
    const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'));
    expect(read(plain)?.headers).toEqual({ authorization: `Bearer ${token}` });
    expect(plain.slice(read(plain)?.bodyAt)).toBe(JSON.stringify(ORDER));
    for (const [from, to] of [
      ['Host: x', 'Host: x\n'],
      ['Host: x', 'Host: \0'],
      ['Host: x', 'Host: x\r'],
      ['Host: x', 'Host : x'],
      ['Host: x', ' Host: x'],
      ['Host: x', 'Host: é'],
      ['Host: x', 'Transfer-Encoding: chunked'],
      ['Host: x', 'Expect: 100-continue'],
      ['Host: x', 'Upgrade: websocket'],
      ['Host: x', 'Connection: close'],
      ['Host: x', 'Origin: https://x'],
      ['Host: x', 'X-Forwarded-For: 10.0.0.1'],
      ['Host: x', 'Content-Length: 1'],
      ['Host: x', 'Host'],
      ['Host: x\r\n', ''],
      ['Host: x', 'Host: x\r\nHost: x'],
      ['Host: x', 'Content-Type: application/json'],
      ['Authorization', 'AUTHORIZATION'],
      ['Content-Length: ', 'Content-Length: +'],
      ['Content-Length: ', 'Content-Length: 0x'],
      ['Content-Length', 'X-Length'],
      ['application/json', 'text/plain'],
      ['POST', 'GET'],
      ['"10"}', '"10"} '],
      ['"10"}', '"10"'],
      ['"yes"', '"yés"'],
    ] as const) {
      expect([to, read(plain.replace(from, to))]).toEqual([to, null]);
    }
  });

  it.each([
    ['straight on the socket', ''],
    ['by way of Node', UNUSUAL],
  ])('[CN20] name one Host that can be read: %s', async (_name, extra) => {
    const client = new RawClient(port);
    const plain = requestText({}, extra);
    for (const host of ['localhost', 'api.example.com:8080', '192.0.2.1', '[2001:db8::1]:443']) {
      expect(await client.ask(plain.replace('Host: x', `Host: ${host}`))).toContain(' 200 OK');
    }
    for (const lines of [
      '',
      'Host:\r\n',
      'Host: x\r\nhost: x\r\n',
      'Host: a b\r\n',
      'Host: x/y\r\n',
    ]) {
      const answer = await client.ask(plain.replace('Host: x\r\n', lines));
      expect([lines, answer.slice(0, 12)]).toEqual([lines, 'HTTP/1.1 400']);
      expect(answer).toContain('"code":"BAD_REQUEST"');
      expect(answer).toContain('one Host header');
    }
    client.close();
  });

  it('[CN20] of every kind name a Host, except by HTTP/1.0', async () => {
    const handshake =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
    for (const rest of ['/v1/health', '/openapi.json', '/nowhere', '/ws'] as const) {
      const client = new RawClient(port);
      const lines = rest === '/ws' ? handshake : '';
      expect(await client.ask(`GET ${rest} HTTP/1.1\r\n${lines}\r\n`)).toContain(
        ' 400 Bad Request',
      );
      client.close();
    }
    const old = new RawClient(port);
    expect(await old.ask('GET /v1/health HTTP/1.0\r\n\r\n')).toContain(' 200 OK');
    old.close();
  });

  it('[FP1] of a listener that closes are answered last, and idle connections end', async () => {
    const other = await openHarness({ clock: systemClock, rateMultiplier: 0 });
    const otherPort = await other.gateway.listen({ host: '127.0.0.1', port: 0 });
    const idle = connect(otherPort, '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.resume();
    await other.close();
    await ended;
    expect(idle.destroyed).toBe(true);
  });
});

describe('nosniff', () => {
  const NOSNIFF = /\r\nx-content-type-options: nosniff\r\n/i;
  const upgrade =
    'GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  it.each([
    ['an order on the short way', () => requestText({})],
    ['an order that Node reads', () => requestText({}, UNUSUAL)],
    ['a refused order', () => requestText({ body: '{}' })],
    ['what is not HTTP', () => 'hello\r\n\r\n'],
    ['a document', () => 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a refused upgrade', () => upgrade],
  ])('[CN14] stands on %s', async (_name, text) => {
    const client = new RawClient(port);
    client.send(text());
    const [answer] = await client.until(1);
    expect(`${answer!.split('\r\n\r\n')[0]}\r\n`).toMatch(NOSNIFF);
    client.socket.destroy();
  });

  it('[CN14] stands on a preflight', async () => {
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
    const answer = await harness.call({ method: 'OPTIONS', url: '/v1/orders', headers });
    expect([answer.statusCode, answer.headers['x-content-type-options']]).toEqual([204, 'nosniff']);
  });
});
