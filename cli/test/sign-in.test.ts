// Which credential a command uses, and in which lane.
import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createClient } from '@sibyl/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { runSibyl } from './run-sibyl.ts';

const email = 'ada@example.com';
const password = 'amber kettle 93 northwind';
const { folder, remove } = temporaryFolder();
let server: Started;

beforeAll(async () => {
  server = await startSeeded({ dataDir: path.join(folder, 'data') });
  await createClient({ baseUrl: server.baseUrl }).sessions.register({ email, password });
});
afterAll(async () => {
  await server?.stop();
  remove();
});

it('[CL37] a file that others can read is refused, except beside SIBYL_TOKEN', async () => {
  const signedIn = await sibyl(['login', email, '--sandbox'], { input: `${password}\n` });
  expect(signedIn.code).toBe(0);
  const file = path.join(folder, 'sibyl', 'credentials.json');
  const { token } = JSON.parse(readFileSync(file, 'utf8'))[server.baseUrl];
  chmodSync(file, 0o644);
  const open = await sibyl(['whoami']);
  expect([open.code, open.errors]).toEqual([3, expect.stringContaining('chmod 600')]);
  const lent = await sibyl(['whoami', '--json'], { token });
  expect([lent.code, JSON.parse(lent.output).mode]).toEqual([0, 'sandbox']);
  const key = await keyOf(token, '/sandbox');
  const advised = await sibyl(['sandbox', 'reset', '--live'], { token: key });
  expect(advised.errors).not.toContain('chmod');
  const kept = await sibyl(['login', email], { input: `${password}\n` });
  expect([kept.code, kept.errors]).toEqual([3, expect.stringContaining('chmod 600')]);
});

it('[CL37] login --key and SIBYL_TOKEN find the lane of an sk_test_ key', async () => {
  const visitor = createClient({ baseUrl: server.baseUrl });
  const { session_token: token } = await visitor.sessions.logIn({ email, password });
  const key = await keyOf(token, '/sandbox');
  expect(key).toMatch(/^sk_test_/);
  const [home, input] = ['tester', `${key}\n`];
  const signedIn = await sibyl(['login', '--key', '--json'], { home, input });
  expect([signedIn.code, JSON.parse(signedIn.output).sandbox]).toEqual([0, true]);
  const known = await sibyl(['whoami', '--json'], { home });
  expect(JSON.parse(known.output).mode).toBe('sandbox');
  const lent = await sibyl(['whoami', '--json'], { home: 'lent', token: key });
  expect([lent.code, JSON.parse(lent.output).mode]).toEqual([0, 'sandbox']);
  const live = await sibyl(['whoami', '--live'], { home: 'lent', token: key });
  expect([live.code, live.errors]).toEqual([3, expect.stringContaining('WRONG_ENV_KEY')]);
});

async function keyOf(token: string, lane: string): Promise<string> {
  const holder = createClient({ baseUrl: server.baseUrl + lane, token });
  return (await holder.keys.mint({ permissions: ['read', 'trade'] })).key_id;
}

function sibyl(args: readonly string[], { home = '', token = '', input = '' } = {}) {
  const environment = {
    XDG_CONFIG_HOME: path.join(folder, home),
    SIBYL_URL: server.baseUrl,
    SIBYL_TOKEN: token,
  };
  return runSibyl(args, environment, input);
}
