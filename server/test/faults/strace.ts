// Runs a command under strace, which comes from the PATH or, without any privilege, from its Debian package.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

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
  const failure = unpack();
  const program = path.join(CACHE, 'usr/bin/strace');
  if (failure === null && works(program)) return { program, missing: null };
  return { program: null, missing: failure ?? 'strace may not trace here (ptrace is forbidden)' };
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

function unpack(): string | null {
  rmSync(CACHE, { recursive: true, force: true });
  mkdirSync(CACHE, { recursive: true });
  const download = spawnSync('apt-get', ['download', 'strace'], { cwd: CACHE, encoding: 'utf8' });
  if (download.status !== 0)
    return `strace is not on the PATH and cannot be downloaded: ${lastLine(download)}`;
  const archive = readdirSync(CACHE).find((name) => name.endsWith('.deb'));
  if (archive === undefined) return 'apt-get downloaded no package';
  const extract = spawnSync('dpkg-deb', ['-x', archive, '.'], { cwd: CACHE, encoding: 'utf8' });
  if (extract.status !== 0) return `the strace package cannot be unpacked: ${lastLine(extract)}`;
  return existsSync(path.join(CACHE, 'usr/bin/strace'))
    ? null
    : 'the strace package has no program';
}

function lastLine(result: { readonly error?: Error; readonly stderr: string | null }): string {
  return result.error?.message ?? result.stderr?.trim().split('\n').at(-1) ?? 'no reason was given';
}
