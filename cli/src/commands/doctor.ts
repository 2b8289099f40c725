// sibyl doctor: what a start depends on, looked at one by one.

import type { Command } from 'commander';
import colors from 'picocolors';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, dataDirOf, withData } from './lanes.ts';

const marks = {
  ok: colors.green('ok     '),
  warning: colors.yellow('warning'),
  failure: colors.red('failure'),
} as const;

export function addDoctor(program: Command): void {
  withData(program.command('doctor'))
    .description('check Node, settings, ports, disk, secrets and data')
    .addHelpText('after', exitHelp)
    .action((options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { examine } = await import('@sibyl/server');
        const environment = { ...process.env, DATA_DIR: dataDirOf(options) };
        const findings = await examine(environment, process.cwd());
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
