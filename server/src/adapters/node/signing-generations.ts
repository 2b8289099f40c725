// Which generation of the wrapping key seals signing secrets: random names in a file beside the data, the newest first.
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { syncFolder } from '@sibyl/storage';

/** The wrapping key follows from the folder's secrets and this name: whoever lacks either opens nothing. */
export const GENERATIONS_FILE = 'signing-generations';

/** As long as nothing was rotated there is no file. */
const FIRST = '1';
const OWNER_ONLY = 0o400;
const NAME_FORM = /^[0-9a-f]{64}$|^1$/;

export function readGenerations(dataDir: string): readonly [string, ...string[]] {
  const file = path.join(dataDir, GENERATIONS_FILE);
  if (!existsSync(file)) return [FIRST];
  const [newest, ...older] = readFileSync(file, 'latin1').trim().split('\n');
  if (newest === undefined || ![newest, ...older].every((name) => NAME_FORM.test(name))) {
    throw new GenerationsDamaged(
      `${file} is damaged: signing secrets would not open; restore it from a backup`,
    );
  }
  return [newest, ...older];
}

/** Whole or not at all, and on disk when it returns. */
export function writeGenerations(dataDir: string, names: readonly string[]): void {
  const file = path.join(dataDir, GENERATIONS_FILE);
  const aside = `${file}.new`;
  rmSync(aside, { force: true });
  const descriptor = openSync(aside, 'wx', OWNER_ONLY);
  writeSync(descriptor, `${names.join('\n')}\n`);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(aside, file);
  syncFolder(dataDir);
}

/** The file is there and is not what was written. */
class GenerationsDamaged extends Error {
  override readonly name = 'GenerationsDamaged';
}
