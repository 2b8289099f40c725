// The data folder as maintenance finds it: which lanes it has, and that no server is using them.

import { existsSync } from 'node:fs';
import { DEFAULT_PARAMETERS, type LaneName } from '@sibyl/engine';
import { JournalConflict, type RecoverySource } from '@sibyl/lane';
import { laneFolder, openJournal, openSnapshots } from '../stores/open-stores.ts';
import { requireRestored } from '../stores/whole-folder.ts';
import { DataUnusable } from './copies.ts';

export const laneNames: readonly LaneName[] = ['live', 'sandbox'];

export function lanesIn(dataDir: string): readonly LaneName[] {
  requireRestored(dataDir);
  if (!existsSync(dataDir)) throw new DataUnusable(`${dataDir} does not exist`);
  const lanes = laneNames.filter((lane) => existsSync(laneFolder(dataDir, lane)));
  if (lanes.length === 0) throw new DataUnusable(`${dataDir} holds no lane`);
  return lanes;
}

/** Opens what a lane can be rebuilt from, runs the work, and lets go of it whatever happens. */
export async function withLane<T>(
  folder: string,
  lane: LaneName,
  work: (source: RecoverySource) => Promise<T>,
): Promise<T> {
  if (!existsSync(folder)) throw new DataUnusable(`${folder} does not exist`);
  const journal = await openJournal(folder).catch((error: unknown) => {
    throw inUse(folder, error);
  });
  try {
    const snapshots = openSnapshots(folder);
    return await work({ lane, parameters: DEFAULT_PARAMETERS, journal, snapshots });
  } finally {
    await journal.close();
  }
}

function inUse(folder: string, error: unknown): unknown {
  return error instanceof JournalConflict ? folderInUse(folder) : error;
}

export function folderInUse(folder: string): DataUnusable {
  return new DataUnusable(
    `${folder} is in use: stop the server, or work on a backup (sibyl admin create-backup --reason "…" makes one)`,
  );
}
