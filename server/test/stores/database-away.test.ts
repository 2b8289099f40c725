// A whole server whose PostgreSQL restarts, loses connections, or is cut off by the network.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, SibylError } from '@sibyl/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Started, startServer } from '../server-process.ts';
import { usePostgres } from './databases.ts';

const postgres = usePostgres();
const account = { email: 'ada@example.com', password: 'correct horse battery staple' };
const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-database-away-'));
const PATIENCE_MS = 60_000;

let url: string;
let server: Started;
let token: string;

beforeAll(async () => {
  url = await postgres.create();
  server = await startServer({
    dataDir: path.join(folder, 'data'),
    environment: { DATABASE_URL: url, LANES: 'sandbox', RATE_MULTIPLIER: '0' },
  });
  token = (await client().sessions.register(account)).session_token;
});
afterAll(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const client = (credential?: string) =>
  createClient({
    baseUrl: `${server.baseUrl}/sandbox`,
    timeoutMs: PATIENCE_MS,
    retriesMax: 0,
    ...(credential !== undefined && { token: credential }),
  });

/** Transactions from several clients until it is ended: the error codes of the requests that failed. */
function load(): { end(): Promise<readonly string[]> } {
  const codes: string[] = [];
  let isOver = false;
  const one = async (_: unknown, index: number): Promise<void> => {
    const owner = client(token);
    const label = `load ${index}`;
    while (!isOver) {
      try {
        await owner.keys.mint({ permissions: ['read'], label });
        // A request that failed may have left a key: too many of them would be refused.
        const { items } = await owner.keys.list();
        const mine = items.filter((key) => key.label === label && key.status === 'active');
        for (const { key_id } of mine) await owner.keys.revoke(key_id);
      } catch (error) {
        codes.push(error instanceof SibylError ? error.code : String(error));
      }
    }
  };
  const all = Array.from({ length: 8 }, one);
  return {
    end: async () => {
      isOver = true;
      await Promise.all(all);
      return codes;
    },
  };
}

describe('[SD11] a restart of the database under load', () => {
  for (const mode of ['fast', 'immediate', 'immediate'] as const) {
    it(`ends no server (${mode})`, async () => {
      const running = load();
      await postgres.halt(mode);
      await postgres.resume();
      await expect.poll(() => client().sessions.logIn(account), { timeout: 20_000 }).toBeTruthy();
      const codes = await running.end();
      expect(new Set(codes)).toEqual(new Set(['SERVICE_UNAVAILABLE']));
      expect(server.child.exitCode).toBeNull();
    });
  }
});
