// sibyl backup and sibyl restore: the whole data folder of a stopped server, proven before it is trusted.

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import { type CopyEnd, copyRecords, type RecoveryProgress } from '@sibyl/lane';
import { requireSecrets } from '../adapters/node/secrets.ts';
import { VERSION } from '../settings/version.ts';
import { signStop } from '../status/status-keeper.ts';
import {
  hasPlatform,
  laneFolder,
  openJournal,
  openOperators,
  openPlatform,
  openWebhooks,
  operatorsFile,
  platformFile,
  webhooksFile,
} from '../stores/open-stores.ts';
import { PostgresRecords, readMarker } from '../stores/postgres-records.ts';
import { filling } from '../stores/whole-folder.ts';
import { copySecrets, copySnapshots, copyWritable, DataUnusable, requireEmpty } from './copies.ts';
import { lanesIn, withLane } from './data-folder.ts';
import {
  BackupDamaged,
  type BackupManifest,
  type LaneCopy,
  readManifest,
  requireSameFiles,
  writeManifest,
} from './manifest.ts';
import { verifyLane } from './verify-lane.ts';
import { requireStartable } from './verify-stores.ts';
import { withWorkingCopy } from './working-copy.ts';

export type CopyProgress = (lane: LaneName, progress: RecoveryProgress) => void;

/** Users, keys and webhooks that are in PostgreSQL are in the backup as files of SQLite. */
export async function backup(
  dataDir: string,
  target: string,
  progress: CopyProgress,
  databaseUrl: string | null = null,
): Promise<BackupManifest> {
  const location = readMarker(dataDir);
  if (location !== null && databaseUrl === null) {
    throw new DataUnusable(
      `the users, keys and webhooks of ${dataDir} are in PostgreSQL at ${location}: set DATABASE_URL, so that they are in the backup`,
    );
  }
  const present = lanesIn(dataDir);
  if (location === null) requireStartable(dataDir);
  else requireSecrets(dataDir);
  requireEmpty(target);
  const lanes: LaneCopy[] = [];
  for (const lane of present) lanes.push(await copyLane(dataDir, target, lane, progress));
  if (databaseUrl === null) await copyPlatform(dataDir, target);
  else await copyDatabase(databaseUrl, dataDir, target);
  const created = new Date().toISOString();
  return writeManifest(target, { version: VERSION, created_at: created, lanes });
}

export interface RestorePoint extends CopyEnd {
  /** The lane that ends there; the other is restored whole. Both end there without it. */
  readonly lane?: LaneName | undefined;
}

function isOpenEnd({ seq, atMs }: CopyEnd): boolean {
  return seq === undefined && atMs === undefined;
}

/** The result is replayed from its beginning: a backup that does not verify is not restored. */
export async function restore(
  source: string,
  dataDir: string,
  point: RestorePoint,
  progress: CopyProgress,
): Promise<readonly LaneCopy[]> {
  const manifest = readManifest(source);
  requireEndIn(manifest, point);
  await requireSameFiles(source, manifest).catch(unusable);
  requireStartable(source);
  requireEmpty(dataDir);
  return filling(dataDir, () =>
    // The backup may lie where nothing can be written.
    withWorkingCopy(source, dataDir, async (copy) => {
      const restored: LaneCopy[] = [];
      for (const copied of manifest.lanes) {
        restored.push(await restoreLane(copy, dataDir, copied, point, progress));
      }
      await copyPlatform(copy, dataDir);
      await endInOrder(dataDir);
      return restored;
    }),
  );
}

/** Nothing was restored. */
function unusable(error: unknown): never {
  throw error instanceof BackupDamaged ? new DataUnusable(error.message) : error;
}

