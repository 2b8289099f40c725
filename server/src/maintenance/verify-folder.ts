// sibyl verify: a data folder or a backup, checked as a start would and down to every command, without changing it.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import type { RecoveryProgress } from '@sibyl/lane';
import { PageSums, PagesDamaged } from '@sibyl/storage';
import { laneFolder } from '../stores/open-stores.ts';
import { readMarker } from '../stores/postgres-records.ts';
import { forgetVerified, noteVerified } from './backup-list.ts';
import { DataUnusable } from './copies.ts';
import { lanesIn, withLane } from './data-folder.ts';
import { isBackup, readManifest, requireFiles, requireSameFiles } from './manifest.ts';
import { type Verified, verifyLane } from './verify-lane.ts';
import { requireStartable, type VerifiedStores, verifyStores } from './verify-stores.ts';
import { withWorkingCopy } from './working-copy.ts';

export interface VerifyOptions {
  readonly dataDir: string;
  /** That lane alone, without what lies beside the lanes. */
  readonly lane?: LaneName | undefined;
  readonly databaseUrl: string | null;
}

export interface VerifiedLane extends Verified {
  readonly lane: LaneName;
}

export interface VerifiedFolder {
  readonly lanes: readonly VerifiedLane[];
  /** Null where one lane alone was asked for. */
  readonly stores: VerifiedStores | null;
  /** Files of the manifest, each of which is as it was written; null for a data folder. */
  readonly files: number | null;
  /** What is damaged and will be made anew. */
  readonly warnings: readonly string[];
  /** Whether the backup now says that it was verified. */
  readonly isNoted: boolean;
}

/** Throws at the first thing that a start would refuse, or that is not as it was written. */
export async function verifyFolder(
  options: VerifyOptions,
  progress: (lane: LaneName, at: RecoveryProgress) => void,
): Promise<VerifiedFolder> {
  const { dataDir, databaseUrl, lane: only } = options;
  const lanes = lanesIn(dataDir).filter((lane) => only === undefined || lane === only);
  if (lanes.length === 0) throw new DataUnusable(`${dataDir} has no ${only} lane`);
  const manifest = isBackup(dataDir) ? readManifest(dataDir) : null;
  // Until all of it was found sound, a backup is not known to be.
  if (only === undefined) forgetVerified(dataDir);
  if (manifest !== null) requireFiles(dataDir, manifest);
  requireJournalsOf(dataDir, lanes);
  const found = await withWorkingCopy(dataDir, tmpdir(), async (copy) => {
    // The journals of an earlier build are refused as such before anything is found missing.
    for (const lane of lanes) await withLane(laneFolder(copy, lane), lane, async () => undefined);
    if (only === undefined && readMarker(dataDir) === null) requireStartable(dataDir);
    const verified: VerifiedLane[] = [];
    for (const lane of lanes) {
      verified.push({ lane, ...(await verifyLane(copy, lane, (at) => progress(lane, at))) });
    }
    const stores = only === undefined ? await verifyStores(dataDir, databaseUrl, copy) : null;
    return { lanes: verified, stores };
  });
  // After the rest, which says more exactly what is damaged.
  if (manifest !== null) await requireSameFiles(dataDir, manifest);
  const isWhole = found.lanes.every(({ damaged }) => damaged.length === 0);
  return {
    ...found,
    files: manifest?.files.length ?? null,
    warnings: lanes.flatMap((lane) => readModelFault(dataDir, lane) ?? []),
    isNoted: only === undefined && isWhole && noteVerified(dataDir, found.lanes),
  };
}

/** Without its journal an empty one would be checked, of which everything holds. */
function requireJournalsOf(dataDir: string, lanes: readonly LaneName[]): void {
  const missing = lanes.find((lane) => !existsSync(path.join(laneFolder(dataDir, lane), JOURNAL)));
  if (missing === undefined) return;
  throw new DataUnusable(
    `${path.join(laneFolder(dataDir, missing), JOURNAL)} is missing: every command of the lane is in it; sibyl restore BACKUP --data-dir FOLDER makes a new folder from the newest backup`,
  );
}

const JOURNAL = 'journal.db';

/** Null where it is sound, or will be made by the next start anyway. */
function readModelFault(dataDir: string, lane: LaneName): string | null {
  const file = path.join(laneFolder(dataDir, lane), 'read-model.db');
  if (!existsSync(file)) return null;
  try {
    new PageSums({ file }).leave();
    return null;
  } catch (error) {
    // Where nothing can be written SQLite may not open it, and the next start judges it.
    if (isOfSqlite(error)) return null;
    if (!(error instanceof PagesDamaged)) throw error;
    return `${error.message}; nothing is lost: the next start makes it anew from the journal, and so does sibyl rebuild`;
  }
}

function isOfSqlite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}
