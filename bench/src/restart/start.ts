// A start of the real server, from the command to the first answer.
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { buildProgram } from '../../../scripts/build-program.mjs';
import { serverFlags } from '../../../scripts/node-flags.mjs';
import { onAllCores } from '../harness/all-cores.ts';
import type { Measurement } from '../suite.ts';
import { dropSnapshots } from './tail.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const READY = 'Ctrl-C stops.';

/** Killed afterwards, so that the next start finds the same. */
export async function measureStart(dataDir: string, snapshotSeq: number): Promise<Measurement> {
  dropSnapshots(dataDir, snapshotSeq);
  // Nothing is compared with a peer here, so the server has the machine that a real one would have.
  const flags = [...process.execArgv, ...serverFlags, '--disable-proto=delete'];
  const server = buildProgram(process.execPath);
  const [program, ...args] = onAllCores(process.execPath, [...flags, server]);
  const startedMs = performance.now();
  const child = spawn(program, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      ADMIN_PORT: '0',
      DATA_DIR: dataDir,
      BOTS: 'off',
      LANES: 'live',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const text = await readyText(child);
    const baseUrl = /Interface\s+(\S+)/.exec(text)?.[1] ?? '';
    const answer = await fetch(`${baseUrl}/v1/health`);
    const readyMs = performance.now() - startedMs;
    return { readyMs, isWell: answer.status === 200 ? 1 : 0 };
  } finally {
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function readyText(child: ChildProcess): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(READY)) resolve(text);
    });
  });
}
