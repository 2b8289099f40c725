// A server that ends without having closed its files: by a defect, or because a stop was cut short.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { seedSandbox } from './seeded-sandbox.ts';
import { type Started, startServer, temporaryFolder } from './server-process.ts';

/** Throws where nobody catches, once the process is asked to. */
const DEFECT =
  "process.on('SIGUSR2', () => setImmediate(() => { throw new Error('planted defect'); }));\n";
const PASSWORD = 'correct horse battery';

async function register(server: Started, name: string): Promise<number> {
  const answer = await fetch(`${server.baseUrl}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD, display_name: name }),
  });
  return answer.status;
}

async function signIn(server: Started, name: string): Promise<number> {
  const answer = await fetch(`${server.baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD }),
  });
  return answer.status;
}

/** A request whose body never ends: a stop waits for it. */
function halfRequest({ baseUrl }: Started): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => socket.destroy());
  socket.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  );
  return socket;
}

const ends: readonly [string, (server: Started) => Promise<void>][] = [
  [
    'by a defect',
    async (server) => {
      await server.stop('SIGUSR2');
      expect(server.output()).toContain('planted defect');
    },
  ],
  [
    'by a second signal two seconds after the first',
    async (server) => {
      const half = halfRequest(server);
      await once(half, 'connect');
      await sleep(200);
      const ended = server.stop('SIGTERM');
      await sleep(3_000);
      server.child.kill('SIGTERM');
      // The rest of that request is waited for up to ten seconds.
      expect(await ended).toBe(1);
      half.destroy();
    },
  ],
];

describe('a sudden end', () => {
  it.each(ends)('[SR5] %s leaves a folder that the next start takes whole', async (_, end) => {
    const { folder, remove } = temporaryFolder();
    const defect = path.join(folder, 'defect.mjs');
    writeFileSync(defect, DEFECT);
    const dataDir = path.join(folder, 'data');
    const environment = { LANES: 'sandbox', NODE_OPTIONS: `--import=${defect}` };
    try {
      await seedSandbox(dataDir);
      for (const name of ['ada', 'bob']) {
        const server = await startServer({ dataDir, environment });
        expect(await register(server, name)).toBe(200);
        await end(server);
      }
      const server = await startServer({ dataDir, environment });
      expect(await signIn(server, 'ada')).toBe(200);
      expect(await signIn(server, 'bob')).toBe(200);
      await server.stop();
    } finally {
      remove();
    }
  });
});
