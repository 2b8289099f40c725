// Our real server in this process, on a copy of the prepared data, with its journal or with one that keeps nothing.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AbsentJournal } from './absent-journal.ts';

/** Limits stay on and count every request, but let this load through. */
const RATE_MULTIPLIER = '1000';

/** Resolves with the port it listens on. */
export async function serveSibyl(preparedDir: string, journal: 'on' | 'off'): Promise<number> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-sibyl-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  process.once('SIGTERM', () => process.exit(0));
  cpSync(preparedDir, dataDir, { recursive: true });
  const { boot, createLog, readConfig } = await import('@sibyl/server');
  const environment = {
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    BOTS: 'off',
    LOG_LEVEL: 'warn',
    // It would replay the journal beside what is measured.
    RECONCILE_EVERY_HOURS: '0',
    RATE_MULTIPLIER,
  };
  const openJournal = (folder: string) => AbsentJournal.open(path.join(folder, 'journal.db'));
  const options = journal === 'off' ? { openJournal } : {};
  const { port } = await boot(readConfig(environment, dataDir), createLog('warn'), options);
  return port;
}
