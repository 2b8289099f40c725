// Whether a data folder has all that belongs together: with a part of it alone a server would begin as if nobody had ever been.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '@sibyl/storage';
import { SecretsRefused } from '../adapters/node/secrets.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import {
  hasPlatform,
  laneFolder,
  operatorsFile,
  platformFile,
  webhooksFile,
} from './open-stores.ts';
import { readMarker } from './postgres-records.ts';

/** The folder was never whole, or is not any more; the message says what to do. */
class FolderIncomplete extends Error {
  override readonly name = 'FolderIncomplete';
}

/** Lies in the folder for as long as something is restored into it. */
const RESTORING = 'restoring';

/** Runs what fills the empty folder. A kill leaves it marked, a failure leaves it empty. */
export async function filling<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const mark = path.join(dataDir, RESTORING);
  writeFileSync(mark, '', { mode: 0o600 });
  syncFolder(dataDir);
  try {
    const result = await work();
    rmSync(mark);
    syncFolder(dataDir);
    return result;
  } catch (error) {
    const filled = readdirSync(dataDir).filter((name) => name !== RESTORING);
    for (const name of filled) rmSync(path.join(dataDir, name), { recursive: true, force: true });
    // Last: a kill before this leaves a folder that is still marked.
    rmSync(mark);
    throw error;
  }
}

export function requireRestored(dataDir: string): void {
  if (!existsSync(path.join(dataDir, RESTORING))) return;
  throw new FolderIncomplete(
    `the restore into ${dataDir} was cut off: empty the folder and restore again`,
  );
}

/** Users have never been without operators: their store was made before that of users. */
export function requireOperators(dataDir: string): void {
  const isHere = readMarker(dataDir) === null && hasPlatform(dataDir);
  if (!isHere || existsSync(operatorsFile(dataDir))) return;
  throw new FolderIncomplete(
    `${operatorsFile(dataDir)} is missing although there are users: a start would make an admin whom nobody appointed, and what operators did would be forgotten; restore the newest backup, or, where operators and their trail are lost for good, sibyl operator add NAME --role admin --anew`,
  );
}

/** Beside the users: an operator who was there from the beginning, and is never removed. */
const FIRST_OPERATOR = 'operators.first';

/** A store of operators that is empty, or another folder's, is as good as lost. */
export async function requireSameOperators(
  dataDir: string,
  platform: Pick<PlatformStore, 'setting'>,
  operators: Pick<OperatorStore, 'operatorById'>,
): Promise<void> {
  const first = await platform.setting(FIRST_OPERATOR);
  if (first === null || (await operators.operatorById(first)) !== null) return;
  throw new FolderIncomplete(
    `${operatorsFile(dataDir)} is not the one that belongs to these users: it does not know their first operator; put it back from the newest backup, or, where operators and their trail are lost for good, remove it and run sibyl operator add NAME --role admin --anew`,
  );
}

/** Notes with the users whose operators they have; again only where somebody begins anew. */
export async function rememberOperators(
  platform: Pick<PlatformStore, 'setting' | 'putSetting'>,
  operators: Pick<OperatorStore, 'operators'>,
  isAnew = false,
): Promise<void> {
  if (!isAnew && (await platform.setting(FIRST_OPERATOR)) !== null) return;
  const [first] = await operators.operators();
  if (first !== undefined) await platform.putSetting(FIRST_OPERATOR, first.operatorId);
}

/** Users have never been without it: it was made before their store. An empty one would forget endpoints and deliveries. */
export function requireWebhooks(dataDir: string): void {
  const isHere = readMarker(dataDir) === null && hasPlatform(dataDir);
  const file = webhooksFile(dataDir);
  if (!isHere || existsSync(file)) return;
  throw new FolderIncomplete(
    `${file} is missing although there are users, whose endpoints and pending deliveries are in it: remove webhooks.db-wal, then copy webhooks.db and webhooks.db-sums there from the newest backup; where no backup has it, sibyl rebuild --webhooks begins an empty one`,
  );
}

/** Snapshots and history follow from the journal, so there was one. */
function requireJournals(dataDir: string): void {
  for (const lane of ['live', 'sandbox'] as const) {
    const folder = laneFolder(dataDir, lane);
    if (!existsSync(folder) || existsSync(path.join(folder, 'journal.db'))) continue;
    if (readdirSync(folder).every((name) => name.startsWith('journal.db'))) continue;
    throw new FolderIncomplete(
      `${path.join(folder, 'journal.db')} is missing: every command of the lane is in it; sibyl restore BACKUP --data-dir FOLDER makes a new folder from the newest backup`,
    );
  }
}

/** With the users: a digest under the secrets that their keys were hashed with. */
const SECRETS = 'secrets.digest';

/** With the secrets of another folder no password, key or session of these users is known. */
export async function requireOwnSecrets(
  dataDir: string,
  platform: Pick<PlatformStore, 'setting'>,
  secrets: Secrets,
): Promise<void> {
  const known = await platform.setting(SECRETS);
  if (known === null || known === secrets.digest('database', SECRETS)) return;
  throw new SecretsRefused(
    `${path.join(dataDir, 'secrets')} belongs to another data folder: no password, key or session would be known with it; copy the file of the same name there from a backup of this folder, then chmod 400 it`,
  );
}

export async function rememberSecrets(
  platform: Pick<PlatformStore, 'setting' | 'putSetting'>,
  secrets: Secrets,
): Promise<void> {
  if ((await platform.setting(SECRETS)) !== null) return;
  await platform.putSetting(SECRETS, secrets.digest('database', SECRETS));
}

/** A live lane has never been without users: their store was made before it. */
export function requireWhole(dataDir: string, databaseUrl: string | null): void {
  requireRestored(dataDir);
  requireJournals(dataDir);
  const isElsewhere = databaseUrl !== null || readMarker(dataDir) !== null;
  if (isElsewhere || hasPlatform(dataDir) || !existsSync(laneFolder(dataDir, 'live'))) return;
  throw new FolderIncomplete(
    `${platformFile(dataDir)} is missing although there is a live lane: nobody would know their accounts; restore the newest backup`,
  );
}
