// sibyl replay: shows commands and what they came to, and the state after any of them.

import { encodeValue } from '@sibyl/engine';
import type { ReplayedCommand } from '@sibyl/server';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import { type DataOptions, dataDirOf, type LaneName, withData } from './lanes.ts';

type ReplayOptions = DataOptions & {
  readonly from: number;
  readonly to: number;
  readonly quiet?: boolean;
};

export function addReplay(program: Command): void {
  withData(program.command('replay'))
    .description('apply a journal up to a command and show what it did')
    .argument('<lane>', 'live or sandbox', laneOf)
    .addOption(new Option('--from <seq>', 'first command shown').argParser(sequence).default(1))
    .addOption(
      new Option('--to <seq>', 'last command applied')
        .argParser(sequence)
        .default(Number.MAX_SAFE_INTEGER, 'the last one'),
    )
    .option('--quiet', 'only the state hash at the end')
    .addHelpText(
      'after',
      `
  sibyl replay sandbox --from 100 --to 120
  sibyl replay live --to 5000 --quiet
${exitHelp}`,
    )
    .action((lane: LaneName, options: ReplayOptions) =>
      run(options.json === true, async (terminal) => {
        const { replayLane } = await import('@sibyl/server');
        const end = await replayLane(
          dataDirOf(options),
          lane,
          { fromSeq: options.from, toSeq: options.to },
          (command) => {
            if (options.quiet === true) return;
            // Amounts are bigints, which plain JSON cannot hold.
            terminal.entry(JSON.parse(encodeValue(command)), lineOf(command));
          },
        );
        terminal.result({ lane, seq: end.seq, state_hash: end.stateHash }, [
          `${lane} at ${end.seq}: state hash ${end.stateHash}`,
        ]);
        return exitCodes.done;
      }),
    );
}

function lineOf({ command, events, answer }: ReplayedCommand): string {
  const at = new Date(command.atMs).toISOString();
  const who = command.actor.kind === 'account' ? command.actor.accountId : command.actor.kind;
  const verdict = answer.ok ? 'ok' : answer.rejection.code;
  return `${command.seq} ${at} ${command.type} by ${who}: ${verdict}, ${events.length} events`;
}

function laneOf(text: string): LaneName {
  if (text === 'live' || text === 'sandbox') return text;
  throw new InvalidArgumentError('live or sandbox');
}

function sequence(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a command number from 1');
}
