// The first start of a lane: it is seeded in a temporary folder, which is renamed when it is complete.

import { existsSync, renameSync, rmSync } from 'node:fs';
import { SeedClock } from './seed-clock.ts';
import { type SeededLane, type Seeding, seedLane, seedStartMs } from './seed-lane.ts';

/** A lane that was opened in a folder, and how it is let go of. */
export interface OpenedForSeed {
  readonly lane: SeededLane;
  close(): Promise<void>;
}

export interface FirstStart extends Seeding {
  readonly lane: 'live' | 'sandbox';
  /** Where the lane's files belong. */
  readonly folder: string;
  open(folder: string, clock: SeedClock): Promise<OpenedForSeed>;
  /** Makes the move durable. */
  syncFolder(folder: string): void;
}

/** True if the lane was new. A start that was cut off leaves nothing behind but a folder to throw away. */
export async function seedIfNew(start: FirstStart): Promise<boolean> {
  const { lane: name, folder, nowMs } = start;
  if (existsSync(folder)) return false;
  const draft = `${folder}.seeding`;
  rmSync(draft, { recursive: true, force: true });
  const clock = new SeedClock(seedStartMs(name, nowMs));
  const opened = await start.open(draft, clock);
  try {
    await seedLane(opened.lane, clock, start);
  } finally {
    await opened.close();
  }
  renameSync(draft, folder);
  start.syncFolder(folder);
  return true;
}
