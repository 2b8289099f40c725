// Copies of journals and snapshots, as backups and restores make them, from open stores to open stores.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Lane as LaneName } from '@sibyl/engine';
import type { Journal } from '../ports/journal.ts';
import { cutCommit } from '../sequencer/commit.ts';
import type { RecoveryProgress } from '../sequencer/recover.ts';
import type { SnapshotStore } from '../sequencer/snapshots.ts';

/** The folder is missing, in use or not what it should be; nothing was touched. */
export class DataUnusable extends Error {
  override readonly name = 'DataUnusable';
}

export interface LaneCopy {
  readonly lane: LaneName;
  readonly seq: number;
  readonly headHash: string;
}

export interface BackupManifest {
  readonly version: string;
  readonly created_at: string;
  readonly lanes: readonly LaneCopy[];
}

/** Where a copy ends; the newest record unless told. */
export interface CopyEnd {
  readonly seq?: number | undefined;
  readonly atMs?: number | undefined;
}

/**
 * Commit by commit, so that the source may be in use: what comes later is not in the copy. A commit that goes on
 * beyond the end is sealed anew without what comes after it.
 */
export async function copyRecords(
  from: Pick<Journal, 'read' | 'head'>,
  to: Journal,
  end: CopyEnd,
  progress: (progress: RecoveryProgress) => void,
): Promise<Omit<LaneCopy, 'lane'>> {
  const { seq: headSeq } = await from.head();
  const lastSeq = Math.min(headSeq, end.seq ?? headSeq);
  const lastMs = end.atMs ?? Number.POSITIVE_INFINITY;
  const epoch = await to.lead();
  let copied = { seq: 0, headHash: '' };
  for await (const page of from.read(1)) {
    const whole = page.filter(({ seq, tsMs }) => seq <= lastSeq && tsMs <= lastMs);
    const beyond = page[whole.length];
    const cut =
      beyond === undefined
        ? null
        : cutCommit(beyond, ({ seq, tsMs }) => seq <= lastSeq && tsMs <= lastMs);
    const wanted = cut === null ? whole : [...whole, cut];
    // One after the other without waiting for each: a journal takes them in the order in which it is asked.
    await Promise.all(wanted.map((commit) => to.append(commit, epoch)));
    const last = wanted.at(-1);
    if (last !== undefined) copied = { seq: last.seq, headHash: last.hash };
    progress({ seq: copied.seq, headSeq: lastSeq });
    if (beyond !== undefined) break;
  }
  return copied;
}

/** The first snapshot holds the parameters that the chain hangs on; later ones save time. */
export function copySnapshots(from: SnapshotStore, folder: string, seqMax: number): void {
  const first = from.examine(0);
  if ('reason' in first) {
    throw new DataUnusable(
      `snap-0 in ${from.directory} cannot be used (${first.reason}): nothing could be restored without it; put that of an earlier backup in its place`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const seq of from.list()) {
    if (seq > seqMax) continue;
    const name = `snap-${seq}`;
    copyFileSync(path.join(from.directory, name), path.join(folder, name));
  }
}

export function writeManifest(folder: string, manifest: BackupManifest): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(path.join(folder, MANIFEST), text, { mode: 0o600 });
}

export function readManifest(folder: string): BackupManifest {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) throw new DataUnusable(`${folder} is not a backup: it has no ${MANIFEST}`);
  // Written by `writeManifest`; a hand-edited one fails at the first lane that does not verify.
  return JSON.parse(readFileSync(file, 'utf8')) as BackupManifest;
}

export function requireEmpty(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length > 0) throw new DataUnusable(`${folder} is not empty`);
}

const MANIFEST = 'backup.json';
