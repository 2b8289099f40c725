// The data folder is for its owner alone: it holds hashes of keys, positions of everybody and the secrets of both.
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Makes the folder unless it is there, and takes from others what they may do in it. Says what that was. */
export function ownFolder(folder: string): readonly string[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    // What a link leads to is not ours to close.
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return [folder, ...entries].filter(closeToOthers);
}

/** Bits of group and others. */
const OTHERS = 0o077;

function closeToOthers(file: string): boolean {
  // A log of SQLite may be gone by now.
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return false;
  chmodSync(file, mode & 0o700);
  return true;
}
