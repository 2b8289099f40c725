// Programs out of Debian's packages, unpacked without any privilege into a folder of the project.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Fills the folder with what the packages hold; null, or in plain words why it could not. */
export function unpackPackages(names: readonly string[], folder: string): string | null {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const download = run('apt-get', ['download', ...names], folder);
  if (download.status !== 0) return `${names[0]} cannot be downloaded: ${lastLine(download)}`;
  const archives = readdirSync(folder).filter((name) => name.endsWith('.deb'));
  if (archives.length === 0) return 'apt-get downloaded no package';
  for (const archive of archives) {
    const extract = run('dpkg-deb', ['-x', archive, '.'], folder);
    if (extract.status !== 0) return `${archive} cannot be unpacked: ${lastLine(extract)}`;
    rmSync(path.join(folder, archive));
  }
  return null;
}

/** The package and all it needs that this machine does not have, as apt would install them. */
export function packagesMissingFor(name: string): readonly string[] {
  const options = ['install', '--simulate', '--no-install-recommends', name];
  const plan = run('apt-get', options, '.');
  return Array.from((plan.stdout ?? '').matchAll(/^Inst (\S+)/gm), ([, wanted]) => wanted!);
}

function run(program: string, args: readonly string[], cwd: string): SpawnSyncReturns<string> {
  return spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
}

function lastLine(result: SpawnSyncReturns<string>): string {
  return result.error?.message ?? result.stderr?.trim().split('\n').at(-1) ?? 'no reason was given';
}
