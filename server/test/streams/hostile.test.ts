// Frames that no honest client sends: each gets a clear answer, and nobody else notices.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { asMarketId } from '@sibyl/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, openStage, pause, type Stage } from './stage.ts';

let stage: Stage;
let bystander: Client;
let marketId: string;

beforeAll(async () => {
  stage = await openStage();
  marketId = await stage.exchange.market('pool', 1);
  bystander = await stage.connect();
  await bystander.ask({ op: 'SUBSCRIBE', params: [`orderbook:${marketId}`] }, 'subscribed');
  await bystander.next('orderbook');
});

afterAll(() => stage.close());

/** Something happens in the market, and the bystander hears of it. */
async function expectUnhurt(): Promise<void> {
  const halted = { type: 'halt_market', marketId: asMarketId(marketId), untilMs: null } as const;
  const other = await stage.connect();
  await other.ask({ op: 'SUBSCRIBE', params: ['markets_snapshot'] }, 'subscribed');
  await stage.exchange.operate({ ...halted, reason: 'x' });
  await other.next('market_halted');
  await stage.exchange.operate({ type: 'resume_market', marketId: asMarketId(marketId) });
  other.socket.close();
  await bystander.settle();
  stage.exchange.clock.advance(1_000);
  expect(bystander.closed).toBe(null);
}

async function errorFor(text: string | Buffer, binary = false): Promise<[Client, object]> {
  const client = await stage.connect();
  const error = client.next('error');
  client.socket.send(text, { binary });
  return [client, (await error).data];
}

describe('[T10c] a bad frame gets a clear error', () => {
  const cases: readonly [string, string, object][] = [
    ['not JSON', '{"op":', { code: 'BAD_REQUEST', op: null, id: null }],
    ['not an object', '[1]', { code: 'BAD_REQUEST', op: null }],
    ['a prototype', '{"op":"PING","__proto__":{"x":1}}', { code: 'BAD_REQUEST' }],
    ['no command', '{"id":4}', { code: 'MISSING_FIELD', id: 4, details: { field: 'op' } }],
    [
      'an unknown command',
      '{"op":"DANCE","id":"x"}',
      { code: 'VALIDATION_FAILED', op: 'DANCE', id: 'x' },
    ],
    ['two commands', '{"op":"PING","method":"AUTH"}', { code: 'BAD_REQUEST', op: 'PING' }],
    [
      'a missing field',
      '{"op":"SUBSCRIBE"}',
      { code: 'MISSING_FIELD', details: { field: 'params' } },
    ],
    [
      'a field too many',
      '{"op":"PING","x":1}',
      { code: 'VALIDATION_FAILED', details: { field: 'x' } },
    ],
    ['no streams', '{"op":"SUBSCRIBE","params":[]}', { code: 'VALIDATION_FAILED' }],
    ['a wrong token', '{"op":"AUTH","token":"sk_live_x"}', { code: 'AUTH_INVALID', op: 'AUTH' }],
  ];
  for (const [name, text, expected] of cases) {
    test(name, async () => {
      const [client, data] = await errorFor(text);
      expect(data).toMatchObject(expected);
      await client.settle();
      client.socket.close();
      await expectUnhurt();
    });
  }

  test('binary, and the socket is closed', async () => {
    const [client, data] = await errorFor(Buffer.from('{"op":"PING"}'), true);
    expect(data).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await client.ended()).toBe(1003);
    await expectUnhurt();
  });

  test('ten thousand streams, which is more than a frame may hold', async () => {
    const params = Array.from({ length: 10_000 }, () => `ticker:${marketId}`);
    const [client, data] = await errorFor(JSON.stringify({ op: 'SUBSCRIBE', params }));
    expect(data).toMatchObject({ code: 'BAD_REQUEST', details: { limit_bytes: 16_384 } });
    expect(await client.ended()).toBe(1009);
    await expectUnhurt();
  });

  test('more streams than one may have, in one frame and in several', async () => {
    const names = Array.from({ length: 300 }, (_, index) => `ticker:${marketId}:o${index}`);
    const [client, data] = await errorFor(JSON.stringify({ op: 'SUBSCRIBE', params: names }));
    expect(data).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: 'params' } });
    const params = ['nonsense', 'ticker:m_0000000000000000', names[0], 'ticker'];
    const reply = await client.ask({ op: 'SUBSCRIBE', params }, 'subscribed');
    expect(reply.data.rejected.map(({ code }: { code: string }) => code)).toEqual([
      'VALIDATION_FAILED',
      'MARKET_NOT_FOUND',
      'NOT_FOUND',
    ]);
    expect(reply.data.streams).toMatchObject([{ stream: 'ticker', snapshot: true }]);
    // What is no name is told the names there are, or the forms of the one it meant.
    const [nonsense] = reply.data.rejected;
    expect(nonsense.details.streams).toContain('orderbook');
    expect(nonsense.details.streams).not.toContain('rfq');
    const near = await client.ask(
      { op: 'SUBSCRIBE', params: ['fast_tick:nonsense'] },
      'subscribed',
    );
    expect(near.data.rejected[0].details).toEqual({
      field: 'params',
      streams: ['fast_tick', 'fast_tick:{market_id}'],
    });
    client.socket.close();
  });

  test('AUTH twice: the same account renews, another one changes nothing', async () => {
    const [one, two] = [await stage.exchange.trader(), await stage.exchange.trader()];
    const client = await stage.connect();
    const first = await client.ask({ op: 'AUTH', token: one }, 'authenticated');
    expect(first).toMatchObject({ user_id: first.data.user_id });
    await client.ask({ op: 'AUTH', token: one, id: 2 }, 'authenticated');
    const error = await client.ask({ op: 'AUTH', token: two, id: 3 }, 'error');
    expect(error.data).toMatchObject({ code: 'STATE_CONFLICT', id: 3, op: 'AUTH' });
    await client.ask({ op: 'SUBSCRIBE', params: ['account'] }, 'subscribed');
    const snapshot = await client.next('account');
    expect(snapshot.data.account.account_id).toBe(first.data.account_id);
    client.socket.close();
  });

  test('a flood is throttled, then the socket is closed', async () => {
    const client = await stage.connect();
    for (let count = 0; count < 400; count += 1) client.send({ op: 'PING' });
    expect(await client.ended()).toBe(4029);
    const dropped = client.frames
      .filter(({ type }) => type === 'throttled')
      .reduce((sum, { data }) => sum + data.frames_dropped, 0);
    expect(dropped).toBeGreaterThan(100);
    expect(client.frames.filter(({ type }) => type === 'pong').length).toBeLessThanOrEqual(21);
    await expectUnhurt();
  });
});

