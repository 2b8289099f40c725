// The session whose lock lets one server alone use the database: watched, and opened again when it is cut.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import type { DatabaseWatcher, Outage } from '../../ports/outage.ts';
import { StoreUnavailable } from '../../ports/store-unavailable.ts';
import { fieldsOf, told } from './postgres-errors.ts';

export interface LeaseOptions {
  /** Opens a session. */
  readonly connect: () => Promise<Client>;
  /** Ends every connection of the pools: without the lock none of them may write. */
  readonly cut: () => void;
  readonly watcher: DatabaseWatcher;
}

/** A value in the database that every other user of it changes. */
export interface Mark {
  readonly sql: string;
  readonly value: string;
}

const LOCK = "hashtext('sibyl server')";
const PING_MS = 1000;
/** A silent network is noticed after so many pings without an answer; a stalled process counts as one. */
const PINGS_MISSED_MAX = 5;
const UNHEARD_MS = 20_000;
const RETRY_MS = 1000;
const RETRY_MIN_MS = 100;
const WAIT_MS = 1000;
const GHOST_MS = 2000;

export class PostgresLease {
  readonly #options: LeaseOptions;
  #session: Client | null = null;
  /** Of the current session or the last one: the process in PostgreSQL, and since when it has run. */
  #backend: readonly [pid: number, startedAt: string] | null = null;
  #mark: Mark | null = null;
  #outage: Outage | null = null;
  #attempt: Promise<void> | null = null;
  #attemptedAtMs = 0;
  #pinging: NodeJS.Timeout | undefined;
  #retrying: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** Null while the session is there. */
  get outage(): Outage | null {
    return this.#outage;
  }

  /** False if another process has the lock. */
  async take(session: Client): Promise<boolean> {
    if (!(await tryLock(session))) return false;
    await this.#hold(session);
    return true;
  }

  /** From here on the lock is taken again only if the mark is still there. */
  expect(mark: Mark): void {
    this.#mark = mark;
  }

  /** Returns when the lock is held, after a short wait at most. */
  async ready(): Promise<void> {
    if (this.#session !== null) return;
    if (!this.#isOver) await Promise.race([this.#attemptAgain(), sleep(WAIT_MS)]);
    if (this.#session === null) throw new StoreUnavailable('the database is away');
  }

  async close(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#pinging);
    clearTimeout(this.#retrying);
    const session = this.#session;
    this.#session = null;
    await this.#attempt;
    await session?.end().catch(() => undefined);
  }

  async #hold(session: Client): Promise<void> {
    // Where this end disappears without a word, PostgreSQL lets go of the lock by itself.
    await session.query(`set idle_session_timeout = ${UNHEARD_MS}`);
    this.#backend = await backendOf(session);
    this.#session = session;
    session.on('error', (error) => this.#lose(session, error));
    session.on('end', () => this.#lose(session, null));
    this.#ping(session);
  }

  #ping(session: Client): void {
    let missed = 0;
    let isWaiting = false;
    this.#pinging = setInterval(() => {
      if (isWaiting) {
        missed += 1;
        if (missed >= PINGS_MISSED_MAX) this.#lose(session, null);
        return;
      }
      isWaiting = true;
      const answered = (): void => {
        isWaiting = false;
        missed = 0;
      };
      session.query('select 1').then(answered, (error: unknown) => this.#lose(session, error));
    }, PING_MS);
  }

  #lose(session: Client, error: unknown): void {
    if (this.#session !== session) return;
    clearInterval(this.#pinging);
    this.#session = null;
    const { code = 'no answer' } = fieldsOf(error);
    this.#outage = { sinceMs: Date.now(), reason: code };
    this.#options.watcher.began(this.#outage);
    this.#options.cut();
    void this.#attemptAgain();
  }

  /** One attempt at a time, and no faster than the database could bear. */
  #attemptAgain(): Promise<void> {
    this.#attempt ??= this.#tryAgain().finally(() => {
      this.#attempt = null;
    });
    return this.#attempt;
  }

  async #tryAgain(): Promise<void> {
    clearTimeout(this.#retrying);
    const pauseMs = this.#attemptedAtMs + RETRY_MIN_MS - Date.now();
    if (pauseMs > 0) await sleep(Math.min(pauseMs, RETRY_MIN_MS));
    this.#attemptedAtMs = Date.now();
    try {
      await this.#reopen();
    } catch {
      // What is wrong with the database is known since it was lost; the next attempt may go better.
    }
    if (this.#session !== null || this.#isOver) return;
    this.#retrying = setTimeout(() => void this.#attemptAgain(), RETRY_MS);
  }

  async #reopen(): Promise<void> {
    if (this.#isOver) return;
    const session = await this.#options.connect();
    try {
      await this.#takeAgain(session);
    } finally {
      if (this.#session !== session) void session.end().catch(() => undefined);
    }
  }

  async #takeAgain(session: Client): Promise<void> {
    await endGhost(session, this.#backend);
    const isTaken = await tryLock(session);
    if (!(await isMarked(session, this.#mark))) {
      this.#isOver = true;
      this.#options.watcher.lost();
      return;
    }
    // Without a mark of its own, the other process may be a command that looks only and leaves again.
    if (!isTaken || this.#isOver) return;
    await this.#hold(session);
    const outage = this.#outage;
    this.#outage = null;
    if (outage !== null) this.#options.watcher.ended(outage, Date.now());
  }
}

async function tryLock(session: Client): Promise<boolean> {
  const { rows } = await session
    .query<{ taken: boolean }>(`select pg_try_advisory_lock(${LOCK}) as taken`)
    .catch((error: unknown) => {
      throw told(error);
    });
  return rows[0]?.taken === true;
}

async function backendOf(session: Client): Promise<readonly [number, string]> {
  const { rows } = await session.query<{ pid: number; started: string }>(
    'select pid, backend_start::text as started from pg_stat_activity where pid = pg_backend_pid()',
  );
  return [rows[0]?.pid ?? 0, rows[0]?.started ?? ''];
}

/** Behind a silent network the former session lives on in PostgreSQL, with the lock. */
async function endGhost(
  session: Client,
  backend: readonly [pid: number, startedAt: string] | null,
): Promise<void> {
  if (backend === null) return;
  await session.query(
    'select pg_terminate_backend(pid, $3) from pg_stat_activity where pid = $1 and backend_start::text = $2',
    [...backend, GHOST_MS],
  );
}

/** A refused statement means that the table is gone, and the mark with it. */
async function isMarked(session: Client, mark: Mark | null): Promise<boolean> {
  if (mark === null) return true;
  try {
    const { rows } = await session.query<{ value: string }>(mark.sql);
    return rows[0]?.value === mark.value;
  } catch (error) {
    const reason = told(error);
    if (reason instanceof StoreUnavailable) throw reason;
    return false;
  }
}
