// What backups and restores copy beside the records: snapshots and secrets.

import { chmodSync, constants, copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { SnapshotStore } from '@sibyl/lane';
import { requireSecrets, SecretsRefused } from '../adapters/node/secrets.ts';
import { GENERATIONS_FILE } from '../adapters/node/signing-generations.ts';

/** The folder is missing, in use or not what it should be; nothing was touched. */
export class DataUnusable extends Error {
  override readonly name = 'DataUnusable';
}

/** The first snapshot holds the parameters that the chain hangs on; later ones save time. */
export function copySnapshots(from: SnapshotStore, folder: string, seqMax: number): void {
  const first = from.examine(0);
  if ('reason' in first) {
    throw new DataUnusable(
      `snap-0 in ${from.directory} cannot be used (${first.reason}): nothing could be restored without it; a start of the server makes it anew, else put that of an earlier backup in its place`,
    );
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const seq of from.list()) {
    if (seq > seqMax) continue;
    const name = `snap-${seq}`;
    copyWritable(path.join(from.directory, name), path.join(folder, name));
  }
}

/** The original may be read-only; SQLite opens its copy for writing. Shares the blocks where the file system can. */
export function copyWritable(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, OWNER_WRITES);
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

export function requireEmpty(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (readdirSync(folder).length === 0) return;
  throw new DataUnusable(
    `${folder} is not empty, and nothing in it is overwritten: name a new folder, or move this one away first: mv ${folder} ${folder}.before`,
  );
}

const SECRETS = 'secrets';
const OWNER_ONLY = 0o400;
const OWNER_WRITES = 0o600;
