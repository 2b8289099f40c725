// Where each store of a data folder lies, and what opens it.

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LaneName } from '@sibyl/engine';
import { ReadFiles, type ReadStores } from '@sibyl/history';
import {
  type Clock,
  type Journal,
  lookIntoJournal,
  namingDamage,
  SnapshotStore,
  SqliteJournal,
} from '@sibyl/lane';
import { SqlOperatorStore } from '../adapters/sql/operators.ts';
import { operatorsSchema } from '../adapters/sql/operators-schema.ts';
import { SqlPlatformStore } from '../adapters/sql/platform.ts';
import { platformSchema } from '../adapters/sql/platform-schema.ts';
import { SqliteFile } from '../adapters/sql/sqlite-file.ts';
import { SqlWebhookStore } from '../adapters/sql/webhooks.ts';
import { webhooksSchema } from '../adapters/sql/webhooks-schema.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import { RequestLog } from '../requests/request-log.ts';

/** The files of one lane, below the data folder. */
export function laneFolder(dataDir: string, lane: LaneName): string {
  return path.join(dataDir, lane);
}

/** Users, keys and what goes with them, where they are kept in the data folder. */
export function platformFile(dataDir: string): string {
  return path.join(dataDir, 'platform.db');
}

/** Webhooks and their deliveries, where they are kept in the data folder. */
export function webhooksFile(dataDir: string): string {
  return path.join(dataDir, 'webhooks.db');
}

/** Those who operate the exchange, where they are kept in the data folder. */
export function operatorsFile(dataDir: string): string {
  return path.join(dataDir, 'operators.db');
}

/** Whether there are users and keys, which only the secrets of this folder know. */
export function hasPlatform(dataDir: string): boolean {
  return existsSync(platformFile(dataDir));
}

/** Receives what an operator should know although the file opens. */
export type Warn = (message: string) => void;

const onTerminal: Warn = (message) => {
  process.stderr.write(`sibyl: ${message}\n`);
};

export async function openPlatform(dataDir: string, warn = onTerminal): Promise<PlatformStore> {
  return new SqlPlatformStore(await SqliteFile.open(platformFile(dataDir), platformSchema, warn));
}

export async function openWebhooks(dataDir: string, warn = onTerminal): Promise<WebhookStore> {
  return new SqlWebhookStore(await SqliteFile.open(webhooksFile(dataDir), webhooksSchema, warn));
}

export async function openOperators(dataDir: string, warn = onTerminal): Promise<OperatorStore> {
  return new SqlOperatorStore(await SqliteFile.open(operatorsFile(dataDir), operatorsSchema, warn));
}

export function openJournal(folder: string, warn = onTerminal): Promise<Journal> {
  const file = path.join(folder, 'journal.db');
  return namingDamage(SqliteJournal.open({ file, warn }), (see) => lookIntoJournal(file, see));
}

export function openBackupJournal(folder: string): Promise<Journal> {
  return SqliteJournal.openDraft(path.join(folder, 'journal.db'));
}

/** Of a lane that is moved into place when it is whole: nobody is served meanwhile, and no commit need be durable before that. */
export function openSeedJournal(folder: string): Promise<Journal> {
  return SqliteJournal.open({ file: path.join(folder, 'journal.db'), isDraft: true });
}

export function openSnapshots(folder: string): SnapshotStore {
  return new SnapshotStore(path.join(folder, 'snapshots'));
}

export function readStoresOf(folder: string): ReadStores {
  return new ReadFiles(folder);
}

/** What is kept of the requests of each user, and for how long. */
const REQUESTS_PER_HOLDER_MAX = 10_000;
const REQUESTS_KEPT_MS = 7 * 86_400_000;

/** Starts its thread with the first request. */
export function openRequestLog(
  dataDir: string,
  bytesMax: number,
  clock: Clock,
  failed: (reason: string) => void,
): RequestLog {
  return new RequestLog({
    file: path.join(dataDir, 'requests.db'),
    bytesMax,
    perHolderMax: REQUESTS_PER_HOLDER_MAX,
    keptMs: REQUESTS_KEPT_MS,
    clock,
    failed,
  });
}
