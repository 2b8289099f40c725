// Runs a command under strace, which comes from the PATH or, without any privilege, from its Debian package.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { unpackPackages } from '../debian-packages.ts';

const CACHE = path.join(import.meta.dirname, '../../../.cache/strace');

/** The program, or in plain words why there is none. */
export type Strace =
  | { readonly program: string; readonly missing: null }
  | { readonly program: null; readonly missing: string };

export function findStrace(): Strace {
  if (process.platform !== 'linux') {
    return { program: null, missing: `strace exists on Linux only; this is ${process.platform}` };
  }
  for (const program of ['strace', path.join(CACHE, 'usr/bin/strace')]) {
    if (works(program)) return { program, missing: null };
  }
  const failure = unpackPackages(['strace'], CACHE);
  const program = path.join(CACHE, 'usr/bin/strace');
  if (failure === null && works(program)) return { program, missing: null };
  const reason = failure === null ? 'it may not trace here (ptrace is forbidden)' : failure;
  return { program: null, missing: `strace is not on the PATH, and ${reason}` };
}

/** Not only that it starts: that it may trace. */
function works(program: string): boolean {
  const probe = spawnSync(program, [
    '-f',
    '-o',
    '/dev/null',
    '-e',
    'trace=fsync',
    process.execPath,
    '-e',
    '0',
  ]);
  return probe.status === 0;
}
