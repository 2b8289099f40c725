// sibyl doctor: what a start depends on, looked at one by one.

import type { Command } from 'commander';
import colors from 'picocolors';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, databaseUrl, dataDirOf, withData } from './lanes.ts';

const marks = {
  ok: colors.green('ok     '),
  warning: colors.yellow('warning'),
  failure: colors.red('failure'),
} as const;

export function addDoctor(program: Command): void {
  withData(program.command('doctor'))
    .description('check Node, settings, ports, disk, secrets and data')
    .addHelpText(
      'after',
      `
With --data-dir it looks at that folder alone, a backup say, and at the database of DATABASE_URL only if the folder's users are in one;
without, at all that a start here depends on.
${exitHelp}`,
    )
    .action((options: DataOptions, command: Command) =>
      run(options.json === true, async (terminal) => {
        const { examine, examineFolder } = await import('@sibyl/server');
        const isOther = command.getOptionValueSource('dataDir') === 'cli';
        const findings = isOther
          ? await examineFolder(dataDirOf(options), databaseUrl())
          : await examine({ ...process.env, DATA_DIR: dataDirOf(options) }, process.cwd());
        terminal.result(
          { findings },
          findings.map(
            ({ check, status, detail }) => `${marks[status]} ${check.padEnd(20)} ${detail}`,
          ),
        );
        const isWell = findings.every(({ status }) => status !== 'failure');
        return isWell ? exitCodes.done : exitCodes.failed;
      }),
    );
}
