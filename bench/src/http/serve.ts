// Our real server in this process, on a copy of the prepared data, with its journal or with one that keeps nothing.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Limits stay on and count every request, but let this load through. */
const RATE_MULTIPLIER = '1000';

const JOURNAL_FILE = './adapters/sqlite/journal.ts';
const COMPOSITION_ROOT = '/server/src/boot.ts';

/** Resolves with the port it listens on. */
export async function serveSibyl(preparedDir: string, journal: 'on' | 'off'): Promise<number> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'bench-sibyl-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  process.once('SIGTERM', () => process.exit(0));
  cpSync(preparedDir, dataDir, { recursive: true });
  if (journal === 'off') withoutJournal();
  const { boot, createLog, readConfig } = await import('@sibyl/server');
  const environment = {
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    BOTS: 'off',
    LOG_LEVEL: 'warn',
    RATE_MULTIPLIER,
  };
  const { port } = await boot(readConfig(environment, dataDir), createLog('warn'));
  return port;
}

/** The composition root knows one journal; from now on it finds ours under that name. All else stays as it is. */
function withoutJournal(): void {
  const { href } = new URL('./absent-journal.ts', import.meta.url);
  registerHooks({
    resolve(specifier, context, next) {
      const isMeant =
        specifier === JOURNAL_FILE && context.parentURL?.endsWith(COMPOSITION_ROOT) === true;
      return next(isMeant ? href : specifier, context);
    },
  });
}
