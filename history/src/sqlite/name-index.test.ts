import path from 'node:path';
import { migrate } from '@sibyl/storage';
import type { Database } from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { RowTable } from '../projector/row-table.ts';
import type { OwnedRows } from '../store/flat-rows.ts';
import { NameFinder, NameWriter } from './name-index.ts';
import { openReadFile } from './read-file.ts';

const ACCOUNTS = 3;
const MIGRATIONS = path.join(import.meta.dirname, '../../migrations');

/** Orders from one id to another, each account in turn; every fifth has no name. */
function flushOf(fromId: number, count: number, idOffset = 0): OwnedRows {
  const table = new RowTable('order', { width: 1, amounts: [] });
  for (let id = fromId; id < fromId + count; id += 1) {
    const row = table.add(id % ACCOUNTS, id + idOffset);
    if (id % 5 !== 0) table.setText(row, `näme-${id}`);
  }
  return table.rows();
}

describe('names of orders', () => {
  let database: Database;
  let writer: NameWriter;
  let finder: NameFinder;

  beforeEach(() => {
    database = openReadFile(':memory:');
    migrate(database, MIGRATIONS);
    writer = new NameWriter(database);
    finder = new NameFinder(database);
  });

  const runs = (): number =>
    Number(database.prepare('SELECT count(*) FROM name_run').pluck().get());

  it('[MM1] every name is found whatever runs it went through, and those without one are not there', () => {
    let next = 1;
    for (let flush = 0; flush < 400; flush += 1) {
      const count = flush % 50 === 0 ? 1000 : 1 + (flush % 7);
      writer.add(flushOf(next, count));
      next += count;
    }
    let strangers = 0;
    for (let id = 1; id < next; id += 1) {
      const found = finder.find(id % ACCOUNTS, `näme-${id}`);
      if (id % 5 !== 0) expect(found).toContain(id);
      strangers += found.filter((other) => other !== id).length;
    }
    expect(next).toBeGreaterThan(8_000);
    // Hashes of 24 bits: of so many names hardly any two share one.
    expect(strangers).toBeLessThan(next / 100);
    expect(finder.find(1, 'nobody gave it')).toHaveLength(0);
  });

  it('[MM1] a look-up reads a few runs, however often history was flushed', () => {
    const many = [500, 4000].map((flushes) => {
      for (let flush = 0; flush < flushes; flush += 1) writer.add(flushOf(1 + flush * 2, 2));
      return runs();
    });
    // At most seven of each tier stay beside each other.
    for (const count of many) expect(count).toBeLessThanOrEqual(7 * 5);
  });

  it('[MM1] all orders of one name come newest first, also those with very large ids', () => {
    for (const offset of [0, 2 ** 32, 2 ** 35]) writer.add(flushOf(7, 1, offset));
    expect(finder.find(1, 'näme-7')).toEqual([2 ** 35 + 7, 2 ** 32 + 7, 7]);
    expect(finder.find(2, 'näme-7')).toEqual([]);
  });
});
