// The client's examples as programs of their own, against a real server.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { createSandboxClient } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, type Started, startServer, temporaryFolder } from '../server-process.ts';

const folder = path.join(root, 'sdk', 'examples');

describe('[SK21] the examples', () => {
  const data = temporaryFolder();
  let server: Started;
  let key = '';
  beforeAll(async () => {
    server = await startServer({ dataDir: data.folder, environment: { BOTS: 'on' } });
    key = (await createSandboxClient({ baseUrl: `${server.baseUrl}/sandbox` })).token;
  }, 100_000);
  afterAll(async () => {
    await server.stop();
    data.remove();
  });

  function start(
    name: string,
    seconds: number,
  ): { text: () => string; ended: Promise<number | null> } {
    const child = spawn(process.execPath, [path.join(folder, name)], {
      env: {
        ...process.env,
        SIBYL_URL: `${server.baseUrl}/sandbox`,
        KEY: key,
        SECONDS: String(seconds),
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += String(chunk);
      });
    }
    return { text: () => text, ended: new Promise((resolve) => child.once('close', resolve)) };
  }

  it('are all run here', () => {
    const names = readdirSync(folder).sort();
    expect(names).toEqual(['first-order.ts', 'market-maker.ts', 'watch-book.ts']);
  });

  it('first-order fills', async () => {
    const { text, ended } = start('first-order.ts', 0);
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/: filled at 0\.\d+, fee 0\.\d+\n$/);
  });

  it('watch-book shows the best prices', async () => {
    const { text, ended } = start('watch-book.ts', 2);
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/connection open\n/);
    expect(text()).toMatch(/\d at 0\.\d+ \| [\d.]+ at 0\.\d+\n/);
  });

  it('market-maker quotes both sides, goes on after a restart of the server, and leaves nothing', async () => {
    const { text, ended } = start('market-maker.ts', 14);
    const until = async (pattern: RegExp, from = 0): Promise<number> => {
      for (let tries = 0; tries < 300; tries += 1) {
        const found = pattern.exec(text().slice(from));
        if (found !== null) return from + found.index;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`never said ${pattern}:\n${text()}`);
    };
    await until(/^yes 0\.\d+ pending/m);
    await until(/^no 0\.\d+ pending/m);
    const { port } = new URL(server.baseUrl);
    await server.stop('SIGKILL');
    server = await startServer({
      dataDir: data.folder,
      environment: { PORT: port, BOTS: 'on' },
    });
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/done, 0 orders left\n$/);
  });
});
