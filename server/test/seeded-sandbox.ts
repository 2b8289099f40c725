// A sandbox with its two weeks behind it takes ten seconds of a core to make. In a run of the tests it is made once, by the
// first that needs one, and copied for all others. What a first start does is tested where no copy is asked for.
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Started, type StartOptions, startServer, temporaryFolder } from './server-process.ts';

/** Where the tests of one run find it; outside of them every server makes its own. */
const PLACE = 'SEEDED_SANDBOX';

/** Gives the run a place for it, once, and takes that away when the tests have ended. */
export function setup(): (() => void) | undefined {
  if (process.env[PLACE] !== undefined) return undefined;
  const { folder, remove } = temporaryFolder();
  process.env[PLACE] = folder;
  return remove;
}

/** Puts it into a data folder that no server has started on; people, keys and the other lane are made by the first start. */
export async function seedSandbox(dataDir: string): Promise<void> {
  const folder = process.env[PLACE];
  if (folder === undefined) return;
  const made = path.join(folder, 'made');
  if (isFirst(folder)) await make(folder, made);
  else await until(made, path.join(folder, 'failed'));
  // The lane was drawn from these secrets.
  for (const part of ['secrets', 'sandbox']) {
    await cp(path.join(made, part), path.join(dataDir, part), { recursive: true });
  }
}

/** The first start on a data folder, for tests that are about what comes after it. */
export async function startSeeded(options: StartOptions): Promise<Started> {
  await seedSandbox(options.dataDir);
  return startServer(options);
}

/** True for one caller in all threads. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(path.join(folder, 'taken'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function make(folder: string, made: string): Promise<void> {
  const dataDir = path.join(folder, 'making');
  try {
    const server = await startServer({ dataDir, environment: { LANES: 'sandbox' } });
    await server.stop();
    renameSync(dataDir, made);
  } catch (error) {
    writeFileSync(path.join(folder, 'failed'), String(error));
    throw error;
  }
}

async function until(made: string, failed: string): Promise<void> {
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error('the sandbox that the tests share could not be made');
    await sleep(20);
  }
}
