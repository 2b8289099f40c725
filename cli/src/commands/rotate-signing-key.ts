// sibyl rotate-signing-key: a new key around the signing secrets of a stopped server.

import type { Command } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, databaseUrl, dataDirOf, withData } from './lanes.ts';

export function addRotateSigningKey(program: Command): void {
  withData(program.command('rotate-signing-key'))
    .description('seal the signing secrets of a stopped server under a new wrapping key')
    .addHelpText(
      'after',
      `
Holders notice nothing: their secrets stay. What was sealed before, in an old backup say, opens with the signing-generations file of
that backup alone. If it is cut off, do it again.
${exitHelp}`,
    )
    .action((options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { rotateSigningKey } = await import('@sibyl/server');
        const location = { dataDir: dataDirOf(options), databaseUrl: databaseUrl() };
        const count = await rotateSigningKey(location);
        terminal.result({ resealed: count }, [`${count} secrets are sealed anew`]);
        return exitCodes.done;
      }),
    );
}
