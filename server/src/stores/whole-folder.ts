// Whether a data folder has all that belongs together: with a part of it alone a server would begin as if nobody had ever been.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '@sibyl/storage';
import type { OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { hasPlatform, laneFolder, operatorsFile, platformFile } from './open-stores.ts';
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

/** A live lane has never been without users: their store was made before it. */
export function requireWhole(dataDir: string, databaseUrl: string | null): void {
  requireRestored(dataDir);
  const isElsewhere = databaseUrl !== null || readMarker(dataDir) !== null;
  if (isElsewhere || hasPlatform(dataDir) || !existsSync(laneFolder(dataDir, 'live'))) return;
  throw new FolderIncomplete(
    `${platformFile(dataDir)} is missing although there is a live lane: nobody would know their accounts; restore the newest backup`,
  );
}
