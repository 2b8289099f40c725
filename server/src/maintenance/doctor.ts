// sibyl doctor: looks at everything a start depends on and says what it found.

import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { LaneName, State } from '@sibyl/engine';
import { ENGINES, type RecoverySource, replayAfter, type Stretch, stretchesOf } from '@sibyl/lane';
import { SecretsRefused } from '../adapters/node/secrets.ts';
import { custodiesIn, custodiesOf, custodyFault } from '../custody/custody-change.ts';
import { chooseWay, SWITCHED_OFF } from '../http/order-path.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import { type Config, ConfigError, readConfig } from '../settings/config.ts';
import { ADMIN_HOST, portFault } from '../settings/start-check.ts';
import { requireSigning } from '../stores/open-signing.ts';
import {
  hasPlatform,
  laneFolder,
  openOperators,
  openPlatform,
  openWebhooks,
  readStoresOf,
} from '../stores/open-stores.ts';
import { PostgresRecords, readMarker } from '../stores/postgres-records.ts';
import { verifyOperatorsTrail } from '../stores/trail-chain.ts';
import {
  requireOperators,
  requireOwnSecrets,
  requireWebhooks,
  requireWhole,
} from '../stores/whole-folder.ts';
import { DataUnusable } from './copies.ts';
import { laneNames, withLane } from './data-folder.ts';
import { diskRoom } from './disk-room.ts';
import { requireOwnOperators, secretsOf } from './verify-stores.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failure';
  readonly detail: string;
}

export async function examine(
  environment: Readonly<Record<string, string | undefined>>,
  workingDir: string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [checkNode(process.versions.node)];
  let config: Config;
  try {
    config = readConfig(environment, workingDir);
    findings.push(ok('settings', `lanes ${config.lanes.join(' and ')}`));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [...findings, failure('settings', error.message)];
  }
  findings.push(...checkFolder(config.dataDir));
  findings.push(await checkPort('port', 'PORT', config.host, config.port));
  findings.push(await checkPort('operator port', 'ADMIN_PORT', ADMIN_HOST, config.adminPort));
  const { dataDir, databaseUrl } = config;
  if (databaseUrl !== null) findings.push(await checkDatabase(dataDir, databaseUrl));
  findings.push(await checkOrderWay(config.hasDirectOrders));
  if (!existsSync(config.dataDir)) return findings;
  if (config.databaseUrl === null) findings.push(...(await checkStores(config.dataDir)));
  for (const lane of config.lanes) findings.push(...(await checkLane(config.dataDir, lane)));
  const hasLive = config.lanes.includes('live') && existsSync(laneFolder(config.dataDir, 'live'));
  if (hasLive) findings.push(await checkCustody(config));
  return findings;
}

/**
 * A folder for itself, a backup say: what lies in it, and the database that it names. Settings and ports are those of a server,
 * which may have another folder.
 */
export async function examineFolder(
  dataDir: string,
  databaseUrl: string | null,
): Promise<readonly Finding[]> {
  if (!existsSync(dataDir)) throw new DataUnusable(`${dataDir} does not exist`);
  const findings = [checkNode(process.versions.node), ...checkFolder(dataDir)];
  const isElsewhere = readMarker(dataDir) !== null && databaseUrl !== null;
  if (isElsewhere) findings.push(await checkDatabase(dataDir, databaseUrl));
  else findings.push(...(await checkStores(dataDir)));
  const lanes = laneNames.filter((lane) => existsSync(laneFolder(dataDir, lane)));
  if (lanes.length === 0) findings.push(failure('lanes', `${dataDir} holds none`));
  for (const lane of lanes) findings.push(...(await checkLane(dataDir, lane)));
  return findings;
}

const NODE_MINIMUM = [22, 18] as const;

function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough =
    major > NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor >= NODE_MINIMUM[1]);
  return isEnough
    ? ok('node', version)
    : failure('node', `${version}; ${NODE_MINIMUM.join('.')} or newer is needed`);
}

function checkFolder(dataDir: string): readonly Finding[] {
  if (!existsSync(dataDir)) {
    return [ok('data folder', `${dataDir} will be made at the first start`)];
  }
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK);
  } catch {
    return [failure('data folder', `${dataDir} cannot be written`)];
  }
  const { bavail, bsize } = statfsSync(dataDir);
  const { isScarce, words } = diskRoom(bavail * bsize);
  return [
    ok('data folder', dataDir),
    isScarce ? warning('disk', words) : ok('disk', words),
    checkSecrets(dataDir),
  ];
}

