// sibyl verify: replays each journal from its beginning, and checks every byte of what lies beside it.

import { readFileSync } from 'node:fs';
import type { Verified, VerifiedStores } from '@sibyl/server';
import type { Command } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run, Unusable } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import {
  chosenLanes,
  type DataOptions,
  databaseUrl,
  dataDirOf,
  type LaneName,
  withLaneOption,
} from './lanes.ts';

export function addVerify(program: Command): void {
  withLaneOption(program.command('verify'))
    .description(
      'check every byte of the data, and replay journals: chain, outcomes, invariants, snapshots',
    )
    .option('--trail <file>', 'instead, check the trail of operators that was exported to a file')
    .addHelpText(
      'after',
      `
Works on a stopped server's data folder or on a backup. Of users, keys and webhooks in PostgreSQL only the trail of operators is verified, with
DATABASE_URL; what was not verified is said.

  sibyl verify --data-dir backups/monday
  sibyl verify --lane sandbox --json
  sibyl verify --trail trail.ndjson
${exitHelp}`,
    )
    .action((options: DataOptions & { readonly trail?: string }) =>
      run(options.json === true, async (terminal) => {
        if (options.trail !== undefined) return verifyExport(options.trail, terminal);
        const server = await import('@sibyl/server');
        const { verifyLane, verifyStores, forgetVerified, noteVerified } = server;
        // Until all of it was found sound, a backup is not known to be.
        if (options.lane === undefined) forgetVerified(dataDirOf(options));
        const verified: ({ readonly lane: LaneName } & Verified)[] = [];
        for (const lane of await chosenLanes(options)) {
          const bar = terminal.bar(`verifying ${lane}`);
          const found = await verifyLane(dataDirOf(options), lane, ({ seq, headSeq }) =>
            bar.update(seq / headSeq, `${seq} of ${headSeq}`),
          );
          bar.end(`${found.seq} commands`);
          verified.push({ lane, ...found });
        }
        const { files: stores, ...beside } =
          options.lane === undefined
            ? await verifyStores(dataDirOf(options), databaseUrl())
            : NO_STORES;
        const { trailEntries, database } = beside;
        terminal.result({ verified, stores, trail_entries: trailEntries, database }, [
          ...verified.flatMap(describe),
          ...stores.map((file) => `${file}: every page as written`),
          ...(trailEntries === null ? [] : [`trail: ${trailEntries} entries, ${FOLLOWS}`]),
          ...notVerified(options.lane !== undefined, beside),
        ]);
        if (!verified.every(({ damaged }) => damaged.length === 0)) return exitCodes.failed;
        const isNoted = options.lane === undefined && noteVerified(dataDirOf(options), verified);
        if (isNoted) terminal.note('noted in the backup: sibyl backups shows when');
        return exitCodes.done;
      }),
    );
}

const NO_STORES = { files: [], trailEntries: null, database: null };
const FOLLOWS = 'each follows the one before';

/** What nobody looked at is said as well: silence would pass for a proof. */
function notVerified(
  isLaneAlone: boolean,
  { trailEntries, database }: Omit<VerifiedStores, 'files'>,
): readonly string[] {
  if (isLaneAlone) return ['not verified: users, keys, webhooks and the trail (leave out --lane)'];
  if (database === null) return [];
  const rows = `not verified: users, keys and webhooks in PostgreSQL at ${database}, which keeps no sums of ours; a backup of them can be verified`;
  const trail = `not verified: the trail of operators at ${database} (set DATABASE_URL)`;
  return trailEntries === null ? [rows, trail] : [rows];
}

async function verifyExport(file: string, terminal: Terminal): Promise<number> {
  const { verifyExportedTrail } = await import('@sibyl/server');
  const end = verifyExportedTrail(linesOf(file));
  // An export that failed leaves an empty file, which proves nothing.
  if (end === null) throw new Unusable(`${file} has no entry`);
  const { seq: entries, hash } = end;
  terminal.result({ trail: file, entries, hash }, [
    `${file}: ${entries} entries, ${FOLLOWS}`,
    `  last hash   ${hash}`,
  ]);
  return exitCodes.done;
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    throw new Unusable(`${file} cannot be read`);
  }
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
