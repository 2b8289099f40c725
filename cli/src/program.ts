// The whole command line, as one program.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAdmin } from './commands/admin.ts';
import { addBackup, addBackups, addRebuild, addRestore } from './commands/copies.ts';
import { addDoctor } from './commands/doctor.ts';
import { addOperator } from './commands/operator.ts';
import { addReplay } from './commands/replay.ts';
import { addVerify } from './commands/verify.ts';
import { exitCodes, exitHelp } from './exit.ts';
import { addWebhooks } from './webhooks.ts';

/** Parses and runs; a command line that cannot be understood ends with its own exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const program = createProgram();
  throwInsteadOfExit(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
}

function createProgram(): Command {
  const program = new Command('sibyl')
    .description('looks after a Sibyl exchange: its journals, its data and its operator plane')
    .version(version())
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', exitHelp);
  addVerify(program);
  addReplay(program);
  addBackup(program);
  addBackups(program);
  addRestore(program);
  addRebuild(program);
  addDoctor(program);
  addAdmin(program);
  addOperator(program);
  addWebhooks(program);
  return program;
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  const isManifest = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return isManifest ? String(manifest.version) : 'unknown';
}

function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}
