// sibyl verify, for what lies beside the lanes: users and keys, webhooks and their deliveries.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { openPlatform, openWebhooks } from '../stores/open-stores.ts';

const stores = [
  { file: 'platform.db', open: openPlatform },
  { file: 'webhooks.db', open: openWebhooks },
] as const;

/** The files that are there, every page of which is as it was written; throws PagesDamaged at one that is not. */
export async function verifyStores(dataDir: string): Promise<readonly string[]> {
  const whole: string[] = [];
  for (const { file, open } of stores) {
    if (!existsSync(path.join(dataDir, file))) continue;
    const store = await open(dataDir);
    await store.close();
    whole.push(file);
  }
  return whole;
}
