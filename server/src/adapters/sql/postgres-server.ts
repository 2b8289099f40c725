// Connections to one PostgreSQL: a pool whose commits are synced, and one for what a power cut may take.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Client, Pool, PoolConfig } from 'pg';
import type { DatabaseWatcher, Outage } from '../../ports/outage.ts';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import type { Untyped } from './dialect.ts';
import { fieldsOf, told } from './postgres-errors.ts';
import { type Mark, PostgresLease } from './postgres-lease.ts';

/** The database cannot be used as it is set; the text says what to do and holds no password. */
export class DatabaseRefused extends Error {
  override readonly name = 'DatabaseRefused';
}

const CONNECT_MS = 10_000;
const RECONNECT_MS = 3000;
const CLOSE_MS = 5000;
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
  readonly #first: Client;
  readonly #lease: PostgresLease;
  readonly #sockets: Sockets;
  #isAlone = false;

  /** Connects once, so that whatever is wrong is known before anything is written. */
  static async connect(url: string, watcher = UNWATCHED): Promise<PostgresServer> {
    // Loaded only where it is used: a server on SQLite starts without it.
    const { default: pg } = await import('pg');
    const sockets = new Sockets();
    const config = { ...configOf(url, pg.types), stream: () => sockets.open() };
    const session = async (connectionTimeoutMillis: number): Promise<Client> => {
      const limits = { connectionTimeoutMillis, query_timeout: CONNECT_MS };
      const client = new pg.Client({ ...config, ...limits });
      // The lease notices a lost session by its end.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    };
    const first = await session(CONNECT_MS).catch((error: unknown) => {
      throw new DatabaseRefused(explain(error, url));
    });
    const pool = (max: number, settings: PoolConfig): Pool => {
      const made = new pg.Pool({ ...config, ...settings, max, idleTimeoutMillis: IDLE_MS });
      made.on('error', () => undefined);
      // The pool listens to idle connections only; a cut while one is out would end the process.
      made.on('connect', (client) => client.on('error', () => undefined));
      return made;
    };
    // Waiting for a standby as well, if the operator has set that; but not for nothing.
    const { rows } = await first.query('show synchronous_commit');
    const isOff = rows[0]?.synchronous_commit === 'off';
    const synced = pool(SYNCED_MAX, isOff ? { options: '-c synchronous_commit=on' } : {});
    const quick = pool(QUICK_MAX, { options: '-c synchronous_commit=off' });
    const again = { connect: () => session(RECONNECT_MS), cut: () => sockets.cut() };
    const lease = new PostgresLease({ ...again, watcher });
    return new PostgresServer(locationOf(url), { first, lease, sockets }, [synced, quick]);
  }

  private constructor(
    location: string,
    parts: { readonly first: Client; readonly lease: PostgresLease; readonly sockets: Sockets },
    [synced, quick]: readonly [synced: Pool, quick: Pool],
  ) {
    this.location = location;
    this.#first = parts.first;
    this.#lease = parts.lease;
    this.#sockets = parts.sockets;
    const ready = (): Promise<void> => (this.#isAlone ? parts.lease.ready() : Promise.resolve());
    this.synced = kyselyOf(synced, ready);
    this.quick = kyselyOf(quick, ready);
  }

  /** Null while the database answers. */
  get outage(): Outage | null {
    return this.#lease.outage;
  }

  /** False if another server has it. From here on nothing is read or written without the lock. */
  async takeAlone(): Promise<boolean> {
    this.#isAlone = await this.#lease.take(this.#first);
    return this.#isAlone;
  }

  /** What must be in the database whenever the lock is taken again after an outage. */
  expect(mark: Mark): void {
    this.#lease.expect(mark);
  }

  /** Behind a silent network nothing ends in order: then after a bounded wait. */
  async close(): Promise<void> {
    const first = this.#isAlone ? undefined : this.#first.end();
    const all = [this.synced.destroy(), this.quick.destroy(), this.#lease.close(), first];
    const late = new AbortController();
    const cut = sleep(CLOSE_MS, undefined, late).then(
      () => this.#sockets.cut(),
      () => undefined,
    );
    await Promise.race([Promise.all(all), cut]);
    late.abort();
  }
}

const UNWATCHED: DatabaseWatcher = {
  began: () => undefined,
  ended: () => undefined,
  lost: () => undefined,
};

/** Of all connections, so that all can be ended at once. */
class Sockets {
  readonly #open = new Set<Socket>();

  open(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
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

function kyselyOf(pool: Pool, ready: () => Promise<void>): Untyped {
  const plain: PostgresPool = {
    options: {},
    connect: async () => {
      await ready();
      const client = await pool.connect().catch((error: unknown) => {
        const { code = 'no answer' } = fieldsOf(error);
        throw new StoreUnavailable(`the database cannot be reached (${code})`);
      });
      // The lock may be gone since the connection was asked for.
      await ready().catch((error: unknown) => {
        client.release(true);
        throw error;
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