function checkSecrets(dataDir: string): Finding {
  try {
    return ok('secrets', secretsOf(dataDir) === null ? 'none yet' : 'private and whole');
  } catch (error) {
    return failure('secrets', error instanceof Error ? error.message : String(error));
  }
}

/** A port that our own server has is as it should be. */
async function checkPort(
  check: string,
  setting: 'PORT' | 'ADMIN_PORT',
  host: string,
  port: number,
): Promise<Finding> {
  const fault = await portFault(setting, host, port);
  if (fault === null) return ok(check, `${host}:${port} is free`);
  const isOurs = await isServed(host, port);
  return isOurs ? ok(check, `${host}:${port} is served by Sibyl`) : failure(check, fault);
}

/** Every answer of ours, whatever it is about, names the version of the interface. */
async function isServed(host: string, port: number): Promise<boolean> {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { headers } = await fetch(`http://${name}:${port}/v1/health`, { signal });
    return headers.has('x-api-version');
  } catch {
    return false;
  }
}

const ANSWER_MS = 2_000;

async function checkStores(dataDir: string): Promise<readonly Finding[]> {
  const location = readMarker(dataDir);
  if (location !== null) {
    return [failure('platform', `users, keys and webhooks are at ${location}: set DATABASE_URL`)];
  }
  try {
    requireWhole(dataDir, null);
  } catch (error) {
    return [failure('platform', error instanceof Error ? error.message : String(error))];
  }
  return [
    await checkStore(dataDir, 'platform', openUsers),
    await checkStore(dataDir, 'webhooks', (folder) => {
      requireWebhooks(folder);
      return openWebhooks(folder);
    }),
    await checkStore(dataDir, 'operators', async (folder) => {
      requireOperators(folder);
      const secrets = await ownSecrets(folder);
      const store = await openOperators(folder);
      try {
        await requireOwnOperators(folder, store);
        await verifyOperatorsTrail(store, secrets);
      } finally {
        await store.close();
      }
      return { close: async () => undefined };
    }),
  ];
}

/** Null for those of another folder, which a finding of their own names: no seal can be judged by them. */
async function ownSecrets(dataDir: string): Promise<Secrets | null> {
  const secrets = secretsOf(dataDir);
  if (secrets === null || !hasPlatform(dataDir)) return secrets;
  const platform = await openPlatform(dataDir);
  try {
    await requireOwnSecrets(dataDir, platform, secrets);
    return secrets;
  } catch (error) {
    if (error instanceof SecretsRefused) return null;
    throw error;
  } finally {
    await platform.close();
  }
}

/** With the secrets of those who sign, which must open. */
async function openUsers(dataDir: string): Promise<PlatformStore> {
  // Before the store is opened, which would stay so if they cannot be read.
  const secrets = secretsOf(dataDir);
  const platform = await openPlatform(dataDir);
  try {
    if (secrets !== null) {
      await requireOwnSecrets(dataDir, platform, secrets);
      await requireSigning(dataDir, platform.signing, secrets);
    }
    return platform;
  } catch (error) {
    await platform.close();
    throw error;
  }
}

/** As a start would find it, but that nothing is moved. */
async function checkDatabase(dataDir: string, url: string): Promise<Finding> {
  try {
    const database = await PostgresRecords.open(url);
    try {
      const fault = await database.faultFor(dataDir, secretsOf(dataDir));
      return fault === null
        ? ok('database', `PostgreSQL at ${database.location}, tables up to date`)
        : failure('database', fault);
    } finally {
      await database.close();
    }
  } catch (error) {
    return busyOr('database', error);
  }
}

/** Node may be another than the one that orders were measured with. */
async function checkOrderWay(isWanted: boolean): Promise<Finding> {
  const { reason } = await chooseWay(isWanted);
  if (reason === null) return ok('orders', 'answered straight on the socket');
  const detail = `answered by Node's HTTP, at twice the cost: ${reason}`;
  return reason === SWITCHED_OFF ? ok('orders', detail) : warning('orders', detail);
}

