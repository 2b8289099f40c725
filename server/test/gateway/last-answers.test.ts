import { type IncomingMessage, METHODS } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { limits, operations } from '@sibyl/contract';
import { systemClock } from '@sibyl/lane';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { requestIdsOf } from '../../src/gateway/request-ids.ts';
import { type Harness, openHarness } from './harness.ts';
import { isDownTo, orderText, RawClient } from './raw-client.ts';

let harness: Harness;
let port: number;
let token: string;
beforeAll(async () => {
  harness = await openHarness({
    clock: systemClock,
    rateMultiplier: 0,
    // Long enough that whatever follows a request is read before its answer is there.
    overrides: { amendOrder: () => pause(100, { data: operations.amendOrder.example.data }) },
  });
  port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
  token = await harness.session();
});
afterAll(() => harness.close());

beforeEach(() => {
  harness.calls.length = 0;
});

const GARBAGE = 'hello there\r\n\r\n';

/** The connection as the server has it, once a request came on it. */
function nextServerSocket(): Promise<Socket> {
  const { server } = harness.gateway.app;
  return new Promise((resolve) =>
    server.once('request', ({ socket }: IncomingMessage) => resolve(socket)),
  );
}

function statuses(client: RawClient): readonly string[] {
  return client.answers.map((answer) => answer.slice(9, 12));
}

/** Until the server has given the connection back: a half-open client does not notice. */
async function ended({ gateway }: Harness = harness): Promise<void> {
  expect(await isDownTo(gateway.app.server, 0)).toBe(true);
}

describe('after the last answer', () => {
  it('[CN7] nothing is done: on the short way', async () => {
    const client = new RawClient(port, { isHalfOpen: true });
    for (let count = 0; count < 1000; count += 1) await client.ask(orderText(token));
    client.send(orderText(token));
    await ended();
    expect(client.answers.at(-1)).toContain('Connection: close');
    expect([client.answers.length, harness.calls.length]).toEqual([1000, 1000]);
  });

  it('[CN7] nothing is done: after Connection: close, and the answer is not replaced', async () => {
    const client = new RawClient(port);
    client.send(orderText(token, 'Connection: close\r\n') + orderText(token));
    await client.closed();
    expect([statuses(client), harness.calls.length]).toEqual([['200'], 1]);
  });

  it('[CN7] nothing is done: after a refusal of what came', async () => {
    const client = new RawClient(port, { isHalfOpen: true });
    expect(await client.ask(GARBAGE)).toContain('HTTP/1.1 400');
    client.send(orderText(token));
    await ended();
    expect([client.answers.length, harness.calls.length]).toEqual([1, 0]);
  });

  it.each([
    ['without a Host', 'POST /v1/orders HTTP/1.1\r\n', '400'],
    ['with a Host that cannot be read', 'POST /v1/orders HTTP/1.1\r\nHost: a b\r\n', '400'],
    ['to an unknown path', 'POST /v1/nothing HTTP/1.1\r\nHost: x\r\n', '404'],
    ['without a credential', 'POST /v1/orders HTTP/1.1\r\nHost: x\r\n', '401'],
  ])('[CN7] one refusal ends a request %s and with a broken chunk', async (_name, line, status) => {
    const head = `${line}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    for (const [first, second] of [
      [`${head}zz\r\n`, ''],
      [head, 'zz\r\n'],
      [`${head}2\r\n{}\r\n`, 'zz\r\n'],
    ] as const) {
      const client = new RawClient(port);
      client.send(first);
      if (second !== '') {
        await pause(20);
        client.send(second);
      }
      await client.closed();
      expect(statuses(client)).toHaveLength(1);
      expect([status, '400']).toContain(statuses(client)[0]);
      await ended();
    }
  });

  it('[CN7] nothing is done: after a body took too long to come', async () => {
    const client = new RawClient(port, { isHalfOpen: true });
    const text = orderText(token);
    const begun = nextServerSocket();
    client.send(text.slice(0, -10));
    // What Node says of a request that is not whole after ten seconds.
    const late = Object.assign(new Error('too late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    harness.gateway.app.server.emit('clientError', late, await begun);
    expect((await client.until(1))[0]).toContain('HTTP/1.1 400');
    client.send(text.slice(-10) + text);
    await ended();
    expect([client.answers.length, harness.calls.length]).toEqual([1, 0]);
  });

  it('[CN16] nothing is said on a connection that asked for nothing in time', async () => {
    const client = new RawClient(port);
    // Node gives up on it by itself after five seconds.
    await client.closed();
    expect(client.answers).toEqual([]);
  });

  it('[CN7] nothing is done: after a connection was one too many', async () => {
    const other = await openHarness({ clock: systemClock });
    const to = await other.gateway.listen({ host: '127.0.0.1', port: 0 });
    const key = await other.session();
    other.calls.length = 0;
    const { silentPerAddressMax } = limits.connection;
    const silent = Array.from({ length: silentPerAddressMax }, () => new RawClient(to));
    await Promise.all(
      silent.map((client) => new Promise((resolve) => client.socket.once('connect', resolve))),
    );
    const refused = new RawClient(to, { isHalfOpen: true });
    expect((await refused.until(1))[0]).toContain('HTTP/1.1 429');
    refused.send(orderText(key));
    for (const client of silent) client.close();
    await ended(other);
    expect([refused.answers.length, other.calls.length]).toEqual([1, 0]);
    await other.close();
  });
});

describe('the order of answers', () => {
  const SLOW = `PATCH /v1/orders/ord_1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 14\r\n`;
  const slow = (): string =>
    `${SLOW}Authorization: Bearer ${token}\r\n\r\n{"price":"0.5"}`.replace('14', '15');

  it.each([
    ['garbage', GARBAGE, '400'],
    ['a head that is too large', `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, '400'],
    [
      'a chunk that is none',
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      '400',
    ],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', '404'],
  ])('[CN8] an order is answered before %s that follows it', async (_name, next, status) => {
    for (const first of [orderText(token), slow()]) {
      const client = new RawClient(port);
      client.send(first + next);
      await client.closed();
      expect(statuses(client)).toEqual(['200', status]);
    }
    expect(harness.calls.map(({ operation }) => operation)).toEqual(['placeOrder', 'amendOrder']);
  });
});

