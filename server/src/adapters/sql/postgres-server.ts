// Connections to one PostgreSQL: a pool whose commits are synced, and one for what a power cut may take.
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Client, Pool, PoolConfig } from 'pg';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import type { Untyped } from './dialect.ts';
import { fieldsOf, told } from './postgres-errors.ts';

/** The database cannot be used as it is set; the text says what to do and holds no password. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

const CONNECT_MS = 10_000;
const STATEMENT_MS = 60_000;
const IDLE_MS = 60_000;
const SYNCED_MAX = 10;
const QUICK_MAX = 4;
const INT8 = 20;

export class PostgresServer {
  /** Where it is, without user and password. */
  readonly location: string;
  readonly synced: Untyped;
  readonly quick: Untyped;
  readonly #lease: Client;

  /** Connects once, so that whatever is wrong is known before anything is written. */
  static async connect(url: string): Promise<PostgresServer> {
    // Loaded only where it is used: a server on SQLite starts without it.
    const { default: pg } = await import('pg');
    const config = configOf(url, pg.types);
    const lease = new pg.Client(config);
    // A connection that is lost later is noticed by whoever uses it next.
    lease.on('error', () => undefined);
    try {
      await lease.connect();
    } catch (error) {
      throw new DatabaseRefused(explain(error, url));
    }
    const pool = (max: number, settings: PoolConfig): Pool => {
      const made = new pg.Pool({ ...config, ...settings, max, idleTimeoutMillis: IDLE_MS });
      made.on('error', () => undefined);
      // The pool listens to idle connections only; a cut while one is out would end the process.
      made.on('connect', (client) => client.on('error', () => undefined));
      return made;
    };
    // Waiting for a standby as well, if the operator has set that; but not for nothing.
    const { rows } = await lease.query('show synchronous_commit');
    const isOff = rows[0]?.synchronous_commit === 'off';
    const synced = pool(SYNCED_MAX, isOff ? { options: '-c synchronous_commit=on' } : {});
    const quick = pool(QUICK_MAX, { options: '-c synchronous_commit=off' });
    return new PostgresServer(locationOf(url), lease, synced, quick);
  }

  private constructor(location: string, lease: Client, synced: Pool, quick: Pool) {
    this.location = location;
    this.#lease = lease;
    this.synced = kyselyOf(synced);
    this.quick = kyselyOf(quick);
  }

  /** False if another server has it. Given back with the connection, whatever ends that. */
  async takeAlone(): Promise<boolean> {
    const { rows } = await this.#lease
      .query<{ taken: boolean }>("select pg_try_advisory_lock(hashtext('sibyl server')) as taken")
      .catch((error: unknown) => {
        throw told(error);
      });
    return rows[0]?.taken === true;
  }

  async close(): Promise<void> {
    await Promise.all([this.synced.destroy(), this.quick.destroy(), this.#lease.end()]);
  }
}

function configOf(url: string, types: typeof import('pg').types): PoolConfig {
  return {
    connectionString: url,
    application_name: 'sibyl',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + CONNECT_MS,
    keepAlive: true,
    types: {
      // Times, counts and positions are all below 2^53.
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === INT8 ? Number : types.getTypeParser(id, format as 'text'),
    },
  };
}

function kyselyOf(pool: Pool): Untyped {
  const plain: PostgresPool = {
    options: {},
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        const { code = 'no answer' } = fieldsOf(error);
        throw new StoreUnavailable(`the database cannot be reached (${code})`);
      });
      const known = wrapped.get(client);
      if (known !== undefined) return known;
      const made = telling(client as unknown as PostgresPoolClient);
      wrapped.set(client, made);
      return made;
    },
    end: () => pool.end(),
  };
  const wrapped = new WeakMap<object, PostgresPoolClient>();
  return new Kysely({ dialect: new PostgresDialect({ pool: plain }) });
}

/** Errors come as `told`, and no text has the one character that PostgreSQL does not keep. */
function telling(client: PostgresPoolClient): PostgresPoolClient {
  let failure: Error | null = null;
  // Kysely's second form, of cursors, is not used: nothing here streams.
  const query = async <Row>(text: string, parameters: readonly unknown[]) => {
    // A statement that timed out may still be running: the rollback after it would wait as long again.
    if (failure !== null) throw failure;
    try {
      return await client.query<Row>(text, parameters.map(withoutNul));
    } catch (error) {
      const reason = told(error);
      if (reason instanceof StoreUnavailable) failure = reason;
      throw reason;
    }
  };
  return {
    query: query as PostgresPoolClient['query'],
    // The pool ends a broken connection instead of lending it again.
    release: (isBroken) => client.release(isBroken || failure !== null),
  };
}

function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\ufffd')
    : value;
}

/** For people: host, port and name of the database. */
function locationOf(url: string): string {
  const parsed = new URL(url);
  const host = parsed.searchParams.get('host') ?? parsed.hostname;
  const port = parsed.port === '' ? '5432' : parsed.port;
  return `${host === '' ? 'localhost' : host}:${port}${decodeURIComponent(parsed.pathname)}`;
}

/** What stands in the way of a first connection, and what to do about it. */
function explain(error: unknown, url: string): string {
  const { code } = fieldsOf(error);
  const at = `DATABASE_URL: PostgreSQL at ${locationOf(url)}`;
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${at} does not answer: start it, or set the right host and port`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${at}: the name of the host is not known`;
    case '28P01':
    case '28000':
      return `${at} refuses the user or the password`;
    case '3D000':
      return `${at} has no such database: create it, or set the right name`;
    case '53300':
      return `${at} has no connection left`;
    case '57P03':
      return `${at} is starting or stopping: try again`;
    default:
      return `${at} cannot be used (${code ?? 'no answer in time'})`;
  }
}
