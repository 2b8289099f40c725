// sibyl verify: replays each journal from its beginning, and checks every byte of what lies beside it.

import type { Verified } from '@sibyl/server';
import type { Command } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import {
  chosenLanes,
  type DataOptions,
  dataDirOf,
  type LaneName,
  withLaneOption,
} from './lanes.ts';

export function addVerify(program: Command): void {
  withLaneOption(program.command('verify'))
    .description(
      'check every byte of the data, and replay journals: chain, outcomes, invariants, snapshots',
    )
    .addHelpText(
      'after',
      `
Works on a stopped server's data folder or on a backup.

  sibyl verify --data-dir backups/monday
  sibyl verify --lane sandbox --json
${exitHelp}`,
    )
    .action((options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { verifyLane, verifyStores } = await import('@sibyl/server');
        const verified: ({ readonly lane: LaneName } & Verified)[] = [];
        for (const lane of await chosenLanes(options)) {
          const bar = terminal.bar(`verifying ${lane}`);
          try {
            const found = await verifyLane(dataDirOf(options), lane, ({ seq, headSeq }) =>
              bar.update(seq / headSeq, `${seq} of ${headSeq}`),
            );
            bar.end(`${found.seq} commands`);
            verified.push({ lane, ...found });
          } catch (error) {
            bar.fail('failed');
            throw error;
          }
        }
        const stores = options.lane === undefined ? await verifyStores(dataDirOf(options)) : [];
        terminal.result({ verified, stores }, [
          ...verified.flatMap(describe),
          ...stores.map((file) => `${file}: every page as written`),
        ]);
        return verified.every(({ damaged }) => damaged.length === 0)
          ? exitCodes.done
          : exitCodes.failed;
      }),
    );
}

function describe({ lane, ...found }: { readonly lane: LaneName } & Verified): readonly string[] {
  const { seq, headHash, stateHash, snapshots, damaged, stretches } = found;
  return [
    `${lane}: ${seq} commands, everything holds`,
    `  head hash   ${headHash}`,
    `  state hash  ${stateHash}`,
    ...stretches.map(
      ({ logic, firstSeq, lastSeq }) => `  engine      logic ${logic}: ${firstSeq} to ${lastSeq}`,
    ),
    `  snapshots   ${snapshots.length === 0 ? 'none to compare' : snapshots.join(', ')}`,
    ...damaged.map(({ file, reason }) => `  damaged     ${file}: ${reason}; remove it`),
  ];
}