describe('a client that closes its half', () => {
  it.each([
    ['on the short way', ''],
    ['through Node', 'Connection: Upgrade\r\nUpgrade: h2c\r\n'],
  ])('[CN13] gets its answer %s', async (_way, lines) => {
    // Long enough that the end of what the client says is read before the answer is there.
    const placeOrder = () => pause(100, { data: operations.placeOrder.example.data });
    const slow = await openHarness({ clock: systemClock, overrides: { placeOrder } });
    const to = await slow.gateway.listen({ host: '127.0.0.1', port: 0 });
    const client = new RawClient(to, { isHalfOpen: true });
    client.socket.end(orderText(await slow.session(), lines));
    await client.closed();
    expect(statuses(client).at(-1)).toBe('200');
    await slow.close();
  });
});

describe('unusual requests', () => {
  it('[CN10] any upgrade but to a WebSocket is ignored, and the connection ends with the answer', async () => {
    const { server } = harness.gateway.app;
    const upgraded: (string | undefined)[] = [];
    const upgrade = ({ headers }: IncomingMessage, socket: Socket): void => {
      upgraded.push(headers.upgrade);
      socket.destroy();
    };
    server.on('upgrade', upgrade);
    for (const name of ['h2c', 'TLS/1.0', 'IRC/6.9', 'websockets', 'h2c, websocket', '?']) {
      const client = new RawClient(port);
      const lines = `Connection: Upgrade, HTTP2-Settings\r\nUpgrade: ${name}\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n`;
      // What comes behind it in the same piece is lost in Node's parser: the answer says that nothing more is to come.
      client.send(`${orderText(token, lines)}${orderText(token)}`);
      await client.closed();
      expect(statuses(client)).toEqual(['200']);
      expect(client.answers[0]?.toLowerCase()).toContain('connection: close');
    }
    expect(upgraded).toEqual([]);
    const client = new RawClient(port);
    client.send('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n');
    await client.closed();
    expect(upgraded).toEqual(['WebSocket']);
    server.off('upgrade', upgrade);
  });

  // The answer to HEAD has no body to wait for.
  it.each(METHODS.filter((method) => method !== 'HEAD'))(
    '[CN11] %s is answered with 404 and what is allowed',
    async (method) => {
      const isConnect = method === 'CONNECT';
      const json = 'Content-Type: application/json\r\n';
      for (const rest of [
        '\r\n',
        `${json}Content-Length: 0\r\n\r\n`,
        `${json}Content-Length: 2\r\n\r\n{}`,
        'Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}',
        'Content-Type: ?\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      ]) {
        const client = new RawClient(port);
        const target = isConnect ? 'a.example:443' : '/v1/markets/templates';
        const answer = await client.ask(`${method} ${target} HTTP/1.1\r\nHost: x\r\n${rest}`);
        if (method === 'GET') expect(answer).toContain('HTTP/1.1 200');
        else {
          expect(answer).toContain('HTTP/1.1 404');
          expect(answer).toContain(
            `\r\nallow: ${isConnect ? 'GET, HEAD, POST, PATCH, DELETE' : 'GET, HEAD'}\r\n`,
          );
          expect(answer).toContain('"code":"NOT_FOUND"');
        }
        client.close();
      }
    },
  );

  it('[CN11] a method that a document does not have is told what it has', async () => {
    const answer = await harness.call({ method: 'POST', url: '/openapi.json' });
    expect([answer.statusCode, answer.headers.allow]).toEqual([404, 'GET, HEAD']);
  });
});

describe('names of requests', () => {
  it('[CN12] are all different and tell nothing of each other', () => {
    const next = requestIdsOf(systemRandom);
    const ids = Array.from({ length: 20_000 }, next);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^req_[0-9A-Za-z]{18}$/.test(id))).toEqual([]);
    // A count would only rise, and would leave places that hardly ever change.
    const rises = ids.filter((id, index) => index > 0 && id > ids[index - 1]!).length;
    expect(rises / ids.length).toBeGreaterThan(0.45);
    expect(rises / ids.length).toBeLessThan(0.55);
    for (let digit = 4; digit < 22; digit += 1) {
      const same = ids.filter((id, index) => index > 0 && id[digit] === ids[index - 1]![digit]);
      expect(same.length / ids.length).toBeLessThan(0.03);
    }
  });
});
