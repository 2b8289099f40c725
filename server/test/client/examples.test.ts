// The client's examples as programs of their own, against a real server.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { builderAgreement } from '@sibyl/contract';
import { createClient, createSandboxClient } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startSeeded } from '../seeded-sandbox.ts';
import { root, type Started, startServer, temporaryFolder } from '../server-process.ts';
import { decide } from './consent.ts';

const folder = path.join(root, 'sdk', 'examples');

interface Running {
  readonly text: () => string;
  readonly ended: Promise<number | null>;
  readonly stop: () => void;
}

describe('[SK21] the examples', () => {
  const data = temporaryFolder();
  let server: Started;
  let key = '';
  beforeAll(async () => {
    server = await startSeeded({ dataDir: data.folder });
    key = (await createSandboxClient({ baseUrl: `${server.baseUrl}/sandbox` })).token;
  });
  afterAll(async () => {
    await server.stop();
    data.remove();
  });

  function start(
    name: string,
    seconds: number,
    environment: Readonly<Record<string, string>> = {},
  ): Running {
    const child = spawn(process.execPath, [path.join(folder, name)], {
      env: {
        ...process.env,
        SIBYL_URL: server.baseUrl,
        KEY: key,
        SECONDS: String(seconds),
        ...environment,
      },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += String(chunk);
      });
    }
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return { text: () => text, ended, stop: () => child.kill('SIGINT') };
  }

  it('are all run here', () => {
    const names = readdirSync(folder).sort();
    expect(names).toEqual([
      ...['connected-app.ts', 'first-order.ts', 'market-maker.ts', 'watch-book.ts'],
    ]);
  });

  it('first-order fills', async () => {
    const { text, ended } = start('first-order.ts', 0);
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/: filled at 0\.\d+, fee 0\.\d+\n$/);
  });

  it('connected-app is allowed by its user, trades for them and gives that back', async () => {
    const ada = { email: 'ada@example.com', password: 'amber kettle 93 northwind' };
    const visitor = createClient({ baseUrl: `${server.baseUrl}/sandbox` });
    const owner = visitor.withToken((await visitor.sessions.register(ada)).session_token);
    await owner.sandbox.faucet();
    const agreement = { version: builderAgreement.version, accepted: true };
    const about = 'A desk for elections.';
    await owner.builders.apply({ track: 'trade_capped', name: 'Ada', about, agreement });
    const app = await owner.apps.create({
      ...{ name: 'Election desk', redirect_uris: ['http://127.0.0.1/callback'] },
      allowed_scopes: ['account:read', 'orders:trade', 'offline'],
    });
    const { text, ended } = start('connected-app.ts', 0, {
      ...{ CLIENT_ID: app.client_id, CLIENT_SECRET: app.client_secret ?? '' },
    });
    const [, address = ''] = await vi.waitUntil(() => /^Open (\S+)\n/.exec(text()), 60_000);
    // An answer to what nobody asked is not taken.
    const back = await decide(new URL(address), ada, 'approve');
    const stray = new URL(back);
    stray.searchParams.set('state', 'another');
    expect((await fetch(stray)).status).toBe(404);
    expect((await fetch(back)).status).toBe(200);
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/: filled at 0\.\d+, fee 0\.\d+\ngiven back\n$/);
    expect((await owner.account.positions()).items).toMatchObject([{ size: '5.000000' }]);
    expect((await owner.connect.listGrants({ status: 'active' })).items).toEqual([]);
  });

  it('watch-book shows the best prices', async () => {
    const { text, ended } = start('watch-book.ts', 2);
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/connection open\n/);
    expect(text()).toMatch(/\d at 0\.\d+ \| [\d.]+ at 0\.\d+\n/);
  });

  it('market-maker quotes both sides, goes on after a restart of the server, and leaves nothing', async () => {
    const { text, ended, stop } = start('market-maker.ts', 600);
    /** Waits for both quotes behind this place of the output. */
    const quoted = (from: number): Promise<void> =>
      vi.waitFor(
        () => {
          expect(text().slice(from)).toMatch(/^yes 0\.\d+ pending/m);
          expect(text().slice(from)).toMatch(/^no 0\.\d+ pending/m);
        },
        { timeout: 60_000, interval: 100 },
      );
    await quoted(0);
    const { port } = new URL(server.baseUrl);
    await server.stop('SIGKILL');
    server = await startServer({ dataDir: data.folder, environment: { PORT: port } });
    const client = createClient({ baseUrl: `${server.baseUrl}/sandbox`, token: key });
    const from = text().length;
    await client.orders.cancelAll();
    await quoted(from);
    stop();
    expect(await ended, text()).toBe(0);
    expect(text()).toMatch(/done, 0 orders left\n$/);
  });
});
