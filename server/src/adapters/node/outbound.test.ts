import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { limits } from '@sibyl/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuard, NO_ALLOWANCE, parseAllowance } from '../../delivery/guard.ts';
import type { Outbound, Resolver } from '../../ports/outbound.ts';
import { type Dialer, type DialTarget, NodeOutbound, OUTBOUND_LIMITS } from './outbound.ts';

const OWNER = { environment: 'live', accountId: 'acc_a', createdBy: null } as const;
const LOCAL = createGuard(parseAllowance(['127.0.0.0/8']));
const STRICT = createGuard(NO_ALLOWANCE);
const QUICK = { connectMs: 300, totalMs: 700 };

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function receiver(listener: RequestListener): Promise<{ port: number; server: Server }> {
  const server = createServer(listener);
  closers.push(() => server.closeAllConnections());
  return { port: await listen(server), server };
}

function post(outbound: Outbound, url: string): ReturnType<Outbound['send']> {
  return outbound.send({ owner: OWNER, url, headers: { 'x-a': 'b' }, body: '{"x":"ü"}' });
}

describe('[IF3c] what a receiver can do to a delivery', () => {
  const outbound = new NodeOutbound({ guard: LOCAL, limits: QUICK });

  it('has the limits that the contract states', () => {
    const { connectTimeoutMs, timeoutMs, responseBytesMax } = limits.webhook;
    expect(OUTBOUND_LIMITS).toMatchObject({
      connectMs: connectTimeoutMs,
      totalMs: timeoutMs,
      answerBytesMax: responseBytesMax,
    });
  });

  it('is not blamed for the time in which this thread was busy', async () => {
    const { port } = await receiver((_request, response) => response.end());
    const dialer: Dialer = {
      dial: ({ address, port: at, signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          const socket = connect({ host: address, port: at }, () => resolve(socket));
          // The connection is made in time, and nobody here can hear of it.
          const endMs = Date.now() + QUICK.connectMs + 100;
          while (Date.now() < endMs);
        }),
    };
    const busy = new NodeOutbound({ guard: LOCAL, limits: QUICK, dialer });
    const result = await post(busy, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('posts exactly the body with Host, length and its own headers, and closes', async () => {
    const seen: unknown[] = [];
    const { port } = await receiver((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { host, connection, 'x-a': own, 'content-length': length } = request.headers;
        const body = Buffer.concat(parts).toString();
        seen.push({
          method: request.method,
          url: request.url,
          host,
          connection,
          own,
          length,
          body,
        });
        response.writeHead(204).end();
      });
    });
    const result = await post(outbound, `http://127.0.0.1:${port}/hooks?a=1`);
    expect(result).toMatchObject({ kind: 'answered', status: 204, answerBytes: 0 });
    expect(seen).toEqual([
      {
        method: 'POST',
        url: '/hooks?a=1',
        host: `127.0.0.1:${port}`,
        connection: 'close',
        own: 'b',
        length: '10',
        body: '{"x":"ü"}',
      },
    ]);
  });

  it.each([200, 299, 301, 307, 308, 404, 410, 500, 503])('reports %i as it is', async (status) => {
    let visits = 0;
    const { port } = await receiver((_request, response) => {
      visits += 1;
      response.writeHead(status, { location: `http://127.0.0.1:${port}/elsewhere` }).end('because');
    });
    const result = await post(outbound, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'answered', status });
    // A redirect is an answer like any other: nobody goes where it points.
    expect(visits).toBe(1);
  });

  it('[WH3] keeps of an answer its status and its length, whatever it says', async () => {
    const words = 'the password is swordfish';
    const { port } = await receiver((_request, response) => response.writeHead(500).end(words));
    const result = await post(outbound, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'answered', status: 500, answerBytes: words.length });
    expect(JSON.stringify(result)).not.toContain('swordfish');
  });

  it('[WH3] counts no further than it reads', async () => {
    const { port } = await receiver((_request, response) => {
      response.writeHead(200).end('x'.repeat(1 << 20));
    });
    const result = await post(outbound, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ answerBytes: OUTBOUND_LIMITS.answerBytesMax });
  });

  it('gives up on a receiver that hangs', async () => {
    const { port } = await receiver(() => {});
    const result = await post(outbound, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'failed', failure: 'timeout' });
    expect(result.latencyMs).toBeLessThan(3 * QUICK.totalMs);
  });

  it('takes the status of an answer whose body never ends, and cuts it off', async () => {
    let sent = 0;
    const { port } = await receiver((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.write(Buffer.alloc(65_536))) sent += 65_536;
      };
      response.on('drain', more);
      more();
    });
    // Not the deadline ends it, which is far away, but its size.
    const patient = new NodeOutbound({ guard: LOCAL, limits: { ...QUICK, totalMs: 600_000 } });
    const result = await post(patient, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'answered', status: 200 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stoppedAt = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBe(stoppedAt);
  });

  it('takes the status of an answer whose body drips, and does not wait for it', async () => {
    const { port } = await receiver((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const result = await post(outbound, `http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'answered', status: 200 });
    expect(result.latencyMs).toBeLessThan(3 * QUICK.totalMs);
  });

  it('survives headers that drip, nonsense, a reset and a closed port', async () => {
    const misbehave = async (act: (socket: Socket) => void): Promise<string> => {
      const server = createTcpServer((socket) => {
        socket.on('error', () => {});
        closers.push(() => socket.destroy());
        act(socket);
      });
      const result = await post(outbound, `http://127.0.0.1:${await listen(server)}/`);
      return result.kind === 'failed' ? result.failure : 'answered';
    };
    const drip = (socket: Socket): void => {
      const timer = setInterval(() => socket.write('x'), 20);
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      socket.on('close', () => clearInterval(timer));
    };
    expect(await misbehave(drip)).toBe('timeout');
    expect(await misbehave((socket) => socket.end('not http at all\r\n\r\n'))).toBe('broken');
    const reset = (socket: Socket): void =>
      void socket.once('data', () => socket.resetAndDestroy());
    expect(await misbehave(reset)).toBe('broken');
    const huge = `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`;
    expect(await misbehave((socket) => socket.end(huge))).toBe('broken');
    const closed = await listen(createTcpServer());
    for (const close of closers.splice(0)) close();
    const refused = await post(outbound, `http://127.0.0.1:${closed}/`);
    expect(refused).toMatchObject({ kind: 'failed', failure: 'connect' });
  });

  it('reports a receiver that does not speak TLS', async () => {
    const { port } = await receiver((_request, response) => response.end());
    const result = await post(outbound, `https://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'failed', failure: 'tls' });
  });
});

describe('[WU2] no forbidden address is ever dialled', () => {
  /** Nothing is connected to: the dialer only writes down where it was sent. */
  function watched(answers: Record<string, readonly string[]>) {
    const dialled: Omit<DialTarget, 'signal'>[] = [];
    const resolver: Resolver = {
      resolve: async (host) => {
        const found = answers[host];
        if (found === undefined) throw new Error('SERVFAIL');
        return found;
      },
    };
    const dialer: Dialer = {
      dial: async ({ address, port, serverName }) => {
        dialled.push({ address, port, serverName });
        throw new Error('not connected');
      },
    };
    return {
      dialled,
      outbound: new NodeOutbound({ guard: STRICT, resolver, dialer, limits: QUICK }),
    };
  }

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:169.254.169.254'],
    ['64:ff9b::a9fe:a9fe'],
    ['fd00::1'],
    ['0.0.0.0'],
    ['100.64.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['127.0.0.1', '8.8.8.8'],
    ['8.8.8.8', '::1'],
    ['2606:4700::1111', '10.0.0.1'],
    ['8.8.8.8', 'garbage'],
  ])('not when the answers are %j %j', async (...addresses) => {
    const { outbound, dialled } = watched({ 'evil.example': addresses });
    const result = await post(outbound, 'https://evil.example/');
    expect(result).toMatchObject({ kind: 'failed', failure: 'forbidden' });
    expect(await outbound.inspect('https://evil.example/', OWNER)).toMatch(/not public/);
    expect(dialled).toEqual([]);
  });

  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:7f00:1]/',
    'http://public.example/',
    'https://public.example:8443/',
    'https://user@public.example/',
    'https://localhost/',
  ])('not by %s', async (url) => {
    const names = { 'public.example': ['8.8.8.8'], localhost: ['8.8.8.8'] };
    const { outbound, dialled } = watched(names);
    expect(await post(outbound, url)).toMatchObject({ kind: 'failed', failure: 'forbidden' });
    expect(await outbound.inspect(url, OWNER)).not.toBeNull();
    expect(dialled).toEqual([]);
  });

  it('dials the very address that was checked, with the name for SNI', async () => {
    const { outbound, dialled } = watched({ 'good.example': ['2606:4700::1111', '1.1.1.1'] });
    await post(outbound, 'https://good.example/');
    expect(dialled).toEqual([{ address: '1.1.1.1', port: 443, serverName: 'good.example' }]);
    const six = watched({ 'xn--bcher-kva.example': ['2606:4700::1111'] });
    await post(six.outbound, 'https://bücher.example/');
    expect(six.dialled).toEqual([
      { address: '2606:4700::1111', port: 443, serverName: 'xn--bcher-kva.example' },
    ]);
  });

  it('asks anew for every attempt: a name that turns private is refused from then on', async () => {
    const dialled: string[] = [];
    let turn = 0;
    const outbound = new NodeOutbound({
      guard: STRICT,
      limits: QUICK,
      resolver: { resolve: async () => [turn++ % 2 === 0 ? '8.8.8.8' : '127.0.0.1'] },
      dialer: {
        dial: async ({ address }) => {
          dialled.push(address);
          throw new Error('not connected');
        },
      },
    });
    const failures: string[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const result = await post(outbound, 'https://rebind.example/');
      failures.push(result.kind === 'failed' ? result.failure : 'answered');
    }
    expect(failures).toEqual(['broken', 'forbidden', 'broken', 'forbidden', 'broken', 'forbidden']);
    expect(dialled).toEqual(['8.8.8.8', '8.8.8.8', '8.8.8.8']);
  });

  it('fails closed when a name cannot be resolved, yet lets it be registered', async () => {
    const { outbound, dialled } = watched({ 'empty.example': [] });
    for (const host of ['empty.example', 'broken.example']) {
      const result = await post(outbound, `https://${host}/`);
      expect(result).toMatchObject({ kind: 'failed', failure: 'unresolved' });
      expect(await outbound.inspect(`https://${host}/`, OWNER)).toBeNull();
    }
    expect(dialled).toEqual([]);
  });

  it('does not wait for a name server or a connection for ever', async () => {
    const never = new Promise<never>(() => {});
    const slowName = new NodeOutbound({
      guard: STRICT,
      limits: QUICK,
      resolver: { resolve: () => never },
    });
    const late = { kind: 'failed', failure: 'timeout' };
    expect(await post(slowName, 'https://a.example/')).toMatchObject(late);
    const slowDial = new NodeOutbound({
      guard: STRICT,
      limits: { connectMs: 100, totalMs: 5000 },
      resolver: { resolve: async () => ['8.8.8.8'] },
      dialer: {
        dial: ({ signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('aborted')));
          }),
      },
    });
    const result = await post(slowDial, 'https://a.example/');
    expect(result).toMatchObject(late);
    expect(result.latencyMs).toBeLessThan(2000);
  });

  it('sends the Host of the name over the connection that the dialer made', async () => {
    const hosts: (string | undefined)[] = [];
    const { port } = await receiver((request, response) => {
      hosts.push(request.headers.host);
      response.end();
    });
    const outbound = new NodeOutbound({
      guard: STRICT,
      limits: QUICK,
      resolver: { resolve: async () => ['8.8.8.8'] },
      // Stands in for a TLS connection to the public address.
      dialer: {
        dial: () =>
          new Promise((resolve) => {
            const socket = connect({ host: '127.0.0.1', port }, () => resolve(socket));
          }),
      },
    });
    expect(await post(outbound, 'https://good.example/')).toMatchObject({ status: 200 });
    expect(hosts).toEqual(['good.example']);
  });
});
