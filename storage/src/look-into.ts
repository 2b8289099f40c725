// A look at a SQLite file that changes neither the file nor its log.
import { existsSync, rmSync } from 'node:fs';
import SqliteDatabase, { type Database, SqliteError } from 'better-sqlite3';

export function lookInto<T>(file: string, look: (database: Database) => T): T {
  const beside = [`${file}-shm`, `${file}-wal`].filter((name) => !existsSync(name));
  const database = new SqliteDatabase(file, { readonly: true, timeout: 0 });
  try {
    return look(database);
  } finally {
    // SQLite made them for this look. While it is open, no other process can take the file for itself and need them.
    if (process.platform !== 'win32') for (const made of beside) rmSync(made, { force: true });
    database.close();
  }
}

/** Null if there is no file, no such table, another process that has it open, or no database in it. */
export function lookIfPossible<T>(file: string, look: (database: Database) => T): T | null {
  if (!existsSync(file)) return null;
  try {
    return lookInto(file, look);
  } catch (error) {
    if (error instanceof SqliteError) return null;
    throw error;
  }
}