async function checkStore(
  dataDir: string,
  name: 'platform' | 'webhooks' | 'operators',
  open: (dataDir: string) => Promise<{ close(): Promise<void> }>,
): Promise<Finding> {
  const isThere = existsSync(path.join(dataDir, `${name}.db`));
  // Operators and webhooks are never missing where users are.
  if (!isThere && !hasPlatform(dataDir)) return ok(name, 'none yet');
  try {
    const store = await open(dataDir);
    await store.close();
    return ok(name, 'every page as written');
  } catch (error) {
    return busyOr(name, error);
  }
}

async function checkLane(dataDir: string, lane: LaneName): Promise<readonly Finding[]> {
  const folder = laneFolder(dataDir, lane);
  if (!existsSync(folder)) return [ok(`${lane} lane`, 'will be seeded at the first start')];
  try {
    return await withLane(folder, lane, async ({ journal, snapshots }) => {
      const head = await journal.head();
      const newest = snapshots?.list()[0] ?? 0;
      const first = snapshots?.examine(0) ?? null;
      const firstFault = first !== null && 'reason' in first ? first.reason : null;
      const isWhole = first !== null && 'engine' in first;
      const stretches = isWhole ? await stretchesOf(journal, first.engine.logic) : [];
      const store = readStoresOf(folder).current();
      const lag = head.seq - (await store.cursor());
      await store.close();
      return [
        ok(`${lane} journal`, `ends at ${head.seq}, hash ${head.hash.slice(0, 16)}`),
        ...(isWhole ? [checkStretches(`${lane} engine`, stretches)] : []),
        ok(`${lane} snapshot`, `${head.seq - newest} commands behind`),
        ...(firstFault === null
          ? []
          : [
              failure(
                `${lane} snap-0`,
                `${firstFault}; a start makes it anew, else put that of a backup in its place`,
              ),
            ]),
        ok(
          `${lane} read model`,
          lag > 0 ? `${lag} commands behind; the next start catches up` : 'up to date',
        ),
      ];
    });
  } catch (error) {
    return [busyOr(`${lane} journal`, error)];
  }
}

/** As a start would: which custodies the records of live name, beside the one of the settings. */
async function checkCustody(config: Config): Promise<Finding> {
  try {
    const known = await withLane(laneFolder(config.dataDir, 'live'), 'live', knownCustodies);
    const fault = custodyFault(known, config);
    if (fault !== null) return failure('custody', fault);
    return ok('custody', config.custody?.name ?? 'a till of its own');
  } catch (error) {
    return busyOr('custody', error);
  }
}

async function knownCustodies(source: RecoverySource): Promise<ReadonlySet<string>> {
  const { seq } = await source.journal.head();
  const records: { readonly custody: string }[] = [];
  const begin = (state: State): void => {
    for (const custody of custodiesOf(state)) records.push({ custody });
  };
  for await (const commands of replayAfter(source, seq, begin)) {
    for (const event of commands.flatMap(({ outcome }) => outcome.events)) {
      if (event.type === 'deposit_updated') records.push(event.deposit);
      if (event.type === 'withdrawal_updated') records.push(event.withdrawal);
    }
  }
  return custodiesIn(records);
}

function checkStretches(check: string, stretches: readonly Stretch[]): Finding {
  const ours = ENGINES.current.logic;
  const last = stretches.at(-1)?.logic ?? ours;
  const ran = stretches.map(
    ({ logic, firstSeq, lastSeq }) => `logic ${logic} ran ${firstSeq} to ${lastSeq}`,
  );
  if (last > ours) {
    const advice = `this build has logic ${ours}: use the newer one`;
    return failure(check, [...ran, advice].join(', '));
  }
  const next = last < ours ? [`the next start upgrades to logic ${ours}`] : [];
  return ok(check, [...ran, ...next].join(', '));
}

function busyOr(check: string, error: unknown): Finding {
  const message = error instanceof Error ? error.message : String(error);
  const isBusy =
    error instanceof DataUnusable || /locked|busy|in use by another server/i.test(message);
  return isBusy ? ok(check, 'in use by a running server') : failure(check, message);
}

function ok(check: string, detail: string): Finding {
  return { check, status: 'ok', detail };
}

function warning(check: string, detail: string): Finding {
  return { check, status: 'warning', detail };
}

function failure(check: string, detail: string): Finding {
  return { check, status: 'failure', detail };
}
