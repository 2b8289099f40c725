// Opens one store on a thread of its own, does what the plan says, tells what is durable, and ends as the plan says.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { AnyDatabase, StoreSchema } from '../../src/adapters/sql/dialect.ts';
import { SqliteFile } from '../../src/adapters/sql/sqlite-file.ts';
import type { StoreEnd, StorePlan, StoreWord } from './store-ends.ts';

/** What is written goes to the log; a store moves its log after 1,000 pages. */
const SMALL_BYTES = 700;
const LARGE_BYTES = 5 << 20;
const JOURNAL_LOG_PAGES = 20;

interface Rows {
  readonly row: { readonly id?: number; readonly text: string };
}

interface OpenStore {
  /** Entries that are there, without a gap. */
  readonly count: number;
  add(bytes: number, isQuick: boolean): Promise<number>;
  addNothing(): Promise<void>;
  close(): Promise<void>;
}

const schema: StoreSchema = {
  name: 'platform',
  tables: [],
  create: async (_dialect, db: AnyDatabase) => {
    await sql`create table row (id integer primary key, text text not null) strict`.execute(db);
  },
};

async function openRows(folder: string, warn: (message: string) => void): Promise<OpenStore> {
  const file = await SqliteFile.open<Rows>(path.join(folder, 'store.db'), schema, warn);
  const insert = (db: Kysely<Rows>, bytes: number) =>
    db.insertInto('row').values({ text: 'x'.repeat(bytes) });
  const { rows } = await sql<{ count: number; last: number }>`
    select count(*) as count, coalesce(max(id), 0) as last from row`.execute(file.reads);
  let { count, last } = rows[0]!;
  return {
    count: count === last ? count : -1,
    add: async (bytes, isQuick) => {
      const durability = isQuick ? 'quick' : 'synced';
      await file.write((tx) => insert(tx, bytes).execute(), durability);
      count += 1;
      return count;
    },
    addNothing: () => file.write(async () => undefined),
    close: () => file.close(),
  };
}

async function openChain(folder: string, warn: (message: string) => void): Promise<OpenStore> {
  const { DirectJournal, sealCommit } = await import('@sibyl/lane/testing');
  const file = path.join(folder, 'journal.db');
  const opened = { file, reserveBytes: 4096, checkpointPages: JOURNAL_LOG_PAGES };
  const journal = DirectJournal.open(opened);
  if (journal.warning !== null) warn(journal.warning);
  const epoch = await journal.lead();
  const { seq: count } = await journal.head();
  return {
    count,
    add: async (bytes) => {
      const head = await journal.head();
      const records = Buffer.alloc(Math.min(bytes, LARGE_BYTES / 16), 'x');
      const seq = head.seq + 1;
      await journal.append(sealCommit({ seq, epoch, tsMs: seq, records }, head), epoch);
      return seq;
    },
    addNothing: async () => undefined,
    close: () => journal.close(),
  };
}

function say(word: StoreWord): void {
  fs.writeSync(1, `${JSON.stringify(word)}\n`);
}

function endNow(by: StoreEnd['by']): void {
  if (by === 'kill') process.kill(process.pid, 'SIGKILL');
  // Of this thread: better-sqlite3 closes the file, and SQLite moves its log.
  else process.exit();
}

/** In place of the n-th call that writes or syncs a file of ours, the process ends. */
function endAtCall({ call, by }: StoreEnd): void {
  let left = call;
  for (const name of ['writeSync', 'fsyncSync', 'closeSync'] as const) {
    const real = fs[name] as (...given: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...given: unknown[]) => {
        if (left === 0) endNow(by);
        left -= 1;
        return real(...given);
      },
    });
  }
  syncBuiltinESMExports();
}

async function perform({ kind, folder, steps, end }: StorePlan): Promise<void> {
  if (end.during === 'opening') endAtCall(end);
  const warnings: string[] = [];
  const open = kind === 'rows' ? openRows : openChain;
  const store = await open(folder, (message) => warnings.push(message));
  say({ kind: 'open', count: store.count, warnings });
  for (const step of steps) {
    try {
      if (step === 'empty') await store.addNothing();
      else {
        const bytes = step === 'large' ? LARGE_BYTES : SMALL_BYTES;
        say({ kind: 'kept', count: await store.add(bytes, step === 'quick') });
      }
    } catch (error) {
      const { name, message } = error as Error;
      say({ kind: 'refused', name, message });
    }
  }
  if (end.during === 'work') endNow(end.by);
  if (end.during === 'closing') endAtCall(end);
  await store.close();
  say({ kind: 'closed' });
}

await perform(JSON.parse(process.argv[2]!));
