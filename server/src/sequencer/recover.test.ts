import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Command,
  DEFAULT_PARAMETERS,
  encodeCommand,
  type MarketId,
  type Outcome,
  stateHash,
} from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command, drawFrom, openMarket } from '../../test/faults/workload.ts';
import { ManualClock } from '../adapters/memory/clock.ts';
import { MemoryJournal, MemoryStore } from '../adapters/memory/journal.ts';
import { JournalCorrupt, type JournalRecord } from '../ports/journal.ts';
import { Lane } from './lane.ts';
import { openRecord, sealRecord } from './record.ts';
import { RecoveryRefused, type RecoverySource, recover, replayAfter } from './recover.ts';
import { type BadSnapshot, SnapshotStore } from './snapshots.ts';
import { verify } from './verify.ts';

const START_MS = 1_700_000_000_000;

describe('recovery', () => {
  let directory: string;
  let store: MemoryStore;
  let snapshots: SnapshotStore;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'sibyl-recover-'));
    store = new MemoryStore();
    snapshots = new SnapshotStore(path.join(directory, 'snapshots'));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const source = (changes: Partial<RecoverySource> = {}): RecoverySource => ({
    lane: 'live',
    parameters: DEFAULT_PARAMETERS,
    journal: new MemoryJournal(store),
    snapshots,
    ...changes,
  });

  /** One life of a lane: so many commands, then a clean end, which leaves a snapshot. */
  async function live(commands: number, life: number): Promise<string> {
    const lane = await Lane.open({
      name: 'live',
      clock: new ManualClock(START_MS + life * 1000),
      ...source(),
    });
    const marketId: MarketId = await openMarket(
      async (submission) => (await lane.submit(submission)).answer,
    );
    const draw = drawFrom(life);
    await Promise.all(
      Array.from({ length: commands }, (_, index) =>
        lane.submit(command(draw, `${life}-${index}`, marketId)),
      ),
    );
    const hash = await lane.read(stateHash);
    await lane.close();
    return hash;
  }

  function alter(seq: number, change: (record: JournalRecord) => JournalRecord): void {
    store.records[seq - 1] = change(store.records[seq - 1]!);
  }

  function flip(file: string, offset: number): void {
    const bytes = readFileSync(file);
    bytes[offset] = bytes[offset]! ^ 1;
    writeFileSync(file, bytes);
  }

  it('[P3] from every snapshot, and from none, the state is the same', async () => {
    const hash = await live(60, 1);
    const tail = await live(40, 2);
    expect(tail).not.toBe(hash);
    expect(snapshots.list()).toHaveLength(3);
    for (const seq of snapshots.list()) {
      const { state, snapshotSeq } = await recover(source());
      expect(stateHash(state)).toBe(tail);
      expect(snapshotSeq).toBe(seq);
      rmSync(path.join(snapshots.directory, `snap-${seq}`));
    }
    const { state, snapshotSeq } = await recover(source());
    expect(snapshotSeq).toBe(0);
    expect(stateHash(state)).toBe(tail);
  });

  it('[P5] a damaged snapshot is passed over for an older one, wherever the damage is', async () => {
    await live(30, 1);
    const hash = await live(30, 2);
    const newest = path.join(snapshots.directory, `snap-${snapshots.list()[0]}`);
    const whole = readFileSync(newest);
    for (const offset of [0, 17, 40, 120, whole.length >> 1, whole.length - 2, whole.length - 70]) {
      flip(newest, offset);
      const bad: BadSnapshot[] = [];
      const { state } = await recover(source(), { passedOver: (one) => bad.push(one) });
      expect(bad.map(({ file }) => file)).toEqual([path.basename(newest)]);
      expect(stateHash(state)).toBe(hash);
      writeFileSync(newest, whole);
    }
    writeFileSync(newest, whole.subarray(0, whole.length - 100));
    expect(stateHash((await recover(source())).state)).toBe(hash);
  });

  it('[P5] refuses a journal that ends before a snapshot', async () => {
    await live(30, 1);
    store.records.pop();
    await expect(recover(source())).rejects.toThrow(RecoveryRefused);
    await expect(recover(source())).rejects.toThrow(/the end of the journal is missing/);
  });

  it('[P5] refuses a snapshot of another journal', async () => {
    await live(30, 1);
    const seq = snapshots.list()[0]!;
    const other = path.join(directory, 'other');
    mkdirSync(other);
    copyFileSync(path.join(snapshots.directory, `snap-${seq}`), path.join(other, `snap-${seq}`));
    store = new MemoryStore();
    snapshots = new SnapshotStore(path.join(directory, 'fresh'));
    await live(31, 9);
    await expect(recover(source({ snapshots: new SnapshotStore(other) }))).rejects.toThrow(
      /another journal/,
    );
  });

  it('[P5] refuses a gap, a swap, an altered field and an altered hash, naming the record', async () => {
    await live(30, 1);
    const none = source({ snapshots: null });
    const records = [...store.records];
    const cases: [string, () => void, RegExp][] = [
      ['gap', () => store.records.splice(4, 1), /record 5 is missing: 6 follows 4/],
      ['swap', () => store.records.splice(4, 2, records[5]!, records[4]!), /record 5 is missing/],
      [
        'prevHash',
        () => alter(6, (r) => ({ ...r, prevHash: records[0]!.hash })),
        /record 6 does not follow/,
      ],
      ['hash', () => alter(6, (r) => ({ ...r, hash: records[0]!.hash })), /record 6 was altered/],
      [
        'body',
        () => alter(7, (r) => ({ ...r, body: r.body.replace('1', '2') })),
        /record 7 was altered/,
      ],
      ['epoch', () => alter(7, (r) => ({ ...r, epoch: 2 })), /record 7 was altered/],
      ['tsMs', () => alter(7, (r) => ({ ...r, tsMs: r.tsMs + 1 })), /record 7 was altered/],
      ['type', () => alter(7, (r) => ({ ...r, type: 'tick' })), /record 7 was altered/],
      ['ver', () => alter(7, (r) => ({ ...r, ver: 2 })), /record 7 was altered/],
      ['actor', () => alter(7, (r) => ({ ...r, actor: 'x' })), /record 7 was altered/],
      ['requestId', () => alter(7, (r) => ({ ...r, requestId: 'x' })), /record 7 was altered/],
      [
        'outcomeHash',
        () => alter(7, (r) => ({ ...r, outcomeHash: records[0]!.hash })),
        /record 7 was altered/,
      ],
    ];
    for (const [, damage, message] of cases) {
      damage();
      await expect(recover(none)).rejects.toThrow(JournalCorrupt);
      await expect(verify(none)).rejects.toThrow(message);
      store.records.splice(0, store.records.length, ...records);
    }
    expect((await verify(none)).seq).toBe(records.length);
  });

  it('[P3] refuses a record that is sealed well but whose outcome a replay does not come to', async () => {
    await live(30, 1);
    const last = store.records.pop()!;
    const { seq, atMs } = openRecord(last);
    const forged: Outcome = {
      seq,
      atMs,
      events: [],
      answer: { ok: true, result: { kind: 'done' } },
      replayed: true,
    };
    store.records.push(sealRecord(openRecord(last), forged, last.prevHash, last));
    await expect(verify(source({ snapshots: null }))).rejects.toThrow(
      `record ${seq}: the replay came to another outcome than was journaled`,
    );
  });

  it('[P5] refuses what it does not know: a type, a version, a body that is another command', async () => {
    await live(5, 1);
    const last = store.records.pop()!;
    const command = openRecord(last);
    const outcome: Outcome = {
      seq: 0,
      atMs: 0,
      events: [],
      answer: { ok: true, result: { kind: 'done' } },
      replayed: false,
    };
    const refusal = async (changes: object, message: RegExp) => {
      const sealed = sealRecord(
        { ...command, ...changes } as Command,
        outcome,
        last.prevHash,
        last,
      );
      expect(() => openRecord(sealed)).toThrow(message);
      store.records.push(sealed);
      await expect(recover(source({ snapshots: null }))).rejects.toThrow(JournalCorrupt);
      store.records.pop();
    };
    await refusal({ type: 'teleport' }, /unknown type teleport/);
    await refusal({ type: 'constructor' }, /unknown type constructor/);
    expect(() => openRecord({ ...last, ver: 3 })).toThrow(
      /version 3; this program knows versions 1 and 2/,
    );
    const spelledOut = { ...last, ver: 1, body: encodeCommand(command) };
    expect(openRecord(spelledOut)).toEqual(command);
    expect(() => openRecord({ ...spelledOut, seq: last.seq + 1 })).toThrow(/not its own/);
  });

  it('[P3] other parameters make another journal: refused when the first snapshot is gone', async () => {
    const hash = await live(10, 1);
    const parameters = { ...DEFAULT_PARAMETERS, chunkMax: DEFAULT_PARAMETERS.chunkMax + 1 };
    expect(stateHash((await recover(source({ parameters }))).state)).toBe(hash);
    for (const file of readdirSync(snapshots.directory))
      rmSync(path.join(snapshots.directory, file));
    await expect(recover(source({ parameters }))).rejects.toThrow(/began with other parameters/);
    expect(stateHash((await recover(source())).state)).toBe(hash);
  });

  it('[P3] keeps the first snapshot and the three newest', async () => {
    for (let life = 1; life <= 6; life++) await live(3, life);
    const kept = snapshots.list();
    expect(kept).toHaveLength(4);
    expect(kept.at(-1)).toBe(0);
    expect(kept[0]).toBe(store.records.length);
    expect((await verify(source())).snapshots).toEqual([...kept].reverse().slice(1));
  });

  it('[P3] replays for a projection from any place, across snapshots', async () => {
    await live(30, 1);
    await live(30, 2);
    for (const after of [0, 1, 37, 41, store.records.length]) {
      const seen: number[] = [];
      for await (const batch of replayAfter(source(), after)) {
        for (const { command: replayed, hash } of batch) {
          seen.push(replayed.seq);
          expect(hash).toBe(store.records[replayed.seq - 1]!.hash);
        }
      }
      expect(seen).toEqual(store.records.slice(after).map(({ seq }) => seq));
    }
  });

  it('[P3] a snapshot is made in the background, from a replay, while the lane goes on', async () => {
    const saved: string[] = [];
    const lane = await Lane.open({
      name: 'live',
      clock: new ManualClock(START_MS),
      limits: { snapshotEvery: 100 },
      notify: ({ message }) => saved.push(message),
      ...source(),
    });
    const marketId = await openMarket(async (submission) => (await lane.submit(submission)).answer);
    const draw = drawFrom(1);
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => lane.submit(command(draw, `${index}`, marketId))),
    );
    while (!saved.some((message) => message.startsWith('snapshot'))) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const [seq] = snapshots.list();
    expect(seq).toBeGreaterThanOrEqual(100);
    await lane.close();
    expect((await verify(source())).snapshots).toContain(seq);
  });

  it('[P3] a lane whose replay comes to something else is stopped by its snapshot', async () => {
    const lane = await Lane.open({
      name: 'live',
      clock: new ManualClock(START_MS),
      limits: { snapshotEvery: 50 },
      ...source(),
    });
    const marketId = await openMarket(async (submission) => (await lane.submit(submission)).answer);
    alter(3, (record) => ({ ...record, outcomeHash: '0'.repeat(64) }));
    const draw = drawFrom(1);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => lane.submit(command(draw, `${index}`, marketId))),
    );
    while (lane.status().state !== 'stopped')
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(lane.status().reason).toMatch(/a replay of the journal fails after 2/);
    await lane.close();
  });
});
