// A real server in a process of its own, on free ports, with a data folder that is thrown away.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildProgram } from '../../scripts/build-program.mjs';

export const root = path.resolve(import.meta.dirname, '../..');

export interface Started {
  readonly child: ChildProcess;
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Null unless this start made it. */
  readonly operatorPassword: string | null;
  readonly readyMs: number;
  readonly output: () => string;
  /** Its exit code, once it has ended. */
  readonly ended: Promise<number | null>;
  /** Ends the process with the signal and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface StartOptions {
  readonly dataDir: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** How the server is started; the main program under this Node, unless told. */
  readonly command?: readonly [string, ...string[]];
  /** Starts it as the leader of a process group, as a terminal does: `kill(-pid)` reaches all of its processes. */
  readonly isGroup?: boolean;
}

export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'sibyl-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

let built: string | null = null;
/** The server as people run it. A thread of tests looks once whether it is built of what lies in the tree. */
function serverProgram(): string {
  built ??= buildProgram(process.execPath);
  return built;
}

/** A machine may be busy with much else. */
const READY_TIMEOUT_MS = 240_000;

export async function startServer(options: StartOptions): Promise<Started> {
  const started = performance.now();
  const [program, ...args] = options.command ?? [process.execPath, serverProgram()];
  const child = spawn(program, args, {
    cwd: root,
    env: {
      ...process.env,
      PORT: '0',
      ADMIN_PORT: '0',
      DATA_DIR: options.dataDir,
      BOTS: 'off',
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.isGroup ?? false,
  });
  let output = '';
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const text = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`not ready:\n${output}`));
    }, READY_TIMEOUT_MS);
    const settle = (action: () => void): void => {
      clearTimeout(timer);
      action();
    };
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (output.includes('Ctrl-C stops.')) settle(() => resolve(output));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) =>
      settle(() => reject(new Error(`the server ended with ${code}:\n${output}`))),
    );
  });
  return {
    child,
    baseUrl: /Interface\s+(\S+)/.exec(text)?.[1] ?? '',
    adminUrl: /Operator\s+(\S+)/.exec(text)?.[1] ?? '',
    operatorPassword: /sign in as admin with the password (\S+)/.exec(text)?.[1] ?? null,
    readyMs: performance.now() - started,
    output: () => output,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
