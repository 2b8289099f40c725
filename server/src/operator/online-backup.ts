// Makes a backup while serving: records through the journals' own threads, the platform through its own connection.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import { copyRecords, type Journal, type SnapshotStore } from '@sibyl/lane';
import {
  copySecrets,
  copySnapshots,
  DataUnusable,
  requireEmpty,
  secretsFault,
} from '../maintenance/copies.ts';
import { laneNames } from '../maintenance/data-folder.ts';
import { type LaneCopy, writeManifest } from '../maintenance/manifest.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import { laneFolder } from '../stores/open-stores.ts';
import type { MadeBackup } from './parts.ts';

export interface OnlineBackup {
  readonly dataDir: string;
  readonly version: string;
  readonly nowMs: number;
  readonly platform: PlatformStore;
  readonly webhooks: WebhookStore;
  readonly operators: OperatorStore;
  readonly opened: Readonly<
    Partial<Record<LaneName, { readonly journal: Journal; readonly snapshots: SnapshotStore }>>
  >;
  openJournal(folder: string): Promise<Journal>;
}

/** The folder gets its name when everything is in it, so that half a backup is never taken for one. */
export async function backUpOnline(backup: OnlineBackup): Promise<MadeBackup> {
  const { dataDir, nowMs, platform } = backup;
  const fault = secretsFault(dataDir);
  if (fault !== null) throw new DataUnusable(fault);
  // To the millisecond: two in one second must not meet in one folder.
  const created = new Date(nowMs).toISOString();
  const folder = path.join(dataDir, 'backups', created.replaceAll(/[-:.]/g, ''));
  const draft = `${folder}.partial`;
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  removeDrafts(path.dirname(folder));
  requireEmpty(draft);
  const lanes: LaneCopy[] = [];
  for (const [name, { journal, snapshots }] of Object.entries(backup.opened)) {
    const lane = name === 'live' ? 'live' : 'sandbox';
    const target = await backup.openJournal(path.join(draft, lane));
    try {
      const copy = await copyRecords(journal, target, {}, () => undefined);
      copySnapshots(snapshots, path.join(draft, lane, 'snapshots'), copy.seq);
      lanes.push({ lane, ...copy });
    } finally {
      await target.close();
    }
  }
  await platform.copyTo(path.join(draft, 'platform.db'));
  await backup.webhooks.copyTo(path.join(draft, 'webhooks.db'));
  await backup.operators.copyTo(path.join(draft, 'operators.db'));
  copySecrets(dataDir, draft);
  await writeManifest(draft, { version: backup.version, created_at: created, lanes });
  renameSync(draft, folder);
  return { folder, createdAtMs: nowMs, lanes, leftOut: leftOut(backup) };
}

/** What does not run is not open to be copied. */
function leftOut({ dataDir, opened }: OnlineBackup): readonly LaneName[] {
  return laneNames.filter(
    (name) => opened[name] === undefined && existsSync(laneFolder(dataDir, name)),
  );
}

/** As this program names them, so that nothing else is ever removed. */
const DRAFT = /^\d{8}T\d{9}Z\.partial$/;

/** Backups are made one at a time: a draft that is there now was cut off. */
function removeDrafts(backups: string): void {
  for (const name of readdirSync(backups)) {
    if (DRAFT.test(name)) rmSync(path.join(backups, name), { recursive: true });
  }
}
