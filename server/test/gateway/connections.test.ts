import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@sibyl/contract';
import { systemClock } from '@sibyl/lane';
import { afterEach, describe, expect, it } from 'vitest';
import { type Harness, type HarnessOptions, openHarness } from './harness.ts';
import { held, isDownTo, orderText, RawClient } from './raw-client.ts';

const HEALTH = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n';

interface Open {
  readonly harness: Harness;
  readonly server: Server;
  readonly clients: RawClient[];
  connect(options?: { readonly isHalfOpen?: boolean }): RawClient;
}

const opened: Open[] = [];

async function open(options: HarnessOptions = {}): Promise<Open> {
  const harness = await openHarness(options);
  const port = await harness.gateway.listen({ host: '127.0.0.1', port: 0 });
  const clients: RawClient[] = [];
  const one: Open = {
    harness,
    server: harness.gateway.app.server,
    clients,
    connect(how) {
      const client = new RawClient(port, how);
      clients.push(client);
      return client;
    },
  };
  opened.push(one);
  return one;
}

afterEach(async () => {
  for (const { harness, clients } of opened.splice(0)) {
    for (const client of clients) client.close();
    await harness.close();
  }
});

/** However it ends: what was sent and not read ends it with a reset. */
function goneAgain({ socket }: RawClient): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

function account(key: string): string {
  return `GET /v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
}

describe('connections that are over', () => {
  it('[CN1] are given back although the other side never closes', async () => {
    const { harness, server, connect } = await open({ clock: systemClock, rateMultiplier: 100 });
    const token = await harness.session();
    const silent = connect({ isHalfOpen: true });
    const ending = once(silent.socket, 'end');
    const garbage = connect({ isHalfOpen: true });
    expect(await garbage.ask('hello there\r\n\r\n')).toContain('HTTP/1.1 400');
    const last = connect({ isHalfOpen: true });
    for (let count = 0; count < 1000; count += 1) await last.ask(orderText(token));
    expect(last.answers.at(-1)).toContain('Connection: close');
    const { strangersPerAddressMax } = limits.connection;
    const strangers = Array.from({ length: strangersPerAddressMax }, () => connect());
    for (const stranger of strangers) await stranger.ask(HEALTH);
    const refused = connect({ isHalfOpen: true });
    expect(await refused.ask(HEALTH)).toContain('HTTP/1.1 429');
    for (const stranger of strangers) stranger.close();
    // It has asked nothing for as long as a head may take.
    await ending;
    expect(await isDownTo(server, 0)).toBe(true);
    expect(silent.answers).toEqual([]);
    for (const { socket } of [silent, garbage, last, refused]) expect(socket.writable).toBe(true);
  });

  it('[CN1] do not hold up the end of the server', async () => {
    const { harness, connect } = await open({ clock: systemClock, rateMultiplier: 0 });
    const idle = connect({ isHalfOpen: true });
    await idle.ask(orderText(await harness.session()));
    await harness.close();
    opened.length = 0;
    expect(idle.socket.readableEnded).toBe(true);
    idle.close();
  });

  it('[CN1] do not hold up the end of the server by what they have not asked yet', async () => {
    const { harness, server, connect } = await open({ clock: systemClock, rateMultiplier: 0 });
    // Browsers open connections that they may need.
    const spare = connect();
    const halfWay = connect();
    halfWay.socket.write('GET /v1/health HTTP/1.1\r\nHos');
    const another = connect();
    await another.ask(HEALTH);
    another.socket.write(orderText('nobody').slice(0, -5));
    const gone = [spare, halfWay, another].map(goneAgain);
    while ((await held(server)) < 3) await pause(5);
    await harness.close();
    opened.length = 0;
    await Promise.all(gone);
  });

  it('[CN1] do not hold up the end of the server by a request of which the rest never comes', async () => {
    const { harness, connect } = await open({ clock: systemClock, rateMultiplier: 0 });
    const token = await harness.session();
    const slow = connect();
    slow.socket.write(
      `POST /v1/keys HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    );
    await pause(100);
    const gone = goneAgain(slow);
    await harness.close();
    opened.length = 0;
    await gone;
  });
});

