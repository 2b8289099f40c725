// sibyl operator: operators of a stopped server, for whoever holds its data folder.

import { rolesInWords } from '@sibyl/contract';
import type { Command } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, dataDirOf, withData } from './lanes.ts';

type RoleOptions = DataOptions & { readonly role?: readonly string[] };

export function addOperator(program: Command): void {
  const operator = program
    .command('operator')
    .description(
      'operators of a stopped server: a lost password or second factor, a second operator to begin with',
    )
    .addHelpText(
      'after',
      `
Works on a stopped server's data folder, and on the database of DATABASE_URL if that is set. The password is shown once; the trail
keeps that it was set, as an act of offline.

  sibyl operator reset admin
  sibyl operator reset-factor admin
  sibyl operator add grace --role market_manager --role treasurer
${exitHelp}`,
    );
  withData(operator.command('reset <name>'))
    .description('set a new password, and end all sessions')
    .action((name: string, options: DataOptions) =>
      show(options, name, async () => {
        const { resetOperator } = await import('@sibyl/server');
        return resetOperator(locationOf(options), name);
      }),
    );
  withData(operator.command('reset-factor <name>'))
    .description('remove a lost second factor, and end all sessions; the password stays')
    .action((name: string, options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { resetFactorOffline } = await import('@sibyl/server');
        await resetFactorOffline(locationOf(options), name);
        terminal.result({ name, second_factor: false }, [`${name}: the second factor is removed`]);
        return exitCodes.done;
      }),
    );
  withData(operator.command('add <name>'))
    .description('add an operator with the given roles, a viewer without any')
    .option('--role <role>', `may be given several times. ${rolesInWords}`, collect)
    .action((name: string, options: RoleOptions) =>
      show(options, name, async () => {
        const { addOperatorOffline } = await import('@sibyl/server');
        return addOperatorOffline(locationOf(options), name, options.role ?? ['viewer']);
      }),
    );
}

async function show(
  options: DataOptions,
  name: string,
  work: () => Promise<string>,
): Promise<void> {
  await run(options.json === true, async (terminal) => {
    const password = await work();
    terminal.result({ name, password }, [`${name}: the password is ${password}`, 'shown once']);
    return exitCodes.done;
  });
}

function locationOf(options: DataOptions) {
  const databaseUrl = process.env.DATABASE_URL?.trim() || null;
  return { dataDir: dataDirOf(options), databaseUrl };
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
