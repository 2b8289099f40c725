// What backups and restores copy beside the records: snapshots, and a manifest that says what is in the folder.

import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import type { CopiedRecords, SnapshotStore } from '@sibyl/lane';
import { requireSecrets, SecretsRefused } from '../adapters/node/secrets.ts';
import { GENERATIONS_FILE } from '../adapters/node/signing-generations.ts';

/** The folder is missing, in use or not what it should be; nothing was touched. */
export class DataUnusable extends Error {
  override readonly name = 'DataUnusable';
}

export interface LaneCopy extends CopiedRecords {
  readonly lane: LaneName;
}

export interface BackupManifest {
  readonly version: string;
  readonly created_at: string;
  readonly lanes: readonly LaneCopy[];
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

/** Why nothing of the folder can be copied that anybody could log in to; null if its secrets are there. */
export function secretsFault(dataDir: string): string | null {
  try {
    requireSecrets(dataDir);
    return null;
  } catch (error) {
    if (error instanceof SecretsRefused) return error.message;
    throw error;
  }
}

/** Nobody could log in to what is restored without them. */
export function copySecrets(from: string, to: string): void {
  requireSecrets(from);
  copyFileSync(path.join(from, SECRETS), path.join(to, SECRETS));
  chmodSync(path.join(to, SECRETS), OWNER_ONLY);
  // There is none until the wrapping key of signing secrets was rotated.
  if (!existsSync(path.join(from, GENERATIONS_FILE))) return;
  copyFileSync(path.join(from, GENERATIONS_FILE), path.join(to, GENERATIONS_FILE));
  chmodSync(path.join(to, GENERATIONS_FILE), OWNER_ONLY);
}

export function writeManifest(folder: string, manifest: BackupManifest): void {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  writeFileSync(path.join(folder, MANIFEST), text, { mode: 0o600 });
}

/** Complete: the manifest is written last. */
export function isBackup(folder: string): boolean {
  return existsSync(path.join(folder, MANIFEST)) && !folder.endsWith('.partial');
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
const SECRETS = 'secrets';
const OWNER_ONLY = 0o400;
