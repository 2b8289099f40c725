// The tables of the request log, made anew where there are none.
import { ownFile } from '@sibyl/storage';
import SqliteDatabase, { type Database } from 'better-sqlite3';

export const PAGE_BYTES = 8_192;
const CACHE_KIB = 4_096;
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE request (
    position INTEGER PRIMARY KEY,
    holder TEXT NOT NULL,
    lane TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    operation TEXT NOT NULL,
    status INTEGER NOT NULL,
    code TEXT NOT NULL,
    latency_us INTEGER NOT NULL,
    credential TEXT NOT NULL,
    is_withheld INTEGER NOT NULL,
    body_bytes INTEGER NOT NULL,
    answer_bytes INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body TEXT,
    answer TEXT
  ) STRICT;
  CREATE INDEX request_of_holder ON request (holder, position);
  CREATE TABLE tally (
    holder TEXT NOT NULL,
    lane TEXT NOT NULL,
    hour INTEGER NOT NULL,
    code TEXT NOT NULL,
    count INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    PRIMARY KEY (holder, hour, lane, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE dropped (
    holder TEXT NOT NULL,
    hour INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (holder, hour)
  ) STRICT, WITHOUT ROWID;
`;

/** No commit waits for the disk: what a power cut takes is not missed. Throws where there are tables of another version. */
export function openRequestDatabase(file: string): Database {
  ownFile(file);
  const database = new SqliteDatabase(file);
  try {
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = OFF');
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const version = Number(database.pragma('user_version', { simple: true }));
    if (version !== VERSION) {
      // Another version fails here: its tables are there already.
      database.exec(SCHEMA);
      database.pragma(`user_version = ${VERSION}`);
    }
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
