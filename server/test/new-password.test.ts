// What a new password does beside ending sessions and keys, on a server with its real stores.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boot, type Server } from '../src/boot.ts';
import { silentLog } from '../src/gateway/log.ts';
import { readConfig } from '../src/settings/config.ts';
import { linkIn, Mailbox } from './mailbox.ts';

const ada = { email: 'ada@example.com', password: 'plum otter ladder 47 quay' };
const NEXT = 'quay ladder 47 otter plum';

let dataDir: string;
let mailbox: Mailbox;
let server: Server;
let session: string;
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sibyl-new-password-'));
  mailbox = await Mailbox.open();
  const environment = {
    ...{ PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LANES: 'live', RATE_MULTIPLIER: '0' },
    // Nothing listens there, and nothing is sent: deliveries stay on this machine.
    WEBHOOK_ALLOW: '127.0.0.1:9',
    ...{ SMTP_URL: mailbox.url, MAIL_FROM: 'no-reply@sibyl.example' },
  };
  server = await boot(readConfig(environment, dataDir), silentLog, {
    passwordCost: { memoryKib: 64, passes: 1 },
  });
  session = (await ask('POST', '/api/auth/register', ada)).session_token;
});
afterEach(async () => {
  await server.close();
  await mailbox.close();
  rmSync(dataDir, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations, read freely.
async function ask(method: string, url: string, body?: object, token = session): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${url}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { data, error } = (await answer.json()) as { data: unknown; error?: unknown };
  if (answer.status !== 200) throw new Error(`${url}: ${JSON.stringify(error)}`);
  return data;
}

const urlOf = (name: string): string => `http://127.0.0.1:9/${name}`;

async function hook(name: string, token: string): Promise<string> {
  const body = { url: urlOf(name), event_types: ['order.filled'] };
  return (await ask('POST', '/v1/webhooks', body, token)).webhook_id;
}

async function states(token = session): Promise<Record<string, string>> {
  const webhooks = await ask('GET', '/v1/webhooks', undefined, token);
  return Object.fromEntries(
    webhooks.map((webhook: Record<'url' | 'status' | 'disabled_reason', string | null>) => [
      new URL(webhook.url ?? '').pathname.slice(1),
      `${webhook.status} ${webhook.disabled_reason}`,
    ]),
  );
}

const ACTIVE = 'active null';
const PAUSED = 'paused password_changed';

it('[KY28] pauses webhooks that its own session did not make or change, and lists them', async () => {
  const stranger = (await ask('POST', '/api/auth/login', ada)).session_token;
  const own = await hook('own', session);
  const foreign = await hook('foreign', stranger);
  const moved = await hook('moved', session);
  await ask('PATCH', `/v1/webhooks/${moved}`, { url: urlOf('moved-away') }, stranger);
  const rotated = await hook('rotated', session);
  await ask('POST', `/v1/webhooks/${rotated}/rotate-secret`, undefined, stranger);
  const stopped = await hook('stopped', stranger);
  await ask('PATCH', `/v1/webhooks/${stopped}`, { status: 'paused' }, stranger);
  // Without a new address or secret nothing is sent elsewhere.
  await ask('PATCH', `/v1/webhooks/${own}`, { description: 'x' }, stranger);
  const change = { current_password: ada.password, new_password: NEXT };
  const { webhooks_paused: listed } = await ask('POST', '/api/auth/password', change);
  const ids = listed.map(({ webhook_id: id }: { webhook_id: string }) => id);
  expect(ids.sort()).toEqual([foreign, moved, rotated].sort());
  const shown = { webhook_id: moved, environment: 'live', url: urlOf('moved-away') };
  expect(listed).toContainEqual(shown);
  expect(await states()).toEqual({
    ...{ own: ACTIVE, stopped: 'paused null' },
    ...{ foreign: PAUSED, 'moved-away': PAUSED, rotated: PAUSED },
  });
  await ask('PATCH', `/v1/webhooks/${moved}`, { status: 'active' });
  expect(await states()).toMatchObject({ 'moved-away': ACTIVE });
});

it('[KY28] set by a link pauses every webhook', async () => {
  await hook('own', session);
  await ask('POST', '/api/auth/password/forgot', { email: ada.email });
  // The first letter verified the address.
  const { token } = linkIn(await mailbox.letter(ada.email, 1));
  const reset = { token, new_password: NEXT };
  const { webhooks_paused: listed } = await ask('POST', '/api/auth/password/reset', reset);
  expect(listed).toHaveLength(1);
  const again = await ask('POST', '/api/auth/login', { ...ada, password: NEXT });
  expect(await states(again.session_token)).toEqual({ own: PAUSED });
});
