// What lies on the disk is for the owner of the process alone, from its making and again after every start.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { boot, readConfig, type Server, silentLog } from '@sibyl/server';
import { afterEach, beforeEach, expect, it } from 'vitest';

const OPERATOR_TOKEN = 'op_private_files_token_0001';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sibyl-private-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function start(dataDir: string): Promise<Server> {
  const ports = { PORT: '0', ADMIN_PORT: '0', BOTS: 'off', LANES: 'live' };
  return boot(readConfig({ ...ports, DATA_DIR: dataDir, OPERATOR_TOKEN }, folder), silentLog);
}

function entriesOf(dataDir: string): readonly string[] {
  const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
  return [dataDir, ...names.map((name) => path.join(dataDir, name))];
}

function openToOthers(dataDir: string): readonly string[] {
  return entriesOf(dataDir).filter((file) => (statSync(file).mode & 0o077) !== 0);
}

it.skipIf(process.platform === 'win32')(
  '[KY12] data, logs beside it and backups are closed to others, and what was open is closed at a start',
  async () => {
    const dataDir = path.join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o755 });
    let server = await start(dataDir);
    const backup = await fetch(`http://127.0.0.1:${server.adminPort}/admin/v1/backups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'a test' }),
    });
    expect(backup.status).toBe(200);
    const names = entriesOf(dataDir).map((file) => path.basename(file));
    for (const name of ['platform.db-wal', 'journal.db-wal', 'webhooks.db', 'backup.json'])
      expect(names).toContain(name);
    expect(openToOthers(dataDir)).toEqual([]);
    await server.close();
    for (const file of entriesOf(dataDir)) {
      const stats = statSync(file);
      chmodSync(file, stats.isDirectory() ? 0o755 : stats.mode | 0o044);
    }
    expect(openToOthers(dataDir)).toEqual(entriesOf(dataDir));
    server = await start(dataDir);
    expect(openToOthers(dataDir)).toEqual([]);
    await server.close();
  },
);
