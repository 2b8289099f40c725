// Which backups there are, how old and how large, and which of them somebody has verified.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import { EarlierBuild } from '@sibyl/storage';
import { VERSION } from '../settings/version.ts';
import {
  BackupDamaged,
  type BackupManifest,
  isBackup,
  type LaneCopy,
  readManifest,
} from './manifest.ts';

export interface KnownBackup {
  readonly folder: string;
  readonly manifest: BackupManifest;
  readonly sizeBytes: number;
  /** When `sibyl verify` last found all of it as it was written; null if nobody has looked. */
  readonly verifiedAt: string | null;
}

const VERIFIED = 'verified.json';

/** As this program writes it into a backup that it has verified. */
interface Verification {
  readonly version: string;
  readonly verified_at: string;
  readonly lanes: readonly LaneCopy[];
}

/** The newest first; what was cut off while it was made is none. */
export function listBackups(folder: string): readonly KnownBackup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => path.join(folder, name))
    .filter(isBackup)
    .flatMap(readBackup)
    .sort((one, other) => (one.manifest.created_at < other.manifest.created_at ? 1 : -1));
}

/** Keeps with a backup that all of it was found as its manifest says. False if it is no backup, or cannot be written to. */
export function noteVerified(
  folder: string,
  lanes: readonly { readonly lane: LaneName; readonly seq: number; readonly headHash: string }[],
): boolean {
  if (!isBackup(folder)) return false;
  const found = lanes.map(({ lane, seq, headHash }) => ({ lane, seq, headHash }));
  if (!isSame(found, readManifest(folder).lanes)) return false;
  const verified_at = new Date().toISOString();
  const verification: Verification = { version: VERSION, verified_at, lanes: found };
  try {
    const text = `${JSON.stringify(verification, null, 2)}\n`;
    writeFileSync(path.join(folder, VERIFIED), text, { mode: 0o600 });
    return true;
  } catch {
    return false;
  }
}

/** Before it is looked at anew: what was found earlier says nothing about a copy that is damaged since. */
export function forgetVerified(folder: string): void {
  if (!isBackup(folder)) return;
  try {
    rmSync(path.join(folder, VERIFIED), { force: true });
  } catch {
    // A folder that cannot be written to keeps what was noted there.
  }
}

/** None for a backup that this build cannot restore. */
function readBackup(folder: string): readonly KnownBackup[] {
  try {
    const manifest = readManifest(folder);
    const verified = verifiedAt(folder, manifest);
    return [{ folder, manifest, sizeBytes: sizeOf(folder), verifiedAt: verified }];
  } catch (error) {
    if (error instanceof EarlierBuild || error instanceof BackupDamaged) return [];
    throw error;
  }
}

/** A note that was copied from another backup counts for nothing. */
function verifiedAt(folder: string, { lanes }: BackupManifest): string | null {
  const file = path.join(folder, VERIFIED);
  if (!existsSync(file)) return null;
  try {
    // Written by `noteVerified`; what somebody else wrote is no verification.
    const { verified_at: at, lanes: found } = JSON.parse(
      readFileSync(file, 'utf8'),
    ) as Verification;
    return isSame(found, lanes) ? at : null;
  } catch {
    return null;
  }
}

function isSame(found: readonly LaneCopy[], expected: readonly LaneCopy[]): boolean {
  return (
    found.length === expected.length &&
    expected.every(({ lane, seq, headHash }) =>
      found.some((one) => one.lane === lane && one.seq === seq && one.headHash === headHash),
    )
  );
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}
