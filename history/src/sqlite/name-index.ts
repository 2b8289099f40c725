// Orders by the names that clients gave them. A row of an index for each order would cost more than the order itself in
// its page: the names of one flush are sorted into a run instead, and runs of like size are joined now and then.
import type { Database, Statement } from 'better-sqlite3';
import { NONE, type OwnedRows } from '../store/flat-rows.ts';

/** Runs of one tier are joined when there are so many; the next tier holds so many times as many entries. */
const RUNS_JOINED = 8;
/** From this tier on runs stay as they are: a quarter of a million entries or more. */
const TIER_LAST = 6;
const BLOCK_ENTRIES = 1024;

/** An entry is 64 bits in this machine's order: the hash of the name in the upper 24, the id of the order in the others. */
const ENTRY_BYTES = 8;
const ID_HIGH_BITS = 8;
const WORD = 2 ** 32;

interface Run {
  readonly run: number;
  readonly entries: number;
}

/** Adds names; the caller holds the transaction. */
export class NameWriter {
  readonly #runs: Statement<[], Run>;
  readonly #addRun: Statement<[number]>;
  readonly #addBlock: Statement<[number | bigint, number, Uint8Array]>;
  readonly #blocks: Statement<[number], Uint8Array>;
  readonly #dropRun: Statement<[number]>;
  readonly #dropBlocks: Statement<[number]>;

  constructor(database: Database) {
    this.#runs = database.prepare('SELECT run, entries FROM name_run ORDER BY run');
    this.#addRun = database.prepare('INSERT INTO name_run (entries) VALUES (?)');
    this.#addBlock = database.prepare('INSERT INTO name_block VALUES (?, ?, ?)');
    this.#blocks = database
      .prepare<[number], Uint8Array>('SELECT cells FROM name_block WHERE run = ?')
      .pluck();
    this.#dropRun = database.prepare('DELETE FROM name_run WHERE run = ?');
    this.#dropBlocks = database.prepare('DELETE FROM name_block WHERE run = ?');
  }

  /** The orders of one flush, whose texts are their names. */
  add(orders: OwnedRows): void {
    const entries = entriesOf(orders);
    if (entries.length === 0) return;
    this.#write(entries);
    for (let tier = tierOf(entries.length); tier < TIER_LAST; tier += 1) {
      const alike = this.#runs.all().filter((run) => tierOf(run.entries) === tier);
      if (alike.length >= RUNS_JOINED) this.#join(alike);
    }
  }

  #join(runs: readonly Run[]): void {
    const joined = new BigUint64Array(runs.reduce((sum, { entries }) => sum + entries, 0));
    const bytes = new Uint8Array(joined.buffer);
    let end = 0;
    for (const { run } of runs) {
      for (const cells of this.#blocks.all(run)) {
        bytes.set(cells, end);
        end += cells.length;
      }
      this.#dropBlocks.run(run);
      this.#dropRun.run(run);
    }
    this.#write(joined);
  }

  #write(entries: BigUint64Array<ArrayBuffer>): void {
    entries.sort();
    const { lastInsertRowid: run } = this.#addRun.run(entries.length);
    const words = new Uint32Array(entries.buffer);
    const bytes = new Uint8Array(entries.buffer);
    let from = 0;
    while (from < entries.length) {
      let to = Math.min(from + BLOCK_ENTRIES, entries.length);
      // Entries of one hash stay in one block, so that one block is all that a look-up needs of a run.
      while (to < entries.length && hashAt(words, to) === hashAt(words, to - 1)) to += 1;
      const cells = bytes.subarray(from * ENTRY_BYTES, to * ENTRY_BYTES);
      this.#addBlock.run(run, hashAt(words, from), cells);
      from = to;
    }
  }
}

/** Finds what was added. */
export class NameFinder {
  readonly #blocks: Statement<[number], Uint8Array>;

  constructor(database: Database) {
    this.#blocks = database
      .prepare<[number], Uint8Array>(
        `SELECT (SELECT cells FROM name_block b WHERE b.run = r.run AND b.least <= ?
           ORDER BY b.least DESC LIMIT 1) FROM name_run r`,
      )
      .pluck();
  }

  /** Orders that may have the name, newest first: names share hashes, so whoever asks must look at them. */
  find(account: number, name: string): readonly number[] {
    const bytes = Buffer.from(name);
    const hash = hashOf(account, bytes, 0, bytes.length);
    const ids: number[] = [];
    for (const cells of this.#blocks.all(hash)) {
      // A run whose names all have larger hashes has no such block.
      if (cells !== null) collect(wordsOf(cells), hash, ids);
    }
    return ids.sort((a, b) => b - a);
  }
}

function collect(words: Uint32Array, hash: number, ids: number[]): void {
  let low = 0;
  let high = words.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hashAt(words, middle) < hash) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < words.length / 2 && hashAt(words, at) === hash; at += 1) {
    ids.push((words[2 * at + 1]! & ((1 << ID_HIGH_BITS) - 1)) * WORD + words[2 * at]!);
  }
}

/** Bytes that the database gives may lie anywhere; words must not. */
function wordsOf(cells: Uint8Array): Uint32Array {
  return new Uint32Array(new Uint8Array(cells).buffer);
}

function entriesOf(orders: OwnedRows): BigUint64Array<ArrayBuffer> {
  const { width, length, owners, ownerCount, newest, previous, textStarts, textLengths } = orders;
  const ids = new Float64Array(orders.cells);
  const words = new Uint32Array(length * 2);
  let count = 0;
  for (let index = 0; index < ownerCount; index += 1) {
    const owner = owners[index]!;
    for (let row = newest[owner]!; row !== NONE; row = previous[row]!) {
      const size = textLengths[row]!;
      if (size === NONE) continue;
      const start = textStarts[row]!;
      const hash = hashOf(owner, orders.textBytes, start, start + size);
      const id = ids[row * width]!;
      words[count] = id % WORD;
      words[count + 1] = ((hash << ID_HIGH_BITS) | Math.floor(id / WORD)) >>> 0;
      count += 2;
    }
  }
  return new BigUint64Array(words.buffer.slice(0, (count / 2) * ENTRY_BYTES));
}

function hashAt(words: Uint32Array, entry: number): number {
  return words[2 * entry + 1]! >>> ID_HIGH_BITS;
}

/** FNV-1a with the bits mixed once more, of which 24 are taken. */
function hashOf(account: number, bytes: Uint8Array, from: number, to: number): number {
  const prime = 0x01000193;
  let hash = Math.imul(0x811c9dc5 ^ account, prime);
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ bytes[at]!, prime);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> ID_HIGH_BITS;
}

function tierOf(entries: number): number {
  return Math.floor(Math.log2(entries) / Math.log2(RUNS_JOINED));
}
