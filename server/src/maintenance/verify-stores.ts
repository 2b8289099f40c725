// sibyl verify, for what lies beside the lanes: users and keys, webhooks and their deliveries, operators.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { KeyedSecrets, readMaster, requireSecrets } from '../adapters/node/secrets.ts';
import type { Secrets } from '../ports/secrets.ts';
import { hasPlatform, openOperators, openPlatform, openWebhooks } from '../stores/open-stores.ts';
import { readMarker } from '../stores/postgres-records.ts';
import { verifyOperatorsTrail } from '../stores/trail-chain.ts';
import { verifyJournaledActs } from './journaled-acts.ts';

/** Null where there are none yet; whoever has users has them, or could not start. */
export function secretsOf(dataDir: string): Secrets | null {
  const isNew = !hasPlatform(dataDir) && readMarker(dataDir) === null;
  if (!isNew) return requireSecrets(dataDir);
  const master = readMaster(path.join(dataDir, 'secrets'));
  return master === null ? null : new KeyedSecrets(master);
}

const stores = [
  { file: 'platform.db', open: openPlatform },
  { file: 'webhooks.db', open: openWebhooks },
  { file: 'operators.db', open: openOperators },
] as const;

export interface VerifiedStores {
  /** The files that are there, every page of which is as it was written. */
  readonly files: readonly string[];
  /** How many entries the trail of operators has, each of which follows the one before; null where there is none. */
  readonly trailEntries: number | null;
}

/** Throws PagesDamaged at the first file that is not as it was written, and TrailBroken. */
export async function verifyStores(dataDir: string): Promise<VerifiedStores> {
  const files: string[] = [];
  let trailEntries: number | null = null;
  for (const { file, open } of stores) {
    if (!existsSync(path.join(dataDir, file))) continue;
    const store = await open(dataDir);
    try {
      if ('trail' in store) {
        trailEntries = await verifyOperatorsTrail(store, secretsOf(dataDir));
        await verifyJournaledActs(dataDir, store.trail);
      }
    } finally {
      await store.close();
    }
    files.push(file);
  }
  return { files, trailEntries };
}
