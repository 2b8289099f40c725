// sibyl backup, restore and rebuild: copies of the data folder, and the read model anew.

import path from 'node:path';
import type { CopyProgress } from '@sibyl/server';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { exitCodes, exitHelp } from '../exit.ts';
import { run } from '../run.ts';
import type { Bar, Terminal } from '../terminal.ts';
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

type RestoreOptions = DataOptions & { readonly toSeq?: number; readonly toTime?: number };

export function addRestore(program: Command): void {
  withData(program.command('restore'))
    .description('make an empty data folder from a backup and verify it by replay')
    .argument('<backup>', 'the folder of the backup')
    .addOption(new Option('--to-seq <seq>', 'end each lane at this command').argParser(positive))
    .addOption(new Option('--to-time <iso>', 'end each lane at this moment').argParser(instant))
    .addHelpText(
      'after',
      `
  sibyl restore backups/monday --data-dir data
  sibyl restore backups/monday --data-dir before --to-time 2026-11-14T12:00:00Z
${exitHelp}`,
    )
    .action((folder: string, options: RestoreOptions) =>
      run(options.json === true, async (terminal) => {
        const { restore } = await import('@sibyl/server');
        const bars = new Bars(terminal, 'restoring');
        const point = { seq: options.toSeq, atMs: options.toTime };
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
