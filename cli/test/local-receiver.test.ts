// sibyl webhooks listen at a server that delivers to no machine of its own unless its operator says so.
import path from 'node:path';
import { createClient } from '@sibyl/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSeeded } from '../../server/test/seeded-sandbox.ts';
import { type Started, temporaryFolder } from '../../server/test/server-process.ts';
import { runSibyl } from './run-sibyl.ts';

const TOKEN = 'an operator of this test 0123456789';
const { folder, remove } = temporaryFolder();
let server: Started;
let token = '';
let port = 0;

beforeAll(async () => {
  const dataDir = path.join(folder, 'data');
  server = await startSeeded({
    dataDir,
    environment: { OPERATOR_TOKEN: TOKEN, RATE_MULTIPLIER: '0' },
  });
  const { sessions } = createClient({ baseUrl: server.baseUrl });
  const ada = { email: 'ada@example.com', password: 'amber kettle 93 northwind' };
  token = (await sessions.register(ada)).session_token;
});
afterAll(async () => {
  await server?.stop();
  remove();
});

it('[IS5] listen asks the operator plane for its port, receives, and gives it back', async () => {
  const listening = listen(['--event', 'order.filled', '--count', '1', '--json'], TOKEN);
  const [made] = await expect
    .poll(async () => (await holder().webhooks.list()).items, { timeout: 60_000 })
    .toHaveLength(1)
    .then(async () => (await holder().webhooks.list()).items);
  port = Number(new URL(made?.url ?? '').port);
  const other = createClient({ baseUrl: server.baseUrl });
  const bob = { email: 'bob@example.com', password: 'amber kettle 93 northwind' };
  const foreign = (await other.sessions.register(bob)).session_token;
  await expect(register(`http://127.0.0.1:${port}/`, foreign)).rejects.toMatchObject({
    code: 'WEBHOOK_URL_INVALID',
  });
  await holder().webhooks.replay(made?.webhook_id ?? '', { event_type: 'order.filled' });
  const ended = await listening;
  expect([ended.code, JSON.parse(ended.output.trim()).notice.type]).toEqual([0, 'order.filled']);
  expect((await holder().webhooks.list()).items).toEqual([]);
  const url = `http://127.0.0.1:${port}/`;
  await expect(register(url)).rejects.toMatchObject({ code: 'WEBHOOK_URL_INVALID' });
});

it('[IS5] without an operator it says how to become one, and no port is opened', async () => {
  const refused = await listen([], '');
  expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('sibyl admin login')]);
  const wrong = await listen([], 'no operator of this exchange 0123');
  expect([wrong.code, wrong.errors]).toEqual([
    1,
    expect.stringMatching(
      /operator plane .* did not allow it: AUTH_INVALID[\s\S]*WEBHOOK_URL_INVALID/,
    ),
  ]);
  const live = await listen(['--live'], TOKEN);
  expect([live.code, live.errors]).toEqual([1, expect.stringContaining('WEBHOOK_URL_INVALID')]);
});

function holder(of = token) {
  return createClient({ baseUrl: `${server.baseUrl}/sandbox`, token: of });
}

function register(url: string, of = token) {
  return holder(of).webhooks.create({ url, event_types: ['order.filled'] });
}

function listen(args: readonly string[], operatorToken: string) {
  const environment = {
    XDG_CONFIG_HOME: path.join(folder, 'home'),
    SIBYL_URL: server.baseUrl,
    SIBYL_ADMIN_URL: server.adminUrl,
    SIBYL_TOKEN: token,
    OPERATOR_TOKEN: operatorToken,
  };
  const lane = args.includes('--live') ? [] : ['--sandbox'];
  return runSibyl(['webhooks', 'listen', '--port', '0', ...lane, ...args], environment);
}
