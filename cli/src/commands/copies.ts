// sibyl backup, restore and rebuild: copies of the data folder, and the read model anew.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run, Unusable } from '../run.ts';
import type { Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
import { Bars } from './bars.ts';
import { chosenLanes, type DataOptions, dataDirOf, withData, withLaneOption } from './lanes.ts';

export function addBackup(program: Command): void {
  withData(program.command('backup'))
    .description('copy journals, snapshots, users and keys into an empty folder')
    .argument('<folder>', 'where the backup goes')
    .addHelpText(
      'after',
      `\nThe server must be stopped; "sibyl admin create-backup" works while it runs.\n\n  sibyl backup backups/monday\n${exitHelp}`,
    )
    .action((folder: string, options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { backup, readConfig } = await import('@sibyl/server');
        const bars = new Bars(terminal, 'copying');
        const target = path.resolve(folder);
        const manifest = await backup(
          dataDirOf(options),
          target,
          bars.progress,
          readConfig(process.env, process.cwd()).databaseUrl,
        );
        bars.end();
        terminal.result({ folder: target, ...manifest }, [
          `backup in ${target}`,
          ...manifest.lanes.map(({ lane, seq, headHash }) => `  ${lane}: ${seq}, head ${headHash}`),
        ]);
        return exitCodes.done;
      }),
    );
}

export function addBackups(program: Command): void {
  withData(program.command('backups'))
    .description('list backups: how old, how large, and whether they were verified')
    .argument('[folder]', 'where they are; by default backups in the data folder')
    .addHelpText(
      'after',
      `\nA backup counts as verified once "sibyl verify --data-dir BACKUP" has found all of it as it was written.\n${exitHelp}`,
    )
    .action((folder: string | undefined, options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { listBackups } = await import('@sibyl/server');
        const place = placeOfBackups(folder, options);
        const nowMs = Date.now();
        const backups = listBackups(place).map(
          ({ folder: of, manifest, sizeBytes, verifiedAt }) => ({
            folder: of,
            created_at: manifest.created_at,
            age_hours: Math.floor((nowMs - Date.parse(manifest.created_at)) / HOUR_MS),
            bytes: sizeBytes,
            version: manifest.version,
            verified_at: verifiedAt,
            lanes: manifest.lanes,
          }),
        );
        const shown = backups.map(({ lanes, ...rest }) => ({
          ...rest,
          lanes: lanes.map(({ lane, seq }) => `${lane} ${seq}`),
        }));
        terminal.result({ backups }, backups.length === 0 ? [`none in ${place}`] : wordsOf(shown));
        return exitCodes.done;
      }),
    );
}

const HOUR_MS = 3_600_000;

/** A folder that is not there was mistyped, which must not pass for one without backups. */
function placeOfBackups(folder: string | undefined, options: DataOptions): string {
  const named = folder === undefined ? dataDirOf(options) : path.resolve(folder);
  if (!existsSync(named)) throw new Unusable(`${named} does not exist`);
  return folder === undefined ? path.join(named, 'backups') : named;
}

type RestoreOptions = DataOptions & { readonly toSeq?: number; readonly toTime?: number };

export function addRestore(program: Command): void {
  withData(program.command('restore'))
    .description('make an empty data folder from a backup and verify it by replay')
    .argument('<backup>', 'the folder of the backup')
    .addOption(
      new Option('--to-seq <seq>', 'end the lane of --lane at this command').argParser(positive),
    )
    .addOption(
      new Option('--to-time <iso>', 'end both lanes, or that of --lane, then').argParser(instant),
    )
    .addOption(
      new Option('--lane <lane>', 'the lane that ends there; the other is restored whole').choices([
        'live',
        'sandbox',
      ]),
    )
    .addHelpText(
      'after',
      `
Each lane numbers its commands for itself, so --to-seq needs --lane where the backup has both. Users, keys and operators are as of
the backup, whatever the lanes end at.

  sibyl restore backups/monday --data-dir data
  sibyl restore backups/monday --data-dir before --to-time 2026-11-14T12:00:00Z
  sibyl restore backups/monday --data-dir before --lane live --to-seq 1234
${exitHelp}`,
    )
    .action((folder: string, options: RestoreOptions) =>
      run(options.json === true, async (terminal) => {
        const { restore } = await import('@sibyl/server');
        const bars = new Bars(terminal, 'restoring');
        const point = { seq: options.toSeq, atMs: options.toTime, lane: options.lane };
        const target = dataDirOf(options);
        const lanes = await restore(path.resolve(folder), target, point, bars.progress);
        bars.end();
        terminal.result({ data_dir: target, lanes }, [
          `restored into ${target}, verified by replay`,
          ...lanes.map(({ lane, seq, headHash }) => `  ${lane}: ${seq}, head ${headHash}`),
        ]);
        return exitCodes.done;
      }),
    );
}

export function addRebuild(program: Command): void {
  withLaneOption(program.command('rebuild'))
    .description('throw the read model away and make it anew from the journal')
    .option(
      '--webhooks',
      'instead, begin an empty webhooks.db where it is lost: users register their endpoints again',
    )
    .addHelpText('after', `\nThe server must be stopped.\n${exitHelp}`)
    .action((options: DataOptions & { readonly webhooks?: true }) =>
      run(options.json === true, async (terminal) => {
        if (options.webhooks === true) return rebuildWebhooks(options, terminal);
        const { rebuildLane } = await import('@sibyl/server');
        const bars = new Bars(terminal, 'rebuilding');
        const rebuilt: { readonly lane: string; readonly seq: number }[] = [];
        for (const lane of await chosenLanes(options)) {
          const seq = await rebuildLane(dataDirOf(options), lane, (at) => bars.progress(lane, at));
          rebuilt.push({ lane, seq });
        }
        bars.end();
        terminal.result(
          { rebuilt },
          rebuilt.map(({ lane, seq }) => `${lane}: history rebuilt up to ${seq}`),
        );
        return exitCodes.done;
      }),
    );
}

async function rebuildWebhooks(options: DataOptions, terminal: Terminal): Promise<number> {
  const { beginWebhooks } = await import('@sibyl/server');
  const folder = dataDirOf(options);
  if (!existsSync(folder)) throw new Unusable(`${folder} does not exist`);
  await beginWebhooks(folder);
  terminal.result({ webhooks: 'begun' }, ['webhooks.db: begun anew, without endpoints']);
  return exitCodes.done;
}

function positive(text: string): number {
  if (/^[1-9][0-9]{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('a command number from 1');
}

function instant(text: string): number {
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) throw new InvalidArgumentError('an ISO 8601 time');
  return atMs;
}
