// sibyl verify: replays each journal from its beginning, and checks every byte of what lies beside it.

import { readFileSync } from 'node:fs';
import type { VerifiedFolder, VerifiedLane } from '@sibyl/server';
import type { Command } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run, Unusable } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { Bars } from './bars.ts';
import { type DataOptions, databaseUrl, dataDirOf, withLaneOption } from './lanes.ts';

export function addVerify(program: Command): void {
  withLaneOption(program.command('verify'))
    .description(
      'check every byte of the data, and replay journals: chain, outcomes, invariants, snapshots',
    )
    .option('--trail <file>', 'instead, check the trail of operators that was exported to a file')
    .addHelpText(
      'after',
      `
Works on a stopped server's data folder or on a backup, also where nothing can be written: what it opens is copied into the folder for
temporary files (TMPDIR) first. A backup must have every file of its manifest. Of users, keys and webhooks in PostgreSQL only the trail of operators is verified, with
DATABASE_URL; what was not verified is said.

  sibyl verify --data-dir backups/monday
  sibyl verify --lane sandbox --json
  sibyl verify --trail trail.ndjson
${exitHelp}`,
    )
    .action((options: DataOptions & { readonly trail?: string }) =>
      run(options.json === true, async (terminal) => {
        if (options.trail !== undefined) return verifyExport(options.trail, terminal);
        const bars = new Bars(terminal, 'verifying');
        const { verifyFolder } = await import('@sibyl/server');
        const asked = { dataDir: dataDirOf(options), lane: options.lane };
        const found = await verifyFolder({ ...asked, databaseUrl: databaseUrl() }, bars.progress);
        bars.end();
        terminal.result(resultOf(found), linesOf(found));
        if (!found.lanes.every(({ damaged }) => damaged.length === 0)) return exitCodes.failed;
        if (found.isNoted) terminal.note('noted in the backup: sibyl backups shows when');
        return exitCodes.done;
      }),
    );
}

function resultOf({ lanes, stores, files, warnings }: VerifiedFolder) {
  return {
    verified: lanes,
    stores: stores?.files ?? [],
    trail_entries: stores?.trailEntries ?? null,
    database: stores?.database ?? null,
    manifest_files: files,
    warnings,
  };
}

function linesOf({ lanes, stores, files, warnings }: VerifiedFolder): readonly string[] {
  const trailEntries = stores?.trailEntries ?? null;
  return [
    ...lanes.flatMap(describe),
    ...(stores?.files ?? []).map((file) => `${file}: every page as written`),
    ...(trailEntries === null ? [] : [`trail: ${trailEntries} entries, ${FOLLOWS}`]),
    ...(files === null ? [] : [`manifest: ${files} files, each as listed`]),
    ...warnings.map((warning) => `warning: ${warning}`),
    ...notVerified(stores),
  ];
}

const FOLLOWS = 'each follows the one before';

/** What nobody looked at is said as well: silence would pass for a proof. */
function notVerified(stores: VerifiedFolder['stores']): readonly string[] {
  if (stores === null)
    return ['not verified: users, keys, webhooks and the trail (leave out --lane)'];
  const { database, trailEntries } = stores;
  if (database === null) return [];
  const rows = `not verified: users, keys and webhooks in PostgreSQL at ${database}, which keeps no sums of ours; a backup of them can be verified`;
  const trail = `not verified: the trail of operators at ${database} (set DATABASE_URL)`;
  return trailEntries === null ? [rows, trail] : [rows];
}

async function verifyExport(file: string, terminal: Terminal): Promise<number> {
  const { verifyExportedTrail } = await import('@sibyl/server');
  const end = verifyExportedTrail(entriesOf(file));
  // An export that failed leaves an empty file, which proves nothing.
  if (end === null) throw new Unusable(`${file} has no entry`);
  const { seq: entries, hash } = end;
  terminal.result({ trail: file, entries, hash }, [
    `${file}: ${entries} entries, ${FOLLOWS}`,
    `  last hash   ${hash}`,
  ]);
  return exitCodes.done;
}

function entriesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    throw new Unusable(`${file} cannot be read`);
  }
}

function describe({ lane, ...found }: VerifiedLane): readonly string[] {
  const { seq, headHash, stateHash, snapshots, damaged, stretches } = found;
  return [
    `${lane}: ${seq} commands, everything holds`,
    `  head hash   ${headHash}`,
    `  state hash  ${stateHash}`,
    ...stretches.map(
      ({ logic, firstSeq, lastSeq }) => `  engine      logic ${logic}: ${firstSeq} to ${lastSeq}`,
    ),
    `  snapshots   ${snapshots.length === 0 ? 'none to compare' : snapshots.join(', ')}`,
    ...damaged.map(({ file, reason }) => `  damaged     ${file}: ${reason}; ${mending(file)}`),
  ];
}

function mending(file: string): string {
  return file === 'snap-0'
    ? 'a start of the server makes it anew, else put that of a backup in its place'
    : 'remove it';
}
