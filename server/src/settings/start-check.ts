// What can be known to stop a start before anything is written: ports that are taken, a folder that cannot be used.

import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Config } from './config.ts';

export const ADMIN_HOST = '127.0.0.1';

/** The start was refused with everything untouched. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export async function checkStart(config: Config): Promise<void> {
  const { host, port, adminPort, dataDir } = config;
  const faults = [
    folderFault(dataDir),
    await portFault('PORT', host, port),
    await portFault('ADMIN_PORT', ADMIN_HOST, adminPort),
  ].filter((fault) => fault !== null);
  if (faults.length > 0) throw new StartRefused(faults.join('\n'));
}

/** Null when a listener could be opened there. */
export function portFault(
  setting: 'PORT' | 'ADMIN_PORT',
  host: string,
  port: number,
): Promise<string | null> {
  if (port === 0) return Promise.resolve(null);
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(explain(setting, error)));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

function explain(setting: 'PORT' | 'ADMIN_PORT', { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `${message}; set ${setting} to a free one`;
  if (code === 'EACCES') return `${message}; set ${setting} to one above 1023`;
  const isAddress = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND';
  return isAddress ? `${message}; set HOST to an address of this machine` : message;
}

/** A folder that is not there yet will be made in the nearest one that is. */
function folderFault(dataDir: string): string | null {
  let folder = dataDir;
  while (!existsSync(folder) && path.dirname(folder) !== folder) folder = path.dirname(folder);
  if (!statSync(folder).isDirectory()) return `DATA_DIR=${dataDir}: ${folder} is not a folder`;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // Root may write to /proc by its permissions, yet nothing can be made there; mkdir with its parents would try for ever.
    if (folder !== dataDir) rmdirSync(mkdtempSync(path.join(folder, '.sibyl-')));
    return null;
  } catch {
    return `DATA_DIR=${dataDir}: ${folder} cannot be written`;
  }
}
