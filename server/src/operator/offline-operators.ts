// sibyl operator: operators of a stopped server, for whoever holds its data folder.

import { existsSync, rmSync } from 'node:fs';
import type { OperatorRole } from '@sibyl/contract';
import { systemClock } from '@sibyl/lane';
import { NodePasswords, OPERATOR_TURNS } from '../adapters/node/passwords.ts';
import { systemRandom } from '../adapters/node/random.ts';
import { openSecrets } from '../adapters/node/secrets.ts';
import { silentLog } from '../gateway/log.ts';
import { DataUnusable } from '../maintenance/copies.ts';
import type { OperatorRecord, OperatorStore } from '../ports/operators.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import { operatorsFile } from '../stores/open-stores.ts';
import { findRecords, type RecordLocation } from '../stores/records.ts';
import { linkOf } from '../stores/trail-chain.ts';
import { rememberOperators } from '../stores/whole-folder.ts';
import { isReserved, newOperator, newPassword } from './new-operator.ts';

const BUSY = 'the password could not be hashed';

/** Sets a new password, which is given back to be shown once, and ends all sessions. */
export function resetOperator(location: RecordLocation, name: string): Promise<string> {
  return offline(
    location,
    { operation: 'resetOperator', target: name },
    async (operators, passwords) => {
      const operator = await activeOperator(operators, name);
      const made = await newPassword({ passwords, random: systemRandom });
      if (made === null) throw new Error(BUSY);
      await operators.changePassword({
        operatorId: operator.operatorId,
        verifiedHash: null,
        passwordHash: made.hash,
        keptSessionId: null,
        atMs: systemClock.wallMs(),
      });
      return made.password;
    },
  );
}

/** Adds one with these roles; the password is given back to be shown once. `isAnew` where all operators are lost. */
export function addOperatorOffline(
  location: RecordLocation,
  name: string,
  roles: readonly OperatorRole[],
  isAnew = false,
): Promise<string> {
  if (isReserved(name)) throw new DataUnusable(`nobody may be called ${name}`);
  if (isAnew) requireLost(location, roles);
  return offline(
    { ...location, areOperatorsLost: isAnew },
    { operation: 'addOperator', target: name, roles, ...(isAnew && { anew: true }) },
    async (operators, passwords) => {
      const parts = { passwords, random: systemRandom, clock: systemClock };
      const made = await newOperator(parts, name, roles);
      if (made === null) throw new Error(BUSY);
      if (!(await operators.addOperator(made.operator))) {
        throw new DataUnusable(
          `there is an operator ${name} already: sibyl operator roles ${name} --role ROLE sets what they may do, sibyl operator reset ${name} a new password`,
        );
      }
      return made.password;
    },
  );
}

/** Nobody begins anew beside operators who are there, nor without an admin. */
function requireLost(
  { dataDir, databaseUrl }: RecordLocation,
  roles: readonly OperatorRole[],
): void {
  if (databaseUrl !== null) {
    throw new DataUnusable('--anew is for a data folder: operators of DATABASE_URL are there');
  }
  if (existsSync(operatorsFile(dataDir))) {
    throw new DataUnusable(`${dataDir} has not lost its operators: leave out --anew`);
  }
  if (!roles.includes('admin')) {
    throw new DataUnusable('the first operator has to be an admin: give --role admin');
  }
  // Sums of pages that are gone: the new file would be taken for a damaged one.
  for (const left of ['-sums', '-wal', '-shm']) {
    rmSync(`${operatorsFile(dataDir)}${left}`, { force: true });
  }
}

/** Gives one these roles in place of those before; who is the last admin stays one. */
export function setRolesOffline(
  location: RecordLocation,
  name: string,
  roles: readonly OperatorRole[],
): Promise<void> {
  return offline(
    location,
    { operation: 'setOperatorRoles', target: name, roles },
    async (operators) => {
      const { operatorId } = await activeOperator(operators, name);
      if ((await operators.setRoles(operatorId, roles, systemClock.wallMs())) !== 'last_admin')
        return;
      throw new DataUnusable(
        `there is no other admin: nobody could add or change operators any more; give --role admin too, or make another one first (sibyl operator add NAME --role admin)`,
      );
    },
  );
}

async function activeOperator(operators: OperatorStore, name: string): Promise<OperatorRecord> {
  const operator = await operators.operatorByName(name);
  const add = 'sibyl operator add NAME --role ROLE adds one';
  if (operator === null) {
    const all = await operators.operators();
    const known = all.map((one) => one.name).join(', ') || 'nobody';
    throw new DataUnusable(`there is no operator ${name}, but ${known}; ${add}`);
  }
  if (operator.disabledAtMs === null) return operator;
  throw new DataUnusable(`${name} was disabled, and stays so; ${add}`);
}

/** Removes a lost second factor with its recovery codes, and ends all sessions; the password stays as it is. */
export function resetFactorOffline(location: RecordLocation, name: string): Promise<void> {
  return offline(
    location,
    { operation: 'resetOperatorFactor', target: name },
    async (operators) => {
      const operator = await activeOperator(operators, name);
      if (await operators.resetFactor(operator.operatorId, systemClock.wallMs())) return;
      throw new DataUnusable(`${name} has no second factor`);
    },
  );
}

interface OfflineAct {
  readonly operation: string;
  readonly target: string;
  /** That are given. */
  readonly roles?: readonly OperatorRole[];
  /** Of operators who were lost none is left. */
  readonly anew?: true;
}

/** Whoever has the folder has everything: it is done, and stands in the trail. */
export async function offline<Result>(
  location: RecordLocation,
  { operation, target, ...more }: OfflineAct,
  work: (
    operators: OperatorStore,
    passwords: NodePasswords,
    platform: PlatformStore,
    secrets: Secrets,
  ) => Promise<Result>,
): Promise<Result> {
  const records = await findRecords(location, silentLog);
  const passwords = new NodePasswords(OPERATOR_TURNS);
  try {
    if (!(await records.areThere())) throw new DataUnusable(`${location.dataDir} has no users yet`);
    const secrets = openSecrets(location.dataDir, systemRandom, true);
    const { operators, platform } = await records.open(secrets);
    const result = await work(operators, passwords, platform, secrets);
    if (more.anew === true) await rememberOperators(platform, operators, true);
    const what = Object.keys(more).length === 0 ? '' : JSON.stringify(more);
    const act = {
      operatorId: 'offline',
      roles: [],
      operation,
      lane: null,
      target,
      what,
      reason: null,
      requestId: `offline-${systemRandom.token(16)}`,
      outcome: 'ok',
      atMs: systemClock.wallMs(),
    };
    await operators.trail.append(linkOf(secrets, act));
    return result;
  } catch (error) {
    if (!isHeldByServer(error)) throw error;
    throw new DataUnusable(`${location.dataDir} is in use: stop the server first`);
  } finally {
    await passwords.close();
    await records.close();
  }
}

function isHeldByServer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY');
}
