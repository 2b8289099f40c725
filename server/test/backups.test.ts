// What a backup of a running server leaves in its folder, and what it clears away.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { boot } from '../src/boot.ts';
import { silentLog } from '../src/gateway/log.ts';
import { readConfig } from '../src/settings/config.ts';

const OPERATOR_TOKEN = 'a token that is long enough';

it('[DB13] a backup removes what was cut off before it, and nothing else', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sibyl-backups-'));
  const backups = path.join(dataDir, 'backups');
  const cutOff = '20260101T000000000Z.partial';
  const others = ['20260101T000000001Z', 'mine.partial', '20260101T000000000Z.partial.kept'];
  const environment = { PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LANES: 'live' };
  const server = await boot(readConfig({ ...environment, OPERATOR_TOKEN }, dataDir), silentLog);
  for (const name of [cutOff, ...others]) {
    mkdirSync(path.join(backups, name, 'live'), { recursive: true });
    writeFileSync(path.join(backups, name, 'live', 'journal.db'), 'half of it');
  }
  const answer = await fetch(`http://127.0.0.1:${server.adminPort}/admin/v1/backups`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'a test' }),
  });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { folder: string } };
  expect(existsSync(path.join(data.folder, 'backup.json'))).toBe(true);
  expect(readdirSync(backups).sort()).toEqual([...others, path.basename(data.folder)].sort());
  await server.close();
  rmSync(dataDir, { recursive: true });
});
