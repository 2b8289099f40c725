// Brings a SQLite file to the newest schema by numbered files that never change once applied.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { EarlierBuild } from './earlier-build.ts';
import { lookIfPossible } from './look-into.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly digest: string;
}

interface Applied {
  readonly number: number;
  readonly name: string;
  readonly digest: string;
}

/** Runs in one transaction, so a failed migration changes nothing. Refuses a file of an earlier build or a newer program. */
export function migrate(database: Database, folder: string): void {
  const known = readMigrations(folder);
  const run = database.transaction(() => {
    database.exec(
      'CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL) STRICT',
    );
    const applied = database
      .prepare<[], Applied>('SELECT number, name, digest FROM migration ORDER BY number')
      .all();
    for (const [index, old] of applied.entries()) checkUnchanged(database, old, known[index]);
    const record = database.prepare(
      'INSERT INTO migration (number, name, digest) VALUES (?, ?, ?)',
    );
    for (const { number, name, sql, digest } of known.slice(applied.length)) {
      database.exec(sql);
      record.run(number, name, digest);
    }
  });
  run.immediate();
}

/** Throws EarlierBuild if the file has another baseline. Looks only, so that the build that wrote the file still finds it as it was. */
export function requireBaseline(file: string, folder: string): void {
  const first = lookIfPossible(file, (database) =>
    database
      .prepare<[], Applied>('SELECT number, name, digest FROM migration WHERE number = 1')
      .get(),
  );
  const [baseline] = readMigrations(folder);
  if (first && !isSame(first, baseline)) throw new EarlierBuild(path.basename(file));
}

function readMigrations(folder: string): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, index) => {
    const number = Number(name.slice(0, 4));
    if (number !== index + 1)
      throw new Error(`${name}: migrations are numbered 0001, 0002, … without gaps`);
    const sql = readFileSync(path.join(folder, name), 'utf8');
    return { number, name, sql, digest: createHash('sha256').update(sql).digest('hex') };
  });
}

function checkUnchanged(database: Database, old: Applied, known: Migration | undefined): void {
  // Until the first release the baseline itself changes.
  if (old.number === 1 && !isSame(old, known)) throw new EarlierBuild(path.basename(database.name));
  if (known === undefined) {
    throw new Error(`the file was written by a newer program: it has migration ${old.name}`);
  }
  if (!isSame(old, known)) {
    throw new Error(`migration ${old.name} was changed after it had been applied`);
  }
}

function isSame(old: Applied, known: Migration | undefined): boolean {
  return known?.name === old.name && known.digest === old.digest;
}
