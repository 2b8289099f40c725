// The manifest of a backup: how far its lanes go, and every file that it must have, with size and digest.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import type { CopiedRecords } from '@sibyl/lane';
import { EarlierBuild } from '@sibyl/storage';
import { DataUnusable } from './copies.ts';

export interface LaneCopy extends CopiedRecords {
  readonly lane: LaneName;
}

export interface BackupFile {
  /** Below the backup, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BackupManifest {
  readonly version: string;
  readonly created_at: string;
  readonly lanes: readonly LaneCopy[];
  readonly files: readonly BackupFile[];
}

/** A file of the manifest is missing or is not the one that was written. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

const MANIFEST = 'backup.json';

/** Made anew from the file that they belong to, and changed by whatever opens it. */
const BESIDE = /\.db-(?:sums|head|reserve|wal|shm)$/;

/** Complete: the manifest is written last. */
export function isBackup(folder: string): boolean {
  return existsSync(path.join(folder, MANIFEST)) && !folder.endsWith('.partial');
}

/** Lists the files of the folder and writes them down: nothing may be added to a backup after that. */
export async function writeManifest(
  folder: string,
  manifest: Omit<BackupManifest, 'files'>,
): Promise<BackupManifest> {
  const files: BackupFile[] = [];
  for (const name of filesBelow(folder)) files.push(await describe(folder, name));
  const written = { ...manifest, files };
  const text = `${JSON.stringify(written, null, 2)}\n`;
  writeFileSync(path.join(folder, MANIFEST), text, { mode: 0o600, flush: true });
  return written;
}

export function readManifest(folder: string): BackupManifest {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) throw new DataUnusable(`${folder} is not a backup: it has no ${MANIFEST}`);
  const manifest = parsed(file);
  if (!Array.isArray(manifest.lanes)) throw new BackupDamaged(`${file} is not a manifest`);
  // Builds before this one wrote no list of files, and nothing else that this one reads.
  if (!Array.isArray(manifest.files)) throw new EarlierBuild(`the backup ${folder}`);
  return manifest as BackupManifest;
}

/** Throws BackupDamaged at the first file that is not there. */
export function requireFiles(folder: string, { files }: BackupManifest): void {
  const missing = files.find(({ path: name }) => !existsSync(path.join(folder, name)));
  if (missing !== undefined) throw damaged(folder, `${missing.path} is missing`);
}

/** Throws BackupDamaged at the first file that is not as it was written. */
export async function requireSameFiles(folder: string, manifest: BackupManifest): Promise<void> {
  requireFiles(folder, manifest);
  for (const file of manifest.files) {
    const { bytes, sha256 } = await describe(folder, file.path);
    if (bytes !== file.bytes) {
      throw damaged(folder, `${file.path} has ${bytes} bytes instead of ${file.bytes}`);
    }
    if (sha256 !== file.sha256) throw damaged(folder, `${file.path} has another digest`);
  }
}

function damaged(folder: string, what: string): BackupDamaged {
  return new BackupDamaged(
    `${what} in the backup ${folder}, unlike its manifest (${MANIFEST}) says: use another backup (sibyl backups lists them)`,
  );
}

function parsed(file: string): Partial<BackupManifest> {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new BackupDamaged(`${file} is damaged: use another backup (sibyl backups lists them)`);
  }
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !BESIDE.test(entry.name))
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .map((name) => name.replaceAll(path.sep, '/'))
    .sort();
}

async function describe(folder: string, name: string): Promise<BackupFile> {
  const file = path.join(folder, name);
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(file)) digest.update(chunk);
  return { path: name, bytes: statSync(file).size, sha256: digest.digest('hex') };
}
