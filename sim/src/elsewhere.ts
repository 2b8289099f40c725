// The same seed in other surroundings: another Node release, time zone and language must give the same hashes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePortable } from './portable.ts';

export interface Surroundings {
  readonly node: string;
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What `--hash` prints for a seed there. */
export function hashesThere(seed: number, steps: number, there: Surroundings): string {
  const folder = mkdtempSync(join(tmpdir(), 'sim-portable-'));
  try {
    const entry = writePortable(folder);
    const args = [
      ...there.flags,
      entry,
      '--hash',
      '--seed',
      String(seed),
      '--steps',
      String(steps),
    ];
    return execFileSync(there.node, args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', ...there.env },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
