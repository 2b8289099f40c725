// A SQLite file changed behind the back of the program, without the sums that would tell.
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';

export function alterDatabase(file: string, sql: string): void {
  const database = new Database(file);
  database.exec(sql);
  database.close();
  rmSync(`${file}-sums`, { force: true });
}
