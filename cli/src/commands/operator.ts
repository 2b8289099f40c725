// sibyl operator: operators of a stopped server, for whoever holds its data folder.

import { type OperatorRole, operatorRoles, rolesInWords } from '@sibyl/contract';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, databaseUrl, dataDirOf, withData } from './lanes.ts';

type RoleOptions = DataOptions & {
  readonly role?: readonly OperatorRole[];
  readonly anew?: boolean;
};

export function addOperator(program: Command): void {
  const operator = program
    .command('operator')
    .description(
      'operators of a stopped server: a lost password, second factor or admin, a second operator to begin with',
    )
    .addHelpText(
      'after',
      `
Works on a stopped server's data folder, and on the database of DATABASE_URL if that is set. The password is shown once; the trail
keeps what was done, as an act of offline.

  sibyl operator reset admin
  sibyl operator reset-factor admin
  sibyl operator add grace --role market_manager --role treasurer
  sibyl operator roles grace --role admin
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
    .addOption(roleOption())
    .option('--anew', 'where operators.db is lost for good: the first operator of a new one')
    .action((name: string, options: RoleOptions) =>
      show(options, name, async () => {
        const { addOperatorOffline } = await import('@sibyl/server');
        const { role = ['viewer'], anew = false } = options;
        return addOperatorOffline(locationOf(options), name, role, anew);
      }),
    );
  withData(operator.command('roles <name>'))
    .description(
      'set the roles of an operator, in place of those before: if nobody is admin any more',
    )
    .addOption(roleOption().makeOptionMandatory())
    .action((name: string, options: RoleOptions) => setRoles(name, options));
}

async function setRoles(name: string, options: RoleOptions): Promise<void> {
  await run(options.json === true, async (terminal) => {
    const { setRolesOffline } = await import('@sibyl/server');
    const roles = options.role ?? [];
    await setRolesOffline(locationOf(options), name, roles);
    terminal.result({ name, roles }, [`${name} is ${roles.join(', ')} now`]);
    return exitCodes.done;
  });
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
  return { dataDir: dataDirOf(options), databaseUrl: databaseUrl() };
}

function roleOption(): Option {
  const note = `give it once for each role, --role support --role treasurer. ${rolesInWords}`;
  return new Option('--role <role>', note).argParser(collectRoles);
}

function collectRoles(
  text: string,
  before: readonly OperatorRole[] | undefined,
): readonly OperatorRole[] {
  const role = operatorRoles.find((known) => known === text);
  if (role === undefined) throw new InvalidArgumentError(`One of ${operatorRoles.join(', ')}.`);
  return [...new Set([...(before ?? []), role])];
}