describe('[T10c] what is not even a frame', () => {
  test('random bytes, unmasked frames and half a handshake end their own socket only', async () => {
    const port = Number(new URL(stage.url).port);
    const handshake = [
      'GET /sandbox/ws HTTP/1.1',
      'Host: x',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n');
    const unmasked = Buffer.concat([Buffer.from([0x81, 0x02]), Buffer.from('hi')]);
    for (const bytes of [randomBytes(512), unmasked, Buffer.from([0xff]), Buffer.alloc(0)]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(handshake);
      await pause(20);
      socket.write(bytes);
      await pause(20);
      socket.destroy();
    }
    await expectUnhurt();
  });

  test('a path that is none is refused with the envelope', async () => {
    const port = Number(new URL(stage.url).port);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (data) => {
        text += data;
      });
      socket.on('close', () => resolve(text));
      socket.write(
        'GET /elsewhere HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      );
    });
    expect(answer).toMatch(/^HTTP\/1.1 404/);
    expect(answer).toContain('"code":"NOT_FOUND"');
  });
});

describe('[WS3] limits of sockets', () => {
  test('twenty anonymous sockets per address, more once they are authenticated', async () => {
    const limited = await openStage({ hasLimits: true });
    const clients = [];
    for (let count = 0; count < 20; count += 1) clients.push(await limited.connect());
    await expect(limited.connect()).rejects.toThrow();
    await clients[0]!.ask({ op: 'AUTH', token: await limited.exchange.trader() }, 'authenticated');
    const another = await limited.connect();
    await another.settle();
    await limited.close();
  });
});
