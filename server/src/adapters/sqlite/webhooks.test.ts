import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWebhookStore } from '../../../test/ports/webhooks-suite.ts';
import { SqliteWebhookStore } from './webhooks.ts';

const migrations = fileURLToPath(new URL('../../../migrations/sqlite/webhooks', import.meta.url));

describeWebhookStore('sqlite', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'sibyl-webhooks-'));
  return {
    open: async () => SqliteWebhookStore.open(path.join(folder, 'webhooks.db'), migrations),
    isDurable: true,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
});
