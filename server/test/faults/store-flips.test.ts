import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { ReadFiles } from '@sibyl/history';
import { SqliteReadStore, UnflushedRows } from '@sibyl/history/testing';
import { recover, SnapshotStore, verify } from '@sibyl/lane';
import { DirectJournal } from '@sibyl/lane/testing';
import { lookInto } from '@sibyl/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../../src/adapters/node/random.ts';
import { openSecrets } from '../../src/adapters/node/secrets.ts';
import { verifyStores } from '../../src/maintenance/verify-stores.ts';
import {
  openJournal,
  openOperators,
  openPlatform,
  openWebhooks,
} from '../../src/stores/open-stores.ts';
import { key, user } from '../ports/platform-suite.ts';
import { endpoint } from '../ports/webhooks-suite.ts';
import { type Flip, firstTaken, flip, flipsIn, flipsInPages, PAGE_BYTES } from './flip-regions.ts';
import { makeVictim } from './flips.ts';

const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
let parent: string;

beforeAll(() => {
  parent = mkdtempSync(path.join(memory, 'sibyl-store-flips-'));
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

function journalOf(folder: string): DirectJournal {
  return DirectJournal.open({ file: path.join(folder, 'journal.db'), reserveBytes: 4096 });
}

/** What a file holds, table by table. */
function contentOf(file: string): string {
  return lookInto(file, (database) => {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck()
      .all();
    return JSON.stringify(tables.map((name) => database.prepare(`SELECT * FROM "${name}"`).all()));
  });
}

describe('flipped bits in the journal', () => {
  let folder: string;
  let expected: Awaited<ReturnType<typeof makeVictim>>;

  beforeAll(async () => {
    folder = path.join(parent, 'journal');
    expected = await makeVictim(folder, 'closed');
  });

  it('[DB1] are refused in every region of the file, of its sums and of its witness', async () => {
    const file = path.join(folder, 'journal.db');
    const pages = flipsInPages(file);
    expect(pages.length).toBeGreaterThan(150);
    expect(await firstTaken(pages, () => journalOf(folder))).toBeNull();
    for (const beside of [`${file}-sums`, `${file}-head`]) {
      expect(await firstTaken(flipsIn(beside, 60), () => journalOf(folder))).toBeNull();
    }
  });

  it('[DB2] are told with the page and the record', async () => {
    const file = path.join(folder, 'journal.db');
    const told = async (one: Flip): Promise<string> => {
      flip(one);
      const error = await openJournal(folder).then(
        () => 'opened',
        (failed: Error) => `${failed.name}: ${failed.message}`,
      );
      flip(one);
      return error;
    };
    const rows = lookInto(file, (database) => ({
      leaf: database
        .prepare<[], number>("SELECT max(pageno) FROM dbstat WHERE name = 'batch' AND ncell > 0")
        .pluck()
        .get(),
      schema: 1,
    }));
    const record = await told({ file, offset: rows.leaf! * PAGE_BYTES - 5, bit: 2 });
    expect(record).toMatch(
      new RegExp(
        `^JournalCorrupt: journal/journal\\.db is damaged: page ${rows.leaf} \\(batch\\) not as written; .*record`,
      ),
    );
    expect(record).toMatch(/records? \d+( to \d+)? .*; records up to \d+ are whole$/);
    // The file's version number, which no record hangs on.
    expect(await told({ file, offset: 60, bit: 0 })).toMatch(
      new RegExp(`page 1 .*; its records up to ${expected.seq} are whole$`),
    );
  });

  it('[DB1] in the log lose nothing: the start is refused or comes to the very same state', async () => {
    const crashed = path.join(parent, 'crashed');
    const whole = await makeVictim(crashed, 'crashed');
    const log = flipsIn(path.join(crashed, 'journal.db-wal'), 40);
    const outcomes = { refused: 0, same: 0 };
    for (const { file, offset, bit } of log) {
      const copy = path.join(parent, 'copy');
      cpSync(crashed, copy, { recursive: true });
      flip({ file: path.join(copy, path.basename(file)), offset, bit });
      const found = await startedIn(copy);
      rmSync(copy, { recursive: true });
      if (found === null) outcomes.refused += 1;
      else outcomes.same += 1;
      expect([offset, found ?? whole.headHash]).toEqual([offset, whole.headHash]);
    }
    expect(outcomes.refused).toBeGreaterThan(0);
  });

  it('[DB3] in snapshots are passed over by a start and told by a verification', async () => {
    const copy = path.join(parent, 'snapshots-flipped');
    cpSync(folder, copy, { recursive: true });
    const store = new SnapshotStore(path.join(copy, 'snapshots'));
    for (const seq of store.list()) {
      const file = path.join(store.directory, `snap-${seq}`);
      for (const one of flipsIn(file, 40)) {
        flip(one);
        expect('reason' in store.examine(seq)).toBe(true);
        flip(one);
      }
    }
    const newest = store.list()[0]!;
    flip({ file: path.join(store.directory, `snap-${newest}`), offset: 400, bit: 1 });
    expect(await startedIn(copy)).toBe(expected.headHash);
    const journal = journalOf(copy);
    const source = { lane: 'live', parameters: DEFAULT_PARAMETERS, journal } as const;
    const { damaged } = await verify({ ...source, snapshots: store });
    await journal.close();
    expect(damaged).toEqual([
      { file: `snap-${newest}`, reason: expect.stringContaining('digest') },
    ]);
  });

  /** The hash of the head that a start comes to, or null where it is refused. */
  async function startedIn(directory: string): Promise<string | null> {
    let journal: DirectJournal;
    try {
      journal = journalOf(directory);
    } catch {
      return null;
    }
    try {
      const snapshots = new SnapshotStore(path.join(directory, 'snapshots'));
      const source = { lane: 'live', parameters: DEFAULT_PARAMETERS, journal, snapshots } as const;
      const { link } = await recover(source);
      return link.hash;
    } catch {
      return null;
    } finally {
      await journal.close();
    }
  }
});

describe.each([
  { name: 'platform', open: openPlatform, fill: fillPlatform },
  { name: 'webhooks', open: openWebhooks, fill: fillWebhooks },
] as const)('flipped bits in the store of $name', ({ name, open, fill }) => {
  it('[DB4] are refused wherever they are, also in free pages, and the table is told', async () => {
    const folder = mkdtempSync(path.join(parent, `${name}-`));
    const store = await fill(folder);
    await store.close();
    const file = path.join(folder, `${name}.db`);
    const freePages = lookInto(file, (database) =>
      database.pragma('freelist_count', { simple: true }),
    );
    expect(freePages).toBeGreaterThan(0);
    expect(await firstTaken(flipsInPages(file), () => open(folder))).toBeNull();
    expect(await firstTaken(flipsIn(`${file}-sums`, 40), () => open(folder))).toBeNull();
    const page = lookInto(file, (database) =>
      database
        .prepare<[string], number>('SELECT max(pageno) FROM dbstat WHERE name = ?')
        .pluck()
        .get(name === 'platform' ? 'keys' : 'endpoints'),
    );
    flip({ file, offset: page! * PAGE_BYTES - 9, bit: 4 });
    // Users without operators, webhooks or secrets would be refused for that.
    openSecrets(folder, systemRandom);
    await (await openOperators(folder)).close();
    if (name === 'platform') await (await openWebhooks(folder)).close();
    await expect(verifyStores(folder)).rejects.toThrow(
      `${name}.db is damaged: page ${page} (${name === 'platform' ? 'keys' : 'endpoints'}) not as written`,
    );
  });

  it('[DB5] in the log of a crash lose nothing that was durable', async () => {
    const folder = mkdtempSync(path.join(parent, `${name}-crashed-`));
    const store = await fill(folder);
    const crashed = `${folder}-copy`;
    cpSync(folder, crashed, { recursive: true });
    await store.close();
    const file = path.join(crashed, `${name}.db`);
    const expected = contentOf(file);
    let refused = 0;
    for (const { offset, bit } of flipsIn(`${file}-wal`, 40)) {
      const copy = `${folder}-flipped`;
      cpSync(crashed, copy, { recursive: true });
      flip({ file: path.join(copy, `${name}.db-wal`), offset, bit });
      let found: string;
      try {
        const opened = await open(copy);
        await opened.close();
        found = contentOf(path.join(copy, `${name}.db`));
      } catch {
        refused += 1;
        found = expected;
      }
      rmSync(copy, { recursive: true });
      expect([offset, found === expected]).toEqual([offset, true]);
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** The store is left open: whoever copies its folder has what a kill would leave. */
async function fillPlatform(folder: string): ReturnType<typeof openPlatform> {
  const store = await openPlatform(folder);
  for (let index = 0; index < 30; index += 1) {
    await store.addUser(user(`${index}`));
    await store.addKey(key(`${index}`));
    await store.saveAnswer({
      scope: 'x',
      key: `${index}`,
      bodyHash: 'h',
      answer: 'a'.repeat(900),
      atMs: 1,
    });
  }
  await store.prune(2);
  await store.revokeKey(key('1').publicId, 5);
  return store;
}

async function fillWebhooks(folder: string): ReturnType<typeof openWebhooks> {
  const store = await openWebhooks(folder);
  for (let index = 0; index < 20; index += 1) {
    const url = `https://example.com/${'x'.repeat(900)}/${index}`;
    await store.addEndpoint({ ...endpoint(`wh_${index}`), url });
  }
  for (let index = 5; index < 20; index += 1) await store.removeEndpoint(`wh_${index}`);
  return store;
}

describe('flipped bits in the read model', () => {
  it('[DB6] throw it away: it is made anew, and never answers with them', async () => {
    const folder = mkdtempSync(path.join(parent, 'read-'));
    const file = path.join(folder, 'read-model.db');
    const store = new SqliteReadStore(file);
    for (let index = 0; index < 400; index += 1) store.numbering('account')(`acc_${index}`);
    const unflushed = new UnflushedRows();
    unflushed.seq = 7;
    await store.write(unflushed.batch(), () => {});
    await store.close();
    const flips = flipsInPages(file, 8192).filter((_, index) => index % 4 === 0);
    expect(flips.length).toBeGreaterThan(25);
    expect(await firstTaken(flips, () => new SqliteReadStore(file))).toBeNull();
    const whole = new ReadFiles(folder).current();
    expect(await whole.cursor()).toBe(7);
    await whole.close();
    flip(flips[10]!);
    const anew = new ReadFiles(folder).current();
    expect(await anew.cursor()).toBe(0);
    expect(anew.find('account', 'acc_3')).toBeNull();
    await anew.close();
  });
});
