import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { describePlatform } from '../../../test/ports/platform-suite.ts';
import { SqlitePlatformStore } from './platform.ts';

const migrations = fileURLToPath(new URL('../../../migrations/sqlite/platform', import.meta.url));

describePlatform('sqlite', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-platform-'));
  return {
    open: async () => SqlitePlatformStore.open(path.join(folder, 'platform.db'), migrations),
    isDurable: true,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});

it('[RE4] keeps a second process out of the file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-platform-'));
  const file = path.join(folder, 'platform.db');
  const store = SqlitePlatformStore.open(file, migrations);
  expect(() => SqlitePlatformStore.open(file, migrations)).toThrow(/locked/);
  await store.close();
  await rm(folder, { recursive: true, force: true });
});
