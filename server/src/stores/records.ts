// The stores of users, keys, webhooks and operators, wherever they are kept: in the data folder, or in a database for them.
import { existsSync } from 'node:fs';
import type { Log } from '../gateway/log.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { Outage } from '../ports/outage.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import {
  hasPlatform,
  openOperators,
  openPlatform,
  openWebhooks,
  type Warn,
} from './open-stores.ts';
import { DATABASE_OUTAGE, outagesInto } from './outages-into.ts';
import { PostgresRecords, requireOwnFiles } from './postgres-records.ts';
import {
  rememberSecrets,
  requireOperators,
  requireOwnSecrets,
  requireSameOperators,
  requireWebhooks,
  requireWhole,
} from './whole-folder.ts';

export interface OpenRecords {
  readonly platform: PlatformStore;
  readonly webhooks: WebhookStore;
  readonly operators: OperatorStore;
}

/** Found before the folder is touched, opened when its secrets are known. */
export interface Records {
  /** Whether there are users and keys, which only the secrets of this folder know. */
  areThere(): Promise<boolean>;
  open(secrets: Secrets): Promise<OpenRecords>;
  close(): Promise<void>;
  /** Null where they are in the data folder. */
  readonly database: RecordDatabase | null;
}

export interface RecordDatabase {
  /** Null while it answers. */
  readonly outage: Outage | null;
  /** Resolves with what to tell the operator once another process has used the database during an outage. */
  readonly lost: Promise<string>;
}

export interface RecordLocation {
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Whether the store of operators may be missing, because somebody knows that it is lost. */
  readonly areOperatorsLost?: boolean;
}

/** Refuses, with all untouched, a folder that is not whole and a database that cannot be used as it is set. */
export async function findRecords(
  { dataDir, databaseUrl, areOperatorsLost = false }: RecordLocation,
  log: Pick<Log, 'write'>,
): Promise<Records> {
  requireWhole(dataDir, databaseUrl);
  if (!areOperatorsLost) requireOperators(dataDir);
  requireWebhooks(dataDir);
  if (databaseUrl === null) return inFolder(dataDir, areOperatorsLost, log);
  const lost = Promise.withResolvers<string>();
  const database = await PostgresRecords.open(databaseUrl, {
    ...outagesInto(log, DATABASE_OUTAGE),
    lost: () =>
      lost.resolve(
        `DATABASE_URL: another server, or a sibyl command, used PostgreSQL at ${database.location} while it was away from this one, or the database was set back: this server stops, because what it knows of users and keys may be outdated; stop the other one, then start again`,
      ),
  });
  return {
    database: {
      get outage() {
        return database.outage;
      },
      lost: lost.promise,
    },
    areThere: () => database.hasOwner(),
    open: async (secrets) => {
      const how = await database.belongTo(dataDir, secrets);
      if (how === 'taken over') {
        log.write('warn', 'users, keys and webhooks were moved to PostgreSQL', {
          what: database.location,
        });
      }
      return database;
    },
    close: () => database.close(),
  };
}

function inFolder(dataDir: string, areOperatorsLost: boolean, log: Pick<Log, 'write'>): Records {
  const warn: Warn = (message) => log.write('warn', message, {});
  if (existsSync(dataDir)) requireOwnFiles(dataDir);
  const opened: (PlatformStore | WebhookStore | OperatorStore)[] = [];
  return {
    database: null,
    areThere: async () => hasPlatform(dataDir),
    open: async (secrets) => {
      const keep = <Store extends (typeof opened)[number]>(store: Store): Store => {
        opened.push(store);
        return store;
      };
      // In a new folder users come last: with users but without the others it would be a folder that has lost them.
      const operators = keep(await openOperators(dataDir, warn));
      const webhooks = keep(await openWebhooks(dataDir, warn));
      const platform = keep(await openPlatform(dataDir, warn));
      await requireOwnSecrets(dataDir, platform, secrets);
      await rememberSecrets(platform, secrets);
      if (!areOperatorsLost) await requireSameOperators(dataDir, platform, operators);
      return { platform, webhooks, operators };
    },
    close: async () => {
      for (const store of opened.splice(0).toReversed()) await store.close();
    },
  };
}