/** The process gets no time on a busy machine: timers are over before anything that has arrived is read. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('kept connections', () => {
  it('[CN17] announce five seconds on either way, and are kept for a minute', async () => {
    const { harness, server, connect } = await open({ rateMultiplier: 0 });
    const direct = connect();
    const order = orderText(await harness.session());
    expect(await direct.ask(order)).toContain('\r\nKeep-Alive: timeout=5, ');
    for (let second = 0; second < 59; second += 1) harness.clock.advance(1_000);
    await pause(20);
    expect(await direct.ask(order)).toContain('HTTP/1.1 200');
    for (let second = 0; second < 62; second += 1) harness.clock.advance(1_000);
    await direct.closed();
    expect(await connect().ask(HEALTH)).toContain('\r\nKeep-Alive: timeout=5, ');
    expect(server.keepAliveTimeout + server.keepAliveTimeoutBuffer).toBe(60_000);
  });

  it('[CN17] are not closed on an order that has arrived when their time is over', async () => {
    const { harness, connect } = await open({ rateMultiplier: 0 });
    const client = connect();
    const order = orderText(await harness.session());
    expect(await client.ask(order)).toContain('HTTP/1.1 200');
    client.send(order);
    for (let second = 0; second < 62; second += 1) harness.clock.advance(1_000);
    expect((await client.until(2))[1]).toContain('HTTP/1.1 200');
  });

  it('[CN17] are not closed on a request that has arrived when their time is over', async () => {
    const { server, connect } = await open({ clock: systemClock, rateMultiplier: 0 });
    Object.assign(server, { keepAliveTimeout: 150, keepAliveTimeoutBuffer: 0 });
    const client = connect();
    await client.ask(HEALTH);
    client.send(HEALTH);
    stall(300);
    expect((await client.until(2))[1]).toContain('HTTP/1.1 200');
    // One on which nothing has arrived ends.
    await client.closed();
  });

  it('[CN19] a request that has arrived is answered, however late it is read', async () => {
    const { connect } = await open({ clock: systemClock, rateMultiplier: 0 });
    const client = connect();
    client.send(HEALTH.slice(0, -4));
    await pause(4_500);
    // Behind reading and before timers.
    await new Promise(setImmediate);
    client.send(HEALTH.slice(-4));
    stall(2_000);
    expect((await client.until(1))[0]).toContain('HTTP/1.1 200');
    expect(await client.ask(HEALTH)).toContain('HTTP/1.1 200');
  });

  it.each([
    ['orders', orderText],
    ['requests', () => HEALTH],
  ])('[CN18] get an answer to %s that have arrived when the server stops', async (_, text) => {
    const { harness, connect } = await open({ clock: systemClock, rateMultiplier: 0 });
    const asked = text(await harness.session());
    const client = connect();
    const idle = connect();
    for (const one of [client, idle]) expect(await one.ask(asked)).toContain('HTTP/1.1 200');
    client.send(asked);
    const ended = harness.gateway.close();
    const answer = (await client.until(2))[1] ?? 'nothing';
    expect(answer).toContain('HTTP/1.1 503');
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    // It was idle for some time, and asks before the server has closed it.
    await pause(200);
    expect(await idle.ask(asked)).toContain('HTTP/1.1 503');
    await ended;
  });
});

describe('shares of the connections', () => {
  it('[CN2] a credential has so many, and is told at the next; another is not concerned', async () => {
    const { harness, connect } = await open({ clock: systemClock, rateMultiplier: 10 });
    const [one, other] = [await harness.key(), await harness.key()];
    const { perCredentialMax } = limits.connection;
    const clients = Array.from({ length: perCredentialMax }, () => connect());
    const answers = await Promise.all(clients.map((client) => client.ask(account(one))));
    expect(answers.filter((answer) => !answer.startsWith('HTTP/1.1 200'))).toEqual([]);
    const refused = connect();
    const answer = (await refused.ask(account(one))).toLowerCase();
    expect(answer).toContain('http/1.1 429');
    expect(answer).toContain('\r\nretry-after: 1\r\n');
    expect(answer).toContain('\r\nconnection: close\r\n');
    expect(answer).toContain('"limit":"connections"');
    expect(await connect().ask(account(other))).toContain('HTTP/1.1 200');
    // One that is there already goes on, and one that ends makes a place.
    expect(await clients[0]!.ask(account(one))).toContain('HTTP/1.1 200');
    clients[1]!.close();
    await once(clients[1]!.socket, 'close');
    expect(await asksUntilLetIn(() => connect().ask(account(one)))).toBe(true);
  });

  it('[CN2] an address has so many that have asked nothing, and is told at the next', async () => {
    const { server, connect } = await open({ clock: systemClock });
    const { silentPerAddressMax } = limits.connection;
    const silent = Array.from({ length: silentPerAddressMax }, () => connect());
    await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
    while ((await held(server)) < silentPerAddressMax) await pause(5);
    const [answer = ''] = await connect().until(1);
    expect(answer).toContain('HTTP/1.1 429 Too Many Requests');
    expect(answer).toContain('\r\nretry-after: 1\r\n');
  });

  it('[CN3] those that are owed nothing make room for newcomers, those that wait stay', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { harness, server, connect } = await open({
      clock: systemClock,
      connectionsMax: 100,
      overrides: { listMarkets: () => released.then(() => ({ data: [] })) },
    });
    const key = await harness.key();
    const waiting = connect();
    waiting.send('GET /v1/markets HTTP/1.1\r\nHost: x\r\n\r\n');
    while (harness.calls.every(({ operation }) => operation !== 'listMarkets')) await pause(5);
    const known = connect();
    expect(await known.ask(account(key))).toContain('HTTP/1.1 200');
    for (let count = 0; count < 150; count += 1) {
      await once(connect().socket, 'connect');
      // A place is free again a turn after its connection was closed.
      await pause(1);
    }
    const newcomer = connect();
    expect(await newcomer.ask(HEALTH)).toContain('HTTP/1.1 200');
    expect(await held(server)).toBeLessThanOrEqual(100);
    expect(await known.ask(account(key))).toContain('HTTP/1.1 200');
    release();
    expect((await waiting.until(1))[0]).toContain('HTTP/1.1 200');
  });
});

/** A place is free when the server has heard of the end of the one before. */
async function asksUntilLetIn(ask: () => Promise<string>): Promise<boolean> {
  for (let turn = 0; turn < 50; turn += 1) {
    if ((await ask()).startsWith('HTTP/1.1 200')) return true;
    await pause(20);
  }
  return false;
}

