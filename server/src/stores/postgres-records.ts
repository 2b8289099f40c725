// Users, keys, webhooks and operators in the PostgreSQL of DATABASE_URL instead of the data folder, and how both find each other.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { syncFolder } from '@sibyl/storage';
import { systemRandom } from '../adapters/node/random.ts';
import { schemaName } from '../adapters/sql/dialect.ts';
import { SqlOperatorStore } from '../adapters/sql/operators.ts';
import { type OperatorTables, operatorsSchema } from '../adapters/sql/operators-schema.ts';
import { SqlPlatformStore } from '../adapters/sql/platform.ts';
import { type PlatformTables, platformSchema } from '../adapters/sql/platform-schema.ts';
import { DatabaseRefused, PostgresServer } from '../adapters/sql/postgres-server.ts';
import { PostgresStore } from '../adapters/sql/postgres-store.ts';
import { SqlWebhookStore } from '../adapters/sql/webhooks.ts';
import { type WebhookTables, webhooksSchema } from '../adapters/sql/webhooks-schema.ts';
import type { OperatorStore } from '../ports/operators.ts';
import type { DatabaseWatcher, Outage } from '../ports/outage.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { WebhookStore } from '../ports/webhooks.ts';
import { operatorsFile, platformFile, webhooksFile } from './open-stores.ts';

/** A setting of the store: whose database this is, by the secrets of the folder that its hashes depend on. */
const OWNER = 'data_folder';

/** A setting of the store: a random name of the process that uses the database, which each of them writes anew. */
const SERVED_BY = 'served_by';

/** A file of the folder that says where its users are. */
const MARKER = 'platform.postgres';

const OWNER_ONLY = 0o600;

type Stores = readonly [
  PostgresStore<PlatformTables>,
  PostgresStore<WebhookTables>,
  PostgresStore<OperatorTables>,
];

export class PostgresRecords {
  readonly platform: PlatformStore;
  readonly webhooks: WebhookStore;
  readonly operators: OperatorStore;
  readonly #server: PostgresServer;
  readonly #tables: Stores;

  /** Connects, takes it for this process alone, and brings its tables up to date; the data folder is not touched. */
  static async open(url: string, watcher?: DatabaseWatcher): Promise<PostgresRecords> {
    const server = await PostgresServer.connect(url, watcher);
    try {
      if (!(await server.takeAlone())) {
        throw new DatabaseRefused(
          `DATABASE_URL: PostgreSQL at ${server.location} is in use by another server: stop it, or set another database`,
        );
      }
      const platform = await PostgresStore.open<PlatformTables>(server, platformSchema);
      return new PostgresRecords(server, [
        platform,
        await PostgresStore.open<WebhookTables>(server, webhooksSchema),
        await PostgresStore.open<OperatorTables>(server, operatorsSchema),
      ]);
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  private constructor(server: PostgresServer, tables: Stores) {
    this.#server = server;
    this.#tables = tables;
    this.platform = new SqlPlatformStore(tables[0]);
    this.webhooks = new SqlWebhookStore(tables[1]);
    this.operators = new SqlOperatorStore(tables[2]);
  }

  get location(): string {
    return this.#server.location;
  }

  /** Null while the database answers. */
  get outage(): Outage | null {
    return this.#server.outage;
  }

  /** Whether some folder has its users here: only the secrets of that one know them. */
  async hasOwner(): Promise<boolean> {
    return (await this.platform.setting(OWNER)) !== null;
  }

  /**
   * Binds the data folder and the database to each other. What the folder has of users and webhooks is taken over by a
   * database that is new; whatever could lose somebody's users is refused.
   */
  async belongTo(dataDir: string, secrets: Secrets): Promise<'begun' | 'taken over' | 'known'> {
    const fault = await this.faultFor(dataDir, secrets);
    if (fault !== null) throw new DatabaseRefused(fault);
    const isKnown = await this.hasOwner();
    const hasFile = existsSync(platformFile(dataDir));
    if (!isKnown) {
      // Before the files are taken over: from here on nobody may start with them.
      if (hasFile) writeMarker(dataDir, this.location);
      if (hasFile) await this.#takeOver(dataDir);
      await this.platform.putSetting(OWNER, secrets.digest('database', OWNER));
    }
    this.#leaveFiles(dataDir);
    await this.#sign();
    return isKnown ? 'known' : hasFile ? 'taken over' : 'begun';
  }

  /** What stands against using the folder with this database; null if nothing does. Without secrets it is a new folder. */
  async faultFor(dataDir: string, secrets: Secrets | null): Promise<string | null> {
    const owner = await this.platform.setting(OWNER);
    const hasFile = existsSync(platformFile(dataDir));
    const marked = readMarker(dataDir);
    if (owner !== null && owner !== secrets?.digest('database', OWNER)) {
      return this.#fault('holds the users and keys of another data folder');
    }
    if (owner !== null && hasFile && marked === null) {
      return this.#fault(`has users and keys already, and so has ${platformFile(dataDir)}`);
    }
    if (owner === null && marked !== null && !hasFile) {
      return this.#fault(`is empty, but the users and keys of ${dataDir} are at ${marked}`);
    }
    return null;
  }

  async close(): Promise<void> {
    await this.operators.close();
    await this.webhooks.close();
    await this.platform.close();
    await this.#server.close();
  }

  /** After an outage the name must still be there: another process that worked here has written its own. */
  async #sign(): Promise<void> {
    const value = systemRandom.token(16);
    await this.platform.putSetting(SERVED_BY, value);
    const table = `${schemaName(platformSchema)}.settings`;
    this.#server.expect({ sql: `select value from ${table} where name = '${SERVED_BY}'`, value });
  }

  async #takeOver(dataDir: string): Promise<void> {
    const [platform, webhooks, operators] = this.#tables;
    await platform.takeOver(platformFile(dataDir));
    if (existsSync(webhooksFile(dataDir))) await webhooks.takeOver(webhooksFile(dataDir));
    if (existsSync(operatorsFile(dataDir))) await operators.takeOver(operatorsFile(dataDir));
  }

  /** They stay, under another name, for whoever wants them back. */
  #leaveFiles(dataDir: string): void {
    if (readMarker(dataDir) !== this.location) writeMarker(dataDir, this.location);
    const files = [platformFile(dataDir), webhooksFile(dataDir), operatorsFile(dataDir)];
    for (const file of files) {
      if (!existsSync(file)) continue;
      renameSync(file, `${file}.moved`);
      for (const beside of ['-sums', '-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });
    }
    syncFolder(dataDir);
  }

  #fault(what: string): string {
    return `DATABASE_URL: PostgreSQL at ${this.location} ${what}; docs/OPERATING.md says what to do`;
  }
}

/** Where the users of a folder are; null where they are in the folder. */
export function readMarker(dataDir: string): string | null {
  const file = path.join(dataDir, MARKER);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Without DATABASE_URL a folder whose users are elsewhere would begin with none. */
export function requireOwnFiles(dataDir: string): void {
  const location = readMarker(dataDir);
  if (location === null) return;
  throw new DatabaseRefused(
    `the users, keys and webhooks of ${dataDir} are in PostgreSQL at ${location}: set DATABASE_URL`,
  );
}

function writeMarker(dataDir: string, location: string): void {
  writeFileSync(path.join(dataDir, MARKER), `${location}\n`, { mode: OWNER_ONLY, flush: true });
  syncFolder(dataDir);
}
