// The whole command line, as one program.

import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addApps } from './account/apps.ts';
import { addBuilder } from './account/builder.ts';
import { addEarnings } from './account/earnings.ts';
import { addGrants } from './account/grants.ts';
import { addHoldings } from './account/holdings.ts';
import { addKeys } from './account/keys.ts';
import { addLogin } from './account/login.ts';
import { addMarkets } from './account/markets.ts';
import { addOrders } from './account/orders.ts';
import { addSandbox } from './account/sandbox.ts';
import { addAdmin } from './commands/admin.ts';
import { addBackup, addBackups, addRebuild, addRestore } from './commands/copies.ts';
import { addDoctor } from './commands/doctor.ts';
import { addOperator } from './commands/operator.ts';
import { addReplay } from './commands/replay.ts';
import { addRotateSigningKey } from './commands/rotate-signing-key.ts';
import { addSign } from './commands/sign.ts';
import { addVerify } from './commands/verify.ts';
import { addCompletion } from './completion.ts';
import { exitCodes, exitHelp } from './exit.ts';
import { addWebhooks } from './webhooks/commands.ts';

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
    .description(
      'trades on a Sibyl exchange and looks after one: markets, orders, keys and webhooks; journals, data and the operator plane',
    )
    .version(version())
    .showHelpAfterError('(--help shows how it is used)')
    .addHelpText('after', exitHelp);
  program.commandsGroup('For everybody:');
  addMarkets(program);
  addSandbox(program);
  addLogin(program);
  program.commandsGroup('For account holders:');
  addOrders(program);
  addHoldings(program);
  addKeys(program);
  addWebhooks(program);
  addBuilder(program);
  addApps(program);
  addEarnings(program);
  addGrants(program);
  addSign(program);
  program.commandsGroup('For operators:');
  addAdmin(program);
  addOperator(program);
  program.commandsGroup('For whoever holds the data of a server:');
  addVerify(program);
  addReplay(program);
  addBackup(program);
  addBackups(program);
  addRestore(program);
  addRebuild(program);
  addDoctor(program);
  addRotateSigningKey(program);
  program.commandsGroup('This program:');
  addCompletion(program);
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
