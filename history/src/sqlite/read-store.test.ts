import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const folder = import.meta.dirname;

/** Nothing but the store keeps this process going: whoever forgets its thread ends it early. */
const PROGRAM = `
  import { UnflushedRows } from '${path.join(folder, '../projector/unflushed-rows.ts')}';
  import { SqliteReadStore } from '${path.join(folder, 'read-store.ts')}';
  const store = new SqliteReadStore(process.argv[2]);
  const unflushed = new UnflushedRows();
  unflushed.seq = 7;
  for (let turn = 0; turn < 2; turn += 1) await store.write(unflushed.batch(), () => {});
  console.log(await store.cursor());
  await store.close();
  console.log('closed');
`;

it('[RM10] whoever waits for a store goes on after it has written, and after it has closed', () => {
  const data = mkdtempSync(path.join(tmpdir(), 'read-store-'));
  const file = path.join(data, 'read-model.db');
  const program = path.join(data, 'program.mjs');
  writeFileSync(program, PROGRAM);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, file], {
    encoding: 'utf8',
  });
  rmSync(data, { recursive: true });
  expect(stderr).toBe('');
  expect(stdout).toBe('7\nclosed\n');
  expect(status).toBe(0);
});
