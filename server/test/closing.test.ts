// What is left of somebody who has left: every table of every store is read for it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { operations } from '@sibyl/contract';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { boot } from '../src/boot.ts';
import { silentLog } from '../src/gateway/log.ts';
import { readConfig } from '../src/settings/config.ts';
import { codeAt } from './gateway/authenticator-app.ts';

const PASSWORD = 'plum otter ladder 47 quay';
/** Words that stand nowhere but with this user. */
const NEEDLES = {
  email: 'ada.lovelace@example.com',
  display_name: 'Ada Needle',
  phone: '+49309876543',
  wallet_address: '0x0Eed1e0Eed1e0Eed1e0Eed1e0Eed1e0Eed1e0Eed',
  login_ip: '203.0.113.201',
  label: 'needle of a key',
  address: '203.0.113.77',
  hook: 'http://127.0.0.1:9/needle-hook',
  builder: 'Needle and Daughters',
  website: 'https://needle.example/',
  app: 'Needle desk',
};

it('[MF21] nothing personal of a closed account is in any store, and the ids stay', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sibyl-closing-'));
  const environment = {
    ...{ PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LANES: 'live', RATE_MULTIPLIER: '0' },
    TRUSTED_PROXIES: '127.0.0.1',
    WEBHOOK_ALLOW: '127.0.0.1:9',
  };
  const start = () => boot(readConfig(environment, dataDir), silentLog);
  let server = await start();
  let token = '';
  let count = 0;
  const ask = async (method: string, url: string, body?: object) => {
    count += 1;
    const answer = await fetch(`http://127.0.0.1:${server.port}${url}`, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-forwarded-for': NEEDLES.login_ip,
        'idempotency-key': `needle-of-answers-${count}`,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { data, error } = (await answer.json()) as { data: never; error: unknown };
    if (answer.status !== 200) throw new Error(`${url}: ${JSON.stringify(error)}`);
    return data as Record<string, unknown>;
  };
  const { email, display_name, phone, wallet_address } = NEEDLES;
  const user = await ask('POST', '/api/auth/register', { email, password: PASSWORD });
  token = String(user.session_token);
  await ask('PATCH', '/api/auth/profile', { display_name, phone, wallet_address });
  const key = await ask('POST', '/v1/keys', {
    label: NEEDLES.label,
    permissions: ['read', 'trade'],
    allowed_addresses: ['127.0.0.1', NEEDLES.address],
  });
  await ask('POST', '/v1/webhooks', { url: NEEDLES.hook, event_types: ['order.filled'] });
  await ask('POST', '/v1/apply', {
    ...{ ...operations.applyForTrack.example.body, name: NEEDLES.builder },
    website: NEEDLES.website,
  });
  await ask('POST', '/v1/apps', { ...operations.createApp.example.body, name: NEEDLES.app });
  await ask('POST', '/api/auth/step-up', { password: PASSWORD });
  const { secret } = await ask('POST', '/api/auth/totp');
  await ask('POST', '/api/auth/totp/confirm', { otp: codeAt(String(secret), Date.now()) });
  // Whoever looks finds all of it before, so that finding nothing says something.
  await server.close();
  const before = textOf(dataDir);
  for (const needle of Object.values(NEEDLES)) expect(before).toContain(needle);
  server = await start();
  const shown = JSON.stringify(await ask('GET', '/api/auth/export'));
  for (const needle of Object.values(NEEDLES)) expect(shown).toContain(needle);

  await ask('POST', '/api/auth/close', { password: PASSWORD });
  await server.close();
  const after = textOf(dataDir);
  for (const [what, needle] of Object.entries(NEEDLES))
    expect([what, after.includes(needle)]).toEqual([what, false]);
  expect(after).not.toContain('needle-of-answers');
  // The ledger and those who look into it know the ids.
  expect(after).toContain(String(user.user_id));
  expect(after).toContain(String(user.account_id));
  expect(after).toContain(String(key.public_id));
  expect(rowsOf(path.join(dataDir, 'platform.db'), 'totp_seeds')).toEqual([]);
  expect(rowsOf(path.join(dataDir, 'platform.db'), 'sessions')).toEqual([]);
  rmSync(dataDir, { recursive: true });
});

/** Every row of every table of every database in the folder. */
function textOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.db'))
    .flatMap((file) => {
      const place = path.join(folder, file);
      return tablesOf(place).map((table) => JSON.stringify(rowsOf(place, table)));
    });
  return texts.join('\n');
}

function tablesOf(file: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  const names = database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .pluck()
    .all();
  database.close();
  return names;
}

function rowsOf(file: string, table: string): readonly unknown[] {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare(`SELECT * FROM "${table}"`).safeIntegers().all() as object[];
  database.close();
  return rows.map((row) => Object.values(row).map(readable));
}

function readable(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('latin1');
  return typeof value === 'bigint' ? value.toString() : value;
}
