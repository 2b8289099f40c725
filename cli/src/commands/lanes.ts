// The options that every command on the data folder has.

import path from 'node:path';
import { type Command, Option } from 'commander';
import { Unusable } from '../run.ts';

export type LaneName = 'live' | 'sandbox';

export interface DataOptions {
  readonly dataDir: string;
  readonly lane?: LaneName;
  readonly json?: boolean;
}

export function withData(command: Command): Command {
  return command
    .addOption(new Option('--data-dir <folder>', 'the data folder').env('DATA_DIR').default('data'))
    .option('--json', 'one JSON document instead of words');
}

export function withLaneOption(command: Command): Command {
  return withData(command).addOption(
    new Option('--lane <lane>', 'one lane only').choices(['live', 'sandbox']),
  );
}

export function dataDirOf(options: DataOptions): string {
  return path.resolve(options.dataDir);
}

/** Where PostgreSQL keeps users, keys and webhooks, if it does; a blank counts as not set. */
export function databaseUrl(): string | null {
  return process.env.DATABASE_URL?.trim() || null;
}

export async function chosenLanes(options: DataOptions): Promise<readonly LaneName[]> {
  const { lanesIn } = await import('@sibyl/server');
  const present = lanesIn(dataDirOf(options));
  if (options.lane === undefined) return present;
  if (present.includes(options.lane)) return [options.lane];
  throw new Unusable(`${dataDirOf(options)} has no ${options.lane} lane`);
}
