// A copy to work on, of what a data folder or a backup is opened by: the folder itself may be read-only, and stays as it is.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { lookInto } from '@sibyl/storage';
import { copyWritable } from './copies.ts';
import { folderInUse, laneNames } from './data-folder.ts';

/** SQLite changes these as it opens them. */
const DATABASES = ['platform.db', 'webhooks.db', 'operators.db'] as const;
const JOURNAL = 'journal.db';
const BESIDE = ['', '-wal', '-sums', '-head'] as const;
/** Only read, so links to them do. */
const READ = ['secrets', 'signing-generations', 'platform.postgres'] as const;

/** Runs the work on a copy below `place`, and removes it whatever happens. */
export async function withWorkingCopy<T>(
  folder: string,
  place: string,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  const temporary = mkdtempSync(path.join(place, 'sibyl-copy-'));
  // Messages name files with the folder that they lie in.
  const copy = path.join(temporary, path.basename(path.resolve(folder)));
  try {
    mkdirSync(copy, { mode: 0o700 });
    for (const name of READ) link(folder, copy, name);
    for (const name of DATABASES) copyDatabase(folder, copy, name);
    for (const lane of laneNames) copyLane(path.join(folder, lane), path.join(copy, lane));
    return await work(copy);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function copyLane(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { mode: 0o700 });
  copyDatabase(from, to, JOURNAL);
  const snapshots = path.join(from, 'snapshots');
  if (!existsSync(snapshots)) return;
  mkdirSync(path.join(to, 'snapshots'), { mode: 0o700 });
  for (const name of readdirSync(snapshots).filter((file) => file.startsWith('snap-'))) {
    if (!name.endsWith('.tmp')) link(snapshots, path.join(to, 'snapshots'), name);
  }
}

function link(from: string, to: string, name: string): void {
  const file = path.resolve(from, name);
  if (existsSync(file)) symlinkSync(file, path.join(to, name));
}

function copyDatabase(from: string, to: string, name: string): void {
  const files = BESIDE.map((beside) => `${name}${beside}`);
  const file = path.join(from, name);
  const state = (): string =>
    files
      .map((one) => statSync(path.join(from, one), { throwIfNoEntry: false }))
      .map((found) => (found === undefined ? '-' : `${found.size} ${found.mtimeMs}`))
      .join(' ');
  requireIdle(file);
  const before = state();
  for (const one of files) {
    const source = path.join(from, one);
    if (existsSync(source)) copyWritable(source, path.join(to, one));
  }
  // A server that began meanwhile has changed it.
  if (state() !== before) throw folderInUse(from);
}

/** A server has its files for itself alone, each with a log. A file that cannot be opened here is judged by its copy. */
function requireIdle(file: string): void {
  // Without one, SQLite would leave an empty log behind.
  if (!existsSync(`${file}-wal`)) return;
  try {
    lookInto(file, (database) => database.prepare('SELECT 1 FROM sqlite_schema').get());
  } catch (error) {
    if (isBusy(error)) throw folderInUse(path.dirname(file));
  }
}

function isBusy(error: unknown): boolean {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
