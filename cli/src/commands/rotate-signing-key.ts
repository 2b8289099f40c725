// sibyl rotate-signing-key: a new key around the signing secrets of a stopped server.

import type { Command } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, databaseUrl, dataDirOf, withData } from './lanes.ts';

export function addRotateSigningKey(program: Command): void {
  withData(program.command('rotate-signing-key'))
    .description('seal the signing secrets of a stopped server under a new wrapping key')
    .option('--drop-lost', 'destroy secrets whose wrapping key is lost')
    .addHelpText(
      'after',
      `
Holders notice nothing: their secrets stay. What was sealed before, in an old backup say, opens with the signing-generations file of
that backup alone. If it is cut off, do it again. Secrets that were sealed under a name that is in no signing-generations file any more
open for nobody: --drop-lost destroys them, and whoever signed with one draws a new one.
${exitHelp}`,
    )
    .action((options: DataOptions & { readonly dropLost?: boolean }) =>
      run(options.json === true, async (terminal) => {
        const { rotateSigningKey } = await import('@sibyl/server');
        const location = { dataDir: dataDirOf(options), databaseUrl: databaseUrl() };
        const done = await rotateSigningKey(location, options.dropLost);
        const { resealed, dropped } = done;
        const lines = [`${resealed} secrets are sealed anew`];
        if (dropped > 0) lines.push(`${dropped} were lost and are destroyed`);
        terminal.result({ ...done }, lines);
        return exitCodes.done;
      }),
    );
}
