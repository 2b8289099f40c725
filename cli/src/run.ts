// Runs one command: errors become a message and an exit code, defects keep their stack.

import { SibylConnectionError, SibylError } from '@sibyl/sdk';
import { exitCodes } from './exit.ts';
import { refusalWords } from './refusal.ts';
import { Terminal } from './terminal.ts';

export type Work = (terminal: Terminal) => Promise<number>;

/** What to do about a refusal, or where no answer came; null where nobody can do anything. */
export type Advise = (error: SibylError | SibylConnectionError) => string | null;

export async function run(isJson: boolean, work: Work, advise: Advise = () => null): Promise<void> {
  const terminal = new Terminal(isJson);
  try {
    process.exitCode = await work(terminal);
  } catch (error) {
    terminal.stop();
    const known = explain(error);
    if (known === null) throw error;
    const isOfServer = error instanceof SibylError || error instanceof SibylConnectionError;
    const advice = isOfServer ? advise(error) : null;
    const message = terminal.isJson ? known.message : (known.words ?? known.message);
    terminal.problem(known.code, message, advice);
    process.exitCode = known.exitCode;
  }
}

/** The command line itself lacks what the work needs. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** What was typed or piped in cannot be what it is given as. */
export class Misused extends Error {
  override readonly name = 'Misused';
}

/** By name: the server is loaded only by commands that need it. A broken invariant is a finding, not a crash. */
const serverErrors: Readonly<Record<string, number>> = {
  BackupDamaged: exitCodes.failed,
  DataUnusable: exitCodes.unusable,
  ConfigError: exitCodes.unusable,
  JournalFailed: exitCodes.unusable,
  JournalCorrupt: exitCodes.failed,
  PagesDamaged: exitCodes.failed,
  TrailBroken: exitCodes.failed,
  RecoveryRefused: exitCodes.failed,
  CarryFailed: exitCodes.failed,
  EarlierBuild: exitCodes.unusable,
  EngineLogicUnknown: exitCodes.unusable,
  FrozenEngineUnusable: exitCodes.unusable,
  UpgradeRefused: exitCodes.unusable,
  SecretsRefused: exitCodes.unusable,
  SecretsDamaged: exitCodes.failed,
  GenerationsDamaged: exitCodes.failed,
  GenerationsLost: exitCodes.unusable,
  DatabaseRefused: exitCodes.unusable,
  FolderIncomplete: exitCodes.unusable,
  StoreTooNew: exitCodes.unusable,
  StoreUnavailable: exitCodes.unusable,
  StoreFailed: exitCodes.unusable,
  StoreFull: exitCodes.unusable,
  JournalFull: exitCodes.unusable,
  Defect: exitCodes.failed,
};

const remedies: Readonly<Record<string, string>> = {
  EACCES: ': run this as the user who owns it',
  EPERM: ': run this as the user who owns it',
  ENOSPC: ': make room on that disk',
};

interface Explained {
  readonly code: string;
  readonly message: string;
  /** What people read in the place of the message. */
  readonly words?: string;
  readonly exitCode: number;
}

function explain(error: unknown): Explained | null {
  if (error instanceof Unusable) {
    return { code: error.name, message: error.message, exitCode: exitCodes.unusable };
  }
  if (error instanceof Misused) {
    return { code: error.name, message: error.message, exitCode: exitCodes.usage };
  }
  if (error instanceof SibylError) {
    const isRefused = error.status === 401;
    const exitCode = isRefused ? exitCodes.unusable : exitCodes.failed;
    return { code: error.code, message: detailed(error), words: refusalWords(error), exitCode };
  }
  if (error instanceof SibylConnectionError) {
    return { code: 'NO_ANSWER', message: error.message, exitCode: exitCodes.unreachable };
  }
  if (!(error instanceof Error)) return null;
  if (isOfSystem(error)) {
    const message = `${error.message}${remedies[error.code] ?? ''}`;
    return { code: error.code, message, exitCode: exitCodes.unusable };
  }
  const exitCode = serverErrors[error.name];
  return exitCode === undefined ? null : { code: error.name, message: error.message, exitCode };
}

/** A file that is not there or not readable, a disk that is full: nothing is wrong with the program. */
function isOfSystem(error: Error): error is Error & { readonly code: string } {
  return 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** For programs: all details beside the message. */
function detailed(error: SibylError): string {
  const details = Object.entries(error.details).map(([key, value]) => `${key}=${plain(value)}`);
  return details.length === 0 ? error.message : `${error.message} (${details.join(', ')})`;
}

function plain(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