async function restoreLane(
  source: string,
  dataDir: string,
  { lane, seq, headHash }: LaneCopy,
  { lane: only, ...end }: RestorePoint,
  progress: CopyProgress,
): Promise<LaneCopy> {
  const isWhole = isOpenEnd(end) || (only !== undefined && only !== lane);
  const copy = await copyLane(source, dataDir, lane, progress, isWhole ? {} : end);
  if (copy.seq === 0 && seq > 0) {
    throw new DataUnusable(`nothing of the ${lane} lane of the backup lies before that time`);
  }
  const verified = await verifyLane(dataDir, lane, (at) => progress(lane, at));
  if (isWhole && (verified.seq !== seq || verified.headHash !== headHash)) {
    throw new DataUnusable(`the ${lane} lane of ${source} ends elsewhere than its manifest says`);
  }
  return copy;
}

/** An end that the backup does not have would restore all of it, and look like success. */
function requireEndIn(
  { lanes, created_at: created }: BackupManifest,
  { lane: only, ...end }: RestorePoint,
): void {
  const { seq, atMs } = end;
  if (only !== undefined && isOpenEnd(end)) {
    throw new DataUnusable('--lane names the lane that ends: say where (--to-seq or --to-time)');
  }
  if (atMs !== undefined && atMs > Date.parse(created)) {
    throw new DataUnusable(`the backup was made at ${created}: it has nothing of later`);
  }
  if (seq !== undefined && only === undefined && lanes.length > 1) {
    throw new DataUnusable(
      'each lane numbers its commands for itself: name the one that is to end there (--lane), or give a time (--to-time), at which both end',
    );
  }
  const ending = only === undefined ? lanes[0] : lanes.find(({ lane }) => lane === only);
  if (ending === undefined) throw new DataUnusable(`the backup has no ${only ?? ''} lane`);
  if (seq !== undefined && seq > ending.seq) {
    throw new DataUnusable(`the ${ending.lane} lane of the backup ends at ${ending.seq}`);
  }
}

const PLATFORM = 'platform.db';
const WEBHOOKS = 'webhooks.db';
const OPERATORS = 'operators.db';

function copyLane(
  from: string,
  to: string,
  lane: LaneName,
  progress: CopyProgress,
  end: CopyEnd = {},
): Promise<LaneCopy> {
  return withLane(laneFolder(from, lane), lane, async ({ journal, snapshots }) => {
    const target = await openJournal(laneFolder(to, lane));
    try {
      const copy = await copyRecords(journal, target, end, (at) => progress(lane, at));
      const folder = path.join(laneFolder(to, lane), 'snapshots');
      if (snapshots !== null) copySnapshots(snapshots, folder, copy.seq);
      return { lane, ...copy };
    } finally {
      await target.close();
    }
  });
}

/** With the checksums of its pages: whoever opens the copy finds what changed on the way. */
function copyStore(from: string, to: string, name: string): void {
  for (const file of [name, `${name}-sums`]) {
    if (existsSync(path.join(from, file))) copyWritable(path.join(from, file), path.join(to, file));
  }
}

/** Opening and closing a store moves its log into the file, so that one file is all of it. */
async function copyPlatform(from: string, to: string): Promise<void> {
  if (!hasPlatform(from)) return;
  const stores = { [PLATFORM]: openPlatform, [WEBHOOKS]: openWebhooks, [OPERATORS]: openOperators };
  for (const [name, open] of Object.entries(stores)) {
    if (!existsSync(path.join(from, name))) continue;
    await (await open(from)).close();
    copyStore(from, to, name);
  }
  copySecrets(from, to);
}

/** The backup of a running server says that it runs. */
async function endInOrder(dataDir: string): Promise<void> {
  if (!hasPlatform(dataDir)) return;
  const platform = await openPlatform(dataDir);
  await signStop(platform).finally(() => platform.close());
}

/** It must be the folder's own, which only its secrets tell. */
async function copyDatabase(url: string, dataDir: string, to: string): Promise<void> {
  const database = await PostgresRecords.open(url);
  try {
    await database.belongTo(dataDir, requireSecrets(dataDir));
    await database.platform.copyTo(platformFile(to));
    await database.webhooks.copyTo(webhooksFile(to));
    await database.operators.copyTo(operatorsFile(to));
    copySecrets(dataDir, to);
  } finally {
    await database.close();
  }
}