describe('answers that nobody reads', () => {
  const DOCUMENT = 'GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n';
  const ASKED = 4;

  it('[CN4] are given up after ten seconds without a byte taken, many on one connection too', async () => {
    const { harness, server, connect } = await open({ rateMultiplier: 0 });
    const unread = connect();
    unread.socket.pause();
    unread.send(DOCUMENT.repeat(ASKED));
    const slow = connect();
    slow.socket.pause();
    slow.send(DOCUMENT.repeat(ASKED));
    const seconds = limits.connection.unreadAnswerMs / 1000;
    for (let second = 0; second < seconds * 2; second += 1) {
      await readSome(slow);
      harness.clock.advance(1_000);
      await pause(5);
    }
    expect(await isDownTo(server, 1)).toBe(true);
    slow.socket.resume();
    const answers = await slow.until(ASKED);
    expect(answers.map((answer) => answer.slice(0, 12))).toEqual(
      Array.from({ length: ASKED }, () => 'HTTP/1.1 200'),
    );
  });

  /** As much as it takes until the system asks for more, and little of the whole. */
  async function readSome({ socket }: RawClient): Promise<void> {
    const until = socket.bytesRead + 500_000;
    socket.resume();
    while (socket.bytesRead < until) await once(socket, 'data');
    socket.pause();
  }
});
