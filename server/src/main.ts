// The process: reads the settings, starts the server, shows where it is, and stops in an orderly way.
import { flushCompileCache } from 'node:module';
import { banner, StartProgress } from './banner.ts';
import { boot, type Server } from './boot.ts';
import { createLog, errorFields, type Log } from './gateway/log.ts';
import { type Config, ConfigError, readConfig } from './settings/config.ts';
import { StartRefused } from './settings/start-check.ts';
import { VERSION } from './settings/version.ts';

const exitFailed = 1;
const exitConfig = 2;
/** A terminal and systemd signal the process group, and launchers forward: signals within two seconds are one. */
const SAME_SIGNAL_TURNS = 20;
const SAME_SIGNAL_TURN_MS = 100;

/** Nothing is wrong with the program: data on the disk are not what was written. */
const DAMAGE: ReadonlySet<string> = new Set([
  'GenerationsDamaged',
  'JournalCorrupt',
  'PagesDamaged',
  'RecoveryRefused',
  'SecretsDamaged',
]);
/** Nor is anything wrong with the data: this build and this folder do not go together, or not now. */
const REFUSALS: ReadonlySet<string> = new Set([
  'EarlierBuild',
  'EngineLogicUnknown',
  'FrozenEngineUnusable',
  'UpgradeRefused',
]);
const AFTER_REFUSAL = 'docs/OPERATING.md says what to do under Upgrades';
/** Nothing is wrong but what was set or a file that is not there, and the message says what to do. */
const REFUSED: ReadonlySet<string> = new Set([
  'CustodyRefused',
  'DatabaseRefused',
  'FolderIncomplete',
  'GenerationsLost',
  'SecretsRefused',
  'StoreFailed',
  'StoreTooNew',
  'StoreUnavailable',
]);
const AFTER_DAMAGE = 'docs/OPERATING.md says what to do when data are damaged';

function settings(): Config {
  try {
    return readConfig(process.env, process.cwd());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`sibyl: ${error.message}\n`);
    return process.exit(exitConfig);
  }
}

async function start(config: Config, log: Log): Promise<Server> {
  const progress = new StartProgress(process.stderr);
  try {
    return await boot(config, log, {
      seeding: (lane, done) => progress.show(`seeding the ${lane} lane`, done),
      recovering: (lane, seq, headSeq) =>
        progress.show(`recovering the ${lane} lane`, seq / Math.max(1, headSeq)),
    });
  } catch (error) {
    progress.end();
    process.stderr.write(`sibyl: ${explain(config, error)}\n`);
    return process.exit(exitFailed);
  } finally {
    progress.end();
  }
}

/** A start that fails says what to do, where that is known. */
function explain(config: Config, error: unknown): string {
  const { message, code } =
    error instanceof Error ? readCode(error) : readCode(new Error(String(error)));
  if (error instanceof StartRefused || REFUSED.has(nameOf(error))) return message;
  if (isFull(error, message, code)) {
    return `the disk of ${config.dataDir} is full (${message}); make room there, remove old backups say (sibyl backups), and start again: nothing is lost that was acknowledged`;
  }
  if (code === 'EADDRINUSE') return `${message}; set PORT or ADMIN_PORT to a free one`;
  if (/database is locked|busy|another process has/i.test(message)) {
    return `${config.dataDir} is in use by another server (${message})`;
  }
  if (DAMAGE.has(nameOf(error))) return `${message}; ${AFTER_DAMAGE}`;
  if (REFUSALS.has(nameOf(error))) return `${message}; ${AFTER_REFUSAL}`;
  return error instanceof Error ? (error.stack ?? message) : message;
}

/** Whichever store or journal has met it, and in whose words. */
function isFull(error: unknown, message: string, code: string | null): boolean {
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') return true;
  return ['StoreFull', 'JournalFull'].includes(nameOf(error)) || /SQLITE_FULL/.test(message);
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

function readCode(error: Error): { readonly message: string; readonly code: string | null } {
  const code: unknown = 'code' in error ? error.code : null;
  return { message: error.message, code: typeof code === 'string' ? code : null };
}

/** Another server has taken the database: going on would answer from what was true before. */
async function stopWithout(lost: Promise<string>, server: Server, log: Log): Promise<void> {
  const reason = await lost;
  log.write('error', 'stopping', { reason });
  process.stderr.write(`sibyl: ${reason}\n`);
  await server.close().catch((error: unknown) => {
    log.write('error', 'the stop failed', { error: errorFields(error) });
  });
  process.exit(exitFailed);
}

function stopOn(signals: readonly NodeJS.Signals[], server: Server, log: Log): void {
  let turns: number | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      // The launcher (scripts/bootstrap.mjs) forwards no signal that this process has received; it may be gone.
      process.send?.('signal received', undefined, undefined, () => {});
      if (turns !== null) {
        if (turns >= SAME_SIGNAL_TURNS) process.exit(exitFailed);
        return;
      }
      turns = 0;
      // Timers run before signals are read: after a turn that took long, a timeout would be over too early.
      setInterval(() => (turns = (turns ?? 0) + 1), SAME_SIGNAL_TURN_MS).unref();
      log.write('info', 'stopping', { reason: signal });
      server.close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.write('error', 'the stop failed', { error: errorFields(error) });
          process.exit(exitFailed);
        },
      );
    });
  }
}

const config = settings();
const log = createLog(config.logLevel);
const server = await start(config, log);
stopOn(['SIGINT', 'SIGTERM', 'SIGHUP'], server, log);
if (server.databaseLost !== null) void stopWithout(server.databaseLost, server, log);
process.stdout.write(`\n${banner(config, server, VERSION)}\n`);
// A server that is killed has no other chance to keep its compiled code for the next start.
flushCompileCache();
