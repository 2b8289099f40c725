import { connect, type Socket } from 'node:net';
import { systemClock } from '@sibyl/lane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, type Harness, openHarness } from './harness.ts';

let harness: Harness;
let port: number;
beforeAll(async () => {
  harness = await openHarness({ clock: systemClock });
  port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => harness.close());

const GET = 'GET /v1/health HTTP/1.1\r\nHost: localhost\r\n';

/** Sends the pieces one after the other and reads until the server or the patience ends. */
function exchange(
  pieces: readonly (string | Buffer)[],
  { gapMs = 0, patienceMs = 60_000, to = port } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(to, '127.0.0.1');
    let received = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    const timer = setTimeout(end, patienceMs);
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('close', end);
    socket.on('error', () => undefined);
    socket.on('connect', () => void sendAll(socket, pieces, gapMs));
  });
}

async function sendAll(
  socket: Socket,
  pieces: readonly (string | Buffer)[],
  gapMs: number,
): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    if (gapMs > 0) await new Promise((resolve) => setTimeout(resolve, gapMs));
  }
}

function expectEnvelope(answer: string, status: number, code: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const name of [
    'x-request-id',
    'x-api-version',
    'x-money-format',
    'x-pii-redacted',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
  ]) {
    expect(head.toLowerCase()).toContain(`\r\n${name}: `);
  }
  expect(JSON.parse(body)).toMatchObject({ ok: false, data: null, error: { code } });
}

const post = (headers: string, body: string): string =>
  `POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n${headers}\r\n\r\n${body}`;

