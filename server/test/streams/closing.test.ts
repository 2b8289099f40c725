// Connections are freed: one that is refused, closed or too many no longer counts against a limit.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLOSE, closingOf, PING, PONG, RawSocket, TEXT } from './raw-socket.ts';
import { type Client, openStage, pause, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

function connections(): Promise<number> {
  const { server } = stage.exchange.gateway.app;
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}

/** Lets time pass for the service until it has given back all of its connections; false if it never does. */
async function allGivenBack(): Promise<boolean> {
  for (let turn = 0; turn < 40; turn += 1) {
    if ((await connections()) === 0) return true;
    stage.exchange.clock.advance(100);
    await pause(10);
  }
  return false;
}

describe('a peer that never hangs up', () => {
  it('[WS1] loses its connection a second after its upgrade was refused', async () => {
    const raw = await RawSocket.open(stage.url, '/elsewhere');
    expect(await raw.ended).toBe('ended');
    expect(raw.head()).toMatch(/^HTTP\/1.1 404/);
    expect(await connections()).toBe(1);
    expect(await allGivenBack()).toBe(true);
  });

  const closings: readonly [string, number, (raw: RawSocket) => void][] = [
    ['it sent what is not read', 1003, (raw) => raw.send(2, 'x')],
    ['it sent what is no frame', 1002, (raw) => raw.socket.write(Buffer.from([0x83, 0x00]))],
    ['it sent more than a frame may hold', 1009, (raw) => raw.send(TEXT, 'x'.repeat(16_385))],
    ['it closed the socket itself', 1000, (raw) => raw.send(CLOSE, Buffer.from([0x03, 0xe8]))],
  ];
  for (const [why, code, send] of closings) {
    it(`[WS2] loses its connection a second after the closing frame: ${why}`, async () => {
      const raw = await RawSocket.open(stage.url);
      send(raw);
      await expect.poll(() => raw.read().frames.at(-1)?.opcode).toBe(CLOSE);
      expect(closingOf(raw.read().frames.at(-1)!).code).toBe(code);
      expect(await allGivenBack()).toBe(true);
    });
  }
});

describe('control frames', () => {
  it.each([
    ['pings', PING],
    ['pongs', PONG],
  ])(
    '[WS4] %s are frames like others: a few are read, too many end the socket',
    async (_, opcode) => {
      const bystander = await stage.connect();
      const raw = await RawSocket.open(stage.url);
      raw.send(opcode, '', 10);
      if (opcode === PING) {
        const pongs = (): number =>
          raw.read().frames.filter((frame) => frame.opcode === PONG).length;
        await expect.poll(pongs).toBe(10);
      }
      raw.send(opcode, '', 80_000);
      await bystander.settle();
      await expect.poll(() => raw.read().frames.at(-1)?.opcode).toBe(CLOSE);
      const { frames, leftBytes } = raw.read();
      expect(leftBytes).toBe(0);
      expect(frames.filter((frame) => frame.opcode === PONG).length).toBeLessThanOrEqual(20);
      expect(frames.some(({ payload }) => payload.includes('"type":"throttled"'))).toBe(true);
      expect(closingOf(frames.at(-1)!).code).toBe(4029);
      bystander.socket.terminate();
      expect(await allGivenBack()).toBe(true);
    },
  );

  it('[WS4] a frame now and then while it is throttled does not make a flood a new one', async () => {
    const client = await stage.connect();
    for (let turn = 0; turn < 4 && client.closed === null; turn += 1) {
      for (let count = 0; count < 100; count += 1) client.send({ op: 'PING' });
      await pause(50);
      stage.exchange.clock.advance(200);
    }
    expect(await client.ended()).toBe(4029);
    expect(await allGivenBack()).toBe(true);
  });
});

describe('a refused upgrade', () => {
  const COMMON = [
    'x-request-id',
    'x-api-version',
    'x-money-format',
    'x-pii-redacted',
    'x-content-type-options',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-ratelimit-category',
    'x-ratelimit-scope',
  ];

  it('[WS13] has the headers of every answer, and Retry-After where there were too many', async () => {
    const limited = await openStage({ hasLimits: true });
    const open: Client[] = [];
    for (let count = 0; count < 20; count += 1) open.push(await limited.connect());
    for (const [path, status] of [
      ['/elsewhere', 404],
      ['/sandbox/ws', 429],
    ] as const) {
      const raw = await RawSocket.open(limited.url, path);
      await raw.ended;
      const head = raw.head().toLowerCase();
      expect(head).toMatch(new RegExp(`^http/1.1 ${status} `));
      for (const name of COMMON) expect(head).toContain(`\r\n${name}: `);
      expect(head.includes('\r\nretry-after: 5\r\n')).toBe(status === 429);
    }
    await limited.close();
  });
});

describe('shares of the places', () => {
  it('[RQ17] an address and a session have their sockets in each lane', async () => {
    const limited = await openStage({ hasLimits: true });
    const token = await limited.exchange.session();
    for (const path of ['/ws', '/sandbox/ws']) {
      for (let count = 0; count < 10; count += 1) {
        const client = await limited.connect(path);
        await client.ask({ op: 'AUTH', token }, 'authenticated');
      }
      const client = await limited.connect(path);
      expect((await client.ask({ op: 'AUTH', token }, 'error')).data.code).toBe('RATE_LIMITED');
      for (let count = 0; count < 19; count += 1) await limited.connect(path);
      const raw = await RawSocket.open(limited.url, path);
      await raw.ended;
      expect(raw.head()).toMatch(/^HTTP\/1.1 429/);
    }
    await limited.close();
  });

  it('[WS14] a tier multiplies how many sockets a key may have, at once', async () => {
    const limited = await openStage({ hasLimits: true });
    const { exchange } = limited;
    const token = await exchange.key({ tier: 'read_live' });
    const join = async (reply: 'error' | 'authenticated') =>
      (await limited.connect('/ws')).ask({ op: 'AUTH', token }, reply);
    for (let count = 0; count < 10; count += 1) await join('authenticated');
    expect((await join('error')).data.code).toBe('RATE_LIMITED');
    const change = { actor: 'test', reason: 'test', atMs: 0 };
    await exchange.platform.setKeyTier(token.slice(0, 24), 'genesis', change);
    for (let count = 10; count < 100; count += 1) await join('authenticated');
    expect((await join('error')).data.code).toBe('RATE_LIMITED');
    await limited.close();
  });

  it('[WS3] a hundred known sockets for an address and ten for a credential, and each place is given back', async () => {
    const limited = await openStage({ hasLimits: true });
    const sessions = await Promise.all(
      Array.from({ length: 11 }, () => limited.exchange.session()),
    );
    const known: Client[] = [];
    const refusal = { code: 'RATE_LIMITED', details: { limit: 'sockets' } };
    for (const token of sessions.slice(0, 10)) {
      for (let count = 0; count < 10; count += 1) {
        const client = await limited.connect();
        await client.ask({ op: 'AUTH', token }, 'authenticated');
        known.push(client);
      }
    }
    const last = await limited.connect();
    const ask = (token: string, reply: 'error' | 'authenticated') =>
      last.ask({ op: 'AUTH', token }, reply);
    expect((await ask(sessions[0]!, 'error')).data).toMatchObject(refusal);
    expect((await ask(sessions[10]!, 'error')).data).toMatchObject(refusal);
    known[0]!.socket.close();
    await known[0]!.ended();
    await ask(sessions[0]!, 'authenticated');
    await limited.close();
  });
});
