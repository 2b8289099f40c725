// Passwords under load, with hashes at their full cost: operators sign in whatever users send.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boot, type Server } from '../src/boot.ts';
import { silentLog } from '../src/gateway/log.ts';
import { readConfig } from '../src/settings/config.ts';

const PASSWORD = 'plum otter ladder 47 quay';

let dataDir: string;
let server: Server;
beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'sibyl-passwords-'));
  const environment = {
    ...{ PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LANES: 'live' },
    TRUSTED_PROXIES: '127.0.0.1',
  };
  server = await boot(readConfig(environment, dataDir), silentLog);
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true });
});

function post(url: string, body: object, address: string, token?: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
}

async function registered(length: number, network: string): Promise<string[]> {
  const tokens: string[] = [];
  for (let index = 0; index < length; index += 1) {
    const user = { email: `${network}-${index}@example.com`, password: PASSWORD };
    const answer = await post(`${site()}/register`, user, `${network}.${index}`);
    const { data } = (await answer.json()) as { data: { session_token: string } };
    tokens.push(data.session_token);
  }
  return tokens;
}

const site = (): string => `http://127.0.0.1:${server.port}/api/auth`;
const change = { current_password: 'not the password', new_password: 'another 47 ladders' };

/** The statuses of eight operators who sign in at once. */
function eightOperators(): Promise<number[]> {
  const url = `http://127.0.0.1:${server.adminPort}/admin/v1/sessions`;
  const signIns = Array.from({ length: 8 }, () => post(url, server.newOperator!, '127.0.0.1'));
  return Promise.all(signIns.map(async (answer) => (await answer).status));
}

interface SignedIn {
  readonly data: { readonly session_token: string };
}

/** The statuses of eight operators, signed in already, who confirm their sessions at once. */
async function eightStepUps(token: string): Promise<number[]> {
  const { password } = server.newOperator!;
  const url = `http://127.0.0.1:${server.adminPort}/admin/v1/session/step-up`;
  const stepUps = Array.from({ length: 8 }, () => post(url, { password }, '127.0.0.1', token));
  return Promise.all(stepUps.map(async (answer) => (await answer).status));
}

const ALL_IN = Array.from({ length: 8 }, () => 200);

it('[PW5] a crowd of one IPv6 network keeps no user of another one from signing in', async () => {
  await registered(1, '198.51.100');
  let isOver = false;
  let host = 0;
  const hammer = async (): Promise<void> => {
    while (!isOver) {
      host += 1;
      const address = `2001:db8:7:${host.toString(16)}::1`;
      await post(`${site()}/login`, { email: `x@${host}.zz`, password: 'no' }, address);
    }
  };
  const crowd = Array.from({ length: 80 }, hammer);
  const user = { email: '198.51.100-0@example.com', password: PASSWORD };
  const statuses: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    await pause(100);
    statuses.push((await post(`${site()}/login`, user, '203.0.113.9')).status);
  }
  isOver = true;
  await Promise.all(crowd);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});

it('[PW6] a full queue of strangers keeps no operator from signing in', async () => {
  const crowd = Array.from({ length: 60 }, (_, index) =>
    post(`${site()}/login`, { email: 'x@y.zz', password: 'no' }, `192.0.2.${index}`),
  );
  expect(await eightOperators()).toEqual(ALL_IN);
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  // Otherwise the queue was never full, and the operators would prove nothing.
  expect(statuses).toContain(503);
});

it('[PW5, PW7] ten accounts of one address keep neither operators nor other addresses out', async () => {
  const tokens = await registered(10, '203.0.113');
  const crowd = tokens.flatMap((token) =>
    Array.from({ length: 6 }, () => post(`${site()}/password`, change, '198.51.100.1', token)),
  );
  const login = { email: '203.0.113-0@example.com', password: PASSWORD };
  const elsewhere = post(`${site()}/login`, login, '198.51.100.2');
  expect(await eightOperators()).toEqual(ALL_IN);
  expect((await elsewhere).status).toBe(200);
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  // Ten a minute of one address reach the queue, whichever account they are of.
  expect(statuses.filter((status) => status === 429)).toHaveLength(50);
});

it('[PW8] strangers at the sign-in of operators keep no operator out, signed in or not', async () => {
  const url = `http://127.0.0.1:${server.adminPort}/admin/v1/sessions`;
  const answer = await post(url, server.newOperator!, '127.0.0.1');
  const { data } = (await answer.json()) as SignedIn;
  const statuses: number[] = [];
  let isOver = false;
  const guess = async (worker: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const made = { name: `made-up-${worker}-${count}`, password: 'no' };
      statuses.push((await post(url, made, '127.0.0.1')).status);
    }
  };
  const strangers = Array.from({ length: 30 }, (_, worker) => guess(worker));
  try {
    while (statuses.length < 30) await pause(5);
    const beganMs = performance.now();
    expect(await eightStepUps(data.session_token)).toEqual(ALL_IN);
    const stepUpMs = performance.now() - beganMs;
    expect(await eightOperators()).toEqual(ALL_IN);
    // The sign-ins wait for those of 30 connections; the step-ups for none.
    expect(performance.now() - beganMs - stepUpMs).toBeGreaterThan(stepUpMs);
  } finally {
    isOver = true;
    await Promise.all(strangers);
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
});