describe('raw sockets', () => {
  it.each([
    ['no HTTP', ['hello there\r\n\r\n']],
    ['a method nobody has', ['FLY / HTTP/1.1\r\n\r\n']],
    ['two Content-Lengths', [post('Content-Length: 2\r\nContent-Length: 3', '{}')]],
    [
      'Content-Length with Transfer-Encoding',
      [post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
    ],
    ['a negative Content-Length', [post('Content-Length: -1', '{}')]],
    ['a bad chunk size', [post('Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n')]],
    ['NUL in a header', [`${GET}X-A: a\u0000b\r\n\r\n`]],
    ['a space before the colon', [`${GET}X-A : b\r\n\r\n`]],
    ['a folded header', [`${GET}X-A: b\r\n c\r\n\r\n`]],
    ['headers above 16 KiB', [`${GET}X-A: ${'a'.repeat(20_000)}\r\n\r\n`]],
    ['TLS', [Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])]],
  ] as const)('[T10] %s gets the envelope and the end of the connection', async (_name, pieces) => {
    expectEnvelope(await exchange(pieces), 400, 'BAD_REQUEST');
  });

  it('[T10] a body larger than announced, or than allowed, is refused while it comes', async () => {
    const chunk = `8000\r\n${'a'.repeat(0x8000)}\r\n`;
    const chunked = await exchange([
      post('Transfer-Encoding: chunked', chunk),
      chunk,
      chunk,
      '0\r\n\r\n',
    ]);
    expectEnvelope(chunked, 400, 'BAD_REQUEST');
    expect(chunked).toContain('"limit_bytes":65536');
    expectEnvelope(await exchange([post('Content-Length: 70000', '')]), 400, 'BAD_REQUEST');
  });

  it('[T10] a request cut into single bytes and two in one piece are answered in order', async () => {
    const whole = `${GET}Connection: close\r\n\r\n`;
    expect(await exchange([...whole], { gapMs: 1 })).toContain('"ok":true');
    const unknown = 'GET /v1/nothing HTTP/1.1\r\nHost: a\r\n';
    const both = await exchange([`${GET}\r\n${unknown}Connection: close\r\n\r\n`]);
    expect(both.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404']);
  });

  it('[IB4] headers that come a byte a second are cut off after five', async () => {
    const beganMs = performance.now();
    const answer = await exchange([...GET], { gapMs: 1000, patienceMs: 60_000 });
    // Sending all of it takes more than forty.
    expect(performance.now() - beganMs).toBeLessThan(30_000);
    expectEnvelope(answer, 400, 'BAD_REQUEST');
  });

  it('[IF41] a request of HTTP/1.0 without Host, with Expect or with Upgrade is an ordinary one', async () => {
    expect(await exchange(['GET /v1/health HTTP/1.0\r\n\r\n'])).toContain('"ok":true');
    expect(await exchange([`${GET}Expect: cake\r\nConnection: close\r\n\r\n`])).toContain(
      '"ok":true',
    );
    expect(await exchange([`${GET}Connection: close, upgrade\r\nUpgrade: h2c\r\n\r\n`])).toContain(
      '"ok":true',
    );
  });

  it('[CN2] a stranger keeps a hundred connections, a credential frees them', async () => {
    const other = await openHarness({ clock: systemClock });
    const to = await other.gateway.listen({ host: '127.0.0.1', port: 0 });
    const key = await other.key();
    const open = await Promise.all(Array.from({ length: 105 }, () => connected(to)));
    const answers: string[] = [];
    for (const socket of open) answers.push(await ask(socket, GET));
    expect(answers.slice(0, 100).every((answer) => answer.startsWith('HTTP/1.1 200'))).toBe(true);
    for (const answer of answers.slice(100)) expectEnvelope(answer, 429, 'RATE_LIMITED');
    const named = `GET /v1/account HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer(key).authorization}\r\n`;
    expect(await ask(open[0]!, named)).toContain('HTTP/1.1 200');
    expect(await ask(await connected(to), GET)).toContain('HTTP/1.1 200');
    for (const socket of open) socket.destroy();
    await other.close();
  });

  it('[P14] a key revoked between two requests of a connection is refused the second', async () => {
    const key = await harness.key();
    const socket = await connected(port);
    const account = `GET /v1/account HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n`;
    for (let index = 0; index < 3; index += 1)
      expect(await ask(socket, account)).toContain('HTTP/1.1 200');
    await harness.platform.revokeKey(key.slice(0, 24), 1);
    expectEnvelope(await ask(socket, account), 401, 'AUTH_INVALID');
    socket.destroy();
  });

  it('[T10] refuses garbage from many sides at once, and serves on', async () => {
    const garbage = Array.from({ length: 90 }, (_unused, index) =>
      exchange([Buffer.alloc(2000, index)], { patienceMs: 30_000 }),
    );
    const honest = exchange([`${GET}Connection: close\r\n\r\n`]);
    for (const answer of await Promise.all(garbage)) {
      expect(answer === '' || answer.startsWith('HTTP/1.1 400 ')).toBe(true);
    }
    expect(await honest).toContain('"ok":true');
    expect(await exchange([`${GET}Connection: close\r\n\r\n`])).toContain('"ok":true');
  });
});

describe('closing', () => {
  it('[RE7] finishes what it has, takes no more, and ends', async () => {
    let release: () => void = () => undefined;
    let entered: () => void = () => undefined;
    const isRunning = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const other = await openHarness({
      clock: systemClock,
      overrides: {
        listMarkets: () => {
          entered();
          return new Promise((resolve) => {
            release = () => resolve({ data: [] });
          });
        },
      },
    });
    const to = await other.gateway.listen({ host: '127.0.0.1', port: 0 });
    const idle = await connected(to);
    await ask(idle, GET);
    const slow = exchange(['GET /v1/markets HTTP/1.1\r\nHost: a\r\n\r\n'], { to });
    await isRunning;
    const closing = other.gateway.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(connected(to)).rejects.toThrow();
    release();
    const answer = await slow;
    expect(answer).toContain('HTTP/1.1 200');
    expect(answer.toLowerCase()).toContain('connection: close');
    await closing;
    await Promise.all(Object.values(other.lanes).map((lane) => lane.close()));
  });
});

function connected(to: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(to, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** One request on an open connection, and its whole answer. */
function ask(socket: Socket, request: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const read = (chunk: Buffer): void => {
      received += chunk.toString();
      const [head = '', body = ''] = received.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? -1);
      if (Buffer.byteLength(body) < length || length === -1) return;
      socket.off('data', read);
      resolve(received);
    };
    socket.on('data', read);
    socket.once('close', () => resolve(received));
    socket.write(`${request}\r\n`);
  });
}
