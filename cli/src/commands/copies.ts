// sibyl backup, restore and rebuild: copies of the data folder, and the read model anew.

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CopyProgress } from '@sibyl/server';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run, Unusable } from '../run.ts';
import type { Bar, Terminal } from '../terminal.ts';
import { wordsOf } from '../words.ts';
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
    .addHelpText('after', `\nThe server must be stopped.\n${exitHelp}`)
    .action((options: DataOptions) =>
      run(options.json === true, async (terminal) => {
        const { rebuildLane } = await import('@sibyl/server');
        const rebuilt: { readonly lane: string; readonly seq: number }[] = [];
        for (const lane of await chosenLanes(options)) {
          const bar = terminal.bar(`rebuilding ${lane}`);
          const seq = await rebuildLane(dataDirOf(options), lane, (at) =>
            bar.update(at.seq / at.headSeq, `${at.seq} of ${at.headSeq}`),
          );
          bar.end(`${seq} commands`);
          rebuilt.push({ lane, seq });
        }
        terminal.result(
          { rebuilt },
          rebuilt.map(({ lane, seq }) => `${lane}: history rebuilt up to ${seq}`),
        );
        return exitCodes.done;
      }),
    );
}

/** One bar after the other, as lanes and phases follow each other. */
class Bars {
  readonly #terminal: Terminal;
  readonly #verb: string;
  #current: { readonly lane: string; readonly bar: Bar; seq: number } | null = null;

  constructor(terminal: Terminal, verb: string) {
    this.#terminal = terminal;
    this.#verb = verb;
  }

  readonly progress: CopyProgress = (lane, { seq, headSeq }) => {
    if (this.#current?.lane !== lane || seq < this.#current.seq) {
      this.end();
      this.#current = { lane, bar: this.#terminal.bar(`${this.#verb} ${lane}`), seq };
    }
    this.#current.seq = seq;
    this.#current.bar.update(seq / Math.max(1, headSeq), `${seq} of ${headSeq}`);
  };

  end(): void {
    this.#current?.bar.end(`${this.#current.seq} commands`);
    this.#current = null;
  }
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
