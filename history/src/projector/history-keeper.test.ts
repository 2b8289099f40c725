import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { Lane } from '@sibyl/lane';
import { ManualClock, MemoryJournal } from '@sibyl/lane/testing';
import SqliteDatabase from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nameOf, RandomRun } from '../../../lane/test/random-run.ts';
import { ReadFiles } from '../sqlite/read-files.ts';
import { HistoryKeeper } from './history-keeper.ts';

const MINUTE_MS = 60_000;
const PAGE_BYTES = 8192;
let folder: string;
let clock: ManualClock;
let lane: Lane;
let notes: string[];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'keeper-'));
  notes = [];
  const run = new RandomRun(21);
  run.play(1200);
  clock = new ManualClock(run.committed[0]!.command.atMs);
  lane = await Lane.open({
    name: 'sandbox',
    parameters: DEFAULT_PARAMETERS,
    journal: new MemoryJournal(),
    snapshots: null,
    clock,
  });
  for (const { command } of run.committed) {
    const { seq: _seq, atMs, actor, key: _key, ...body } = command;
    clock.advance(Math.max(0, atMs - clock.wallMs()));
    await lane.submit({ body, actor, requestId: 'run' });
  }
});

afterEach(async () => {
  await lane.close();
  rmSync(folder, { recursive: true });
});

async function openKeeper(headSeq = lane.status().durableSeq): Promise<HistoryKeeper> {
  const note = (message: string): void => void notes.push(message);
  const keeper = await HistoryKeeper.open({
    stores: new ReadFiles(folder),
    headSeq,
    clock,
    note,
  });
  keeper.follow(lane);
  return keeper;
}

/** Everything that accounts can see, as one text. */
async function shown({ history }: HistoryKeeper): Promise<string> {
  const seen: unknown[] = [];
  for (let who = 0; who < 6; who += 1) {
    const accountId = nameOf(who);
    const filter = { accountId, marketId: null, before: null };
    seen.push(await history.orders({ ...filter, status: null, clientOrderId: null }, 5000));
    seen.push(await history.fills(filter, 5000));
    seen.push(
      await history.statement({ ...filter, reason: null, fromMs: null, toMs: null }, 50_000),
    );
  }
  const always = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER };
  seen.push(await history.earnings.sums({ earner: 'builder:app_x', ...always }));
  return JSON.stringify(seen, (_name, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

async function ended(keeper: HistoryKeeper): Promise<HistoryKeeper['rebuild']> {
  while (keeper.rebuild?.state === 'running') await new Promise((done) => setImmediate(done));
  return keeper.rebuild;
}

function files(): readonly string[] {
  return readdirSync(folder).filter((file) => file.endsWith('.db'));
}

/** All but the first page, which says that it is a database, unless told otherwise. */
function damage(file: string, from = PAGE_BYTES, bytes = Number.MAX_SAFE_INTEGER): void {
  const name = path.join(folder, file);
  const length = Math.min(bytes, statSync(name).size - from);
  const handle = openSync(name, 'r+');
  writeSync(handle, Buffer.alloc(length, 0x5a), 0, length, from);
  closeSync(handle);
}

/** The rows are at the end of the file; what a start looks at is at its beginning. */
function damageRows(): void {
  const pages = statSync(path.join(folder, 'read-model.db')).size / PAGE_BYTES;
  damage('read-model.db', Math.floor((3 * pages) / 4) * PAGE_BYTES);
}

function renumberKeys(): void {
  const database = new SqliteDatabase(path.join(folder, 'read-model.db'));
  database.exec('UPDATE key_name SET number = number + 1000');
  database.close();
}

describe('[RM13] a rebuild while serving', () => {
  it('shows the same before, meanwhile and after, and the next start goes on with the new file', async () => {
    const keeper = await openKeeper();
    const expected = await shown(keeper);
    const old = keeper.history.projector;
    expect(keeper.begin('grace', 'a test')).toBe(true);
    expect(keeper.begin('grace', 'another')).toBe(false);
    expect(keeper.rebuild).toMatchObject({ state: 'running', actor: 'grace', reason: 'a test' });
    while (keeper.history.projector === old && keeper.rebuild?.state === 'running') {
      expect(await shown(keeper)).toBe(expected);
      await new Promise((done) => setImmediate(done));
    }
    const { durableSeq } = lane.status();
    expect(await ended(keeper)).toMatchObject({ state: 'done', seq: durableSeq, error: null });
    expect(keeper.history.projector).not.toBe(old);
    expect(await shown(keeper)).toBe(expected);
    expect([...files()].sort()).toEqual(['read-model-1.db', 'read-model.db']);
    clock.advance(MINUTE_MS);
    while (files().length > 1) await new Promise((done) => setImmediate(done));
    await keeper.close();
    const again = await openKeeper();
    expect(again.history.projector.seq).toBeGreaterThanOrEqual(durableSeq);
    expect(await shown(again)).toBe(expected);
    expect(files()).toEqual(['read-model-1.db']);
    await again.close();
  });

  it('that is cut off leaves the old one in its place', async () => {
    const keeper = await openKeeper();
    const expected = await shown(keeper);
    keeper.begin('grace', 'a test');
    await keeper.close();
    expect(keeper.rebuild).toMatchObject({ state: 'failed' });
    expect(files()).toEqual(['read-model.db']);
    const again = await openKeeper();
    expect(await shown(again)).toBe(expected);
    await again.close();
  });
});

describe('[RM14] history comes back by itself', () => {
  it('after a file that is no database, one of another journal, and one that is damaged', async () => {
    const first = await openKeeper();
    const expected = await shown(first);
    await first.close();
    damage('read-model.db', 0);
    const second = await openKeeper();
    expect(await shown(second)).toBe(expected);
    await second.close();
    damage('read-model.db');
    const third = await openKeeper();
    expect(await shown(third)).toBe(expected);
    await third.close();
    const fourth = await openKeeper(lane.status().durableSeq - 1);
    expect(notes.join()).toContain('ahead of the journal');
    expect(await shown(fourth)).toBe(expected);
    await fourth.close();
  });

  it.each([
    { what: 'pages of the database', harm: damageRows, shows: /malformed/ },
    { what: 'the rows in them', harm: renumberKeys, shows: /no name for/ },
  ])('when damage to $what shows only while it is read', async ({ harm, shows }) => {
    const first = await openKeeper();
    const expected = await shown(first);
    await first.close();
    harm();
    // Its sums would find that at the opening.
    rmSync(path.join(folder, 'read-model.db-sums'));
    const keeper = await openKeeper();
    expect(keeper.rebuild).toBeNull();
    await expect(shown(keeper)).rejects.toThrow(shows);
    expect(keeper.rebuild).toMatchObject({ state: 'running', actor: 'system' });
    expect(await ended(keeper)).toMatchObject({ state: 'done' });
    expect(await shown(keeper)).toBe(expected);
    expect(keeper.begin('grace', 'once more')).toBe(true);
    expect(await ended(keeper)).toMatchObject({ state: 'done' });
    await keeper.close();
  });
});
