// What sibyl verify finds of a trail that somebody with the folder emptied or set back.
import { copyFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@sibyl/lane';
import { boot, readConfig, type Server, silentLog } from '@sibyl/server';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { verifyStores } from '../../src/maintenance/verify-stores.ts';
import { firstOperator, newOperator } from '../../src/operator/new-operator.ts';
import { openOperators } from '../../src/stores/open-stores.ts';
import { quickPasswords } from '../gateway/harness.ts';

const OPERATOR_TOKEN = 'op_journaled_acts_token_0001';
const FILES = ['operators.db', 'operators.db-sums'];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sibyl-acts-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(): Promise<Server> {
  const usual = { PORT: '0', ADMIN_PORT: '0', BOTS: 'off', LANES: 'live' };
  return boot(readConfig({ ...usual, DATA_DIR: folder, OPERATOR_TOKEN }, folder), silentLog);
}

async function setMode({ adminPort }: Server, mode: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${adminPort}/admin/v1/mode`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ lane: 'live', reason: 'a test', mode }),
  });
  expect(answer.status).toBe(200);
}

/** Behind the back of the program: the sums of the pages go with what they are of. */
function emptyTrail(): void {
  const database = new Database(path.join(folder, 'operators.db'));
  database.exec('DELETE FROM trail; DELETE FROM trail_head');
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
  rmSync(path.join(folder, 'operators.db-sums'));
}

it('[OP54] a trail of an earlier day does not have what the journal has', async () => {
  let server = await start();
  await setMode(server, 'read_only');
  await server.close();
  for (const file of FILES) copyFileSync(path.join(folder, file), path.join(folder, `${file}.old`));
  server = await start();
  await setMode(server, 'normal');
  await server.close();
  expect((await verifyStores(folder)).trailEntries).toBe(2);
  for (const file of FILES) copyFileSync(path.join(folder, `${file}.old`), path.join(folder, file));
  await expect(verifyStores(folder)).rejects.toThrow(/is the act req_\w+ of an operator, which/);
  emptyTrail();
  await expect(verifyStores(folder)).rejects.toThrow(/command \d+ of live is the act req_/);
});

it('[OP54] a trail is not empty once there is a second operator, and may be before', async () => {
  const parts = { passwords: quickPasswords, random: systemRandom, clock: systemClock };
  let store = await openOperators(folder);
  await firstOperator(store, parts);
  await store.close();
  expect((await verifyStores(folder)).trailEntries).toBe(0);
  store = await openOperators(folder);
  await store.addOperator((await newOperator(parts, 'grace', ['viewer']))!.operator);
  await store.close();
  await expect(verifyStores(folder)).rejects.toThrow(
    'the trail is empty, but operators have acted',
  );
});
