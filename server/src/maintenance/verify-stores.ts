// sibyl verify, for what lies beside the lanes: users and keys, webhooks and their deliveries, operators.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { KeyedSecrets, readMaster, requireSecrets } from '../adapters/node/secrets.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { Secrets } from '../ports/secrets.ts';
import { requireSigning } from '../stores/open-signing.ts';
import { hasPlatform, openOperators, openPlatform, openWebhooks } from '../stores/open-stores.ts';
import { PostgresRecords, readMarker } from '../stores/postgres-records.ts';
import { verifyOperatorsTrail } from '../stores/trail-chain.ts';
import {
  requireOperators,
  requireOwnSecrets,
  requireSameOperators,
  requireWebhooks,
  requireWhole,
} from '../stores/whole-folder.ts';
import { DataUnusable } from './copies.ts';
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
  /** Where PostgreSQL keeps them instead, which has no sums of ours to check rows by; null where they are files. */
  readonly database: string | null;
}

/** Throws what a start would refuse the folder with, as far as the names of its files and its secrets tell. */
export function requireStartable(dataDir: string): void {
  requireWhole(dataDir, null);
  requireOperators(dataDir);
  requireWebhooks(dataDir);
  secretsOf(dataDir);
}

/**
 * Throws PagesDamaged at the first file that is not as it was written, TrailBroken, and what a start would refuse the stores
 * with. Of what is in PostgreSQL the trail is checked, if it is said how to reach it. The files are opened in `copy`.
 */
export async function verifyStores(
  dataDir: string,
  databaseUrl: string | null = null,
  copy: string = dataDir,
): Promise<VerifiedStores> {
  const location = readMarker(dataDir);
  if (location !== null) {
    const trailEntries = databaseUrl === null ? null : await verifyDatabase(copy, databaseUrl);
    return { files: [], trailEntries, database: location };
  }
  requireStartable(dataDir);
  const files: string[] = [];
  let trailEntries: number | null = null;
  const secrets = secretsOf(dataDir);
  for (const { file, open } of stores) {
    if (!existsSync(path.join(copy, file))) continue;
    const store = await open(copy);
    try {
      if ('signing' in store && secrets !== null) {
        await requireOwnSecrets(dataDir, store, secrets);
        await requireSigning(dataDir, store.signing, secrets);
      }
      if ('trail' in store) {
        await requireOwnOperators(copy, store);
        trailEntries = await verifyOperatorsTrail(store, secrets);
        await verifyJournaledActs(copy, store.trail);
      }
    } finally {
      await store.close();
    }
    files.push(file);
  }
  return { files, trailEntries, database: null };
}

/** Of a folder whose users nobody has open. */
export async function requireOwnOperators(
  dataDir: string,
  operators: OperatorStore,
): Promise<void> {
  if (!hasPlatform(dataDir)) return;
  const platform = await openPlatform(dataDir);
  await requireSameOperators(dataDir, platform, operators).finally(() => platform.close());
}

async function verifyDatabase(dataDir: string, url: string): Promise<number> {
  const secrets = requireSecrets(dataDir);
  const database = await PostgresRecords.open(url);
  try {
    const fault = await database.faultFor(dataDir, secrets);
    if (fault !== null) throw new DataUnusable(fault);
    const entries = await verifyOperatorsTrail(database.operators, secrets);
    await verifyJournaledActs(dataDir, database.operators.trail);
    return entries;
  } finally {
    await database.close();
  }
}
