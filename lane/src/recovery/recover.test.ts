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
import { alterText, bytesOf, recordOf } from '../../test/records.ts';
import { command, drawFrom, openMarket } from '../../test/workload.ts';
import { type ChainLink, sealCommit } from '../journal/chain.ts';
import { type JournalCommit, JournalCorrupt } from '../journal/journal.ts';
import { MemoryJournal, MemoryStore } from '../journal/memory-journal.ts';
import { RecordReader } from '../record/record.ts';
import { Lane } from '../sequencer/lane.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { type CopyEnd, copyRecords } from './copy-records.ts';
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

  /** One run of a lane: so many commands, then a clean end, which leaves a snapshot. */
  async function live(commands: number, run: number, batchMax = 16): Promise<string> {
    const lane = await Lane.open({
      name: 'live',
      clock: new ManualClock(START_MS + run * 1000),
      limits: { batchMax },
      ...source(),
    });
    const marketId: MarketId = await openMarket(
      async (submission) => (await lane.submit(submission)).answer,
    );
    const draw = drawFrom(run);
    await Promise.all(
      Array.from({ length: commands }, (_, index) =>
        lane.submit(command(draw, `${run}-${index}`, marketId)),
      ),
    );
    const hash = await lane.read(stateHash);
    await lane.close();
    return hash;
  }

  function alter(number: number, change: (commit: JournalCommit) => JournalCommit): void {
    store.commits[number - 1] = change(store.commits[number - 1]!);
  }

  const headSeq = (): number => store.commits.at(-1)?.seq ?? 0;

  function commandIn(commit: JournalCommit): Command {
    const reader = new RecordReader();
    reader.open(commit);
    reader.next();
    return reader.command();
  }

  function linkBefore(commit: JournalCommit): ChainLink {
    return { seq: commit.firstSeq - 1, hash: commit.prevHash, tsMs: 0, epoch: 0 };
  }

  function flip(file: string, offset: number): void {
    const bytes = readFileSync(file);
    bytes[offset] = bytes[offset]! ^ 1;
    writeFileSync(file, bytes);
  }

  it('[P3] whoever goes on from a state is told of all that came after it, and of next to nothing before', async () => {
    await live(60, 1, 1);
    const wantedAfter = 40;
    const seen: number[] = [];
    await recover(source({ snapshots: null }), {
      reached: (seq) => seq >= wantedAfter,
      replayed: (commands) => seen.push(...commands.map(({ command: { seq } }) => seq)),
    });
    const first = seen[0]!;
    expect([wantedAfter, wantedAfter + 1]).toContain(first);
    expect(seen).toEqual(
      Array.from({ length: headSeq() - first + 1 }, (_, index) => first + index),
    );
  });

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
      const { state } = await recover(source(), { skipped: (one) => bad.push(one) });
      expect(bad.map(({ file }) => file)).toEqual([path.basename(newest)]);
      expect(stateHash(state)).toBe(hash);
      writeFileSync(newest, whole);
    }
    writeFileSync(newest, whole.subarray(0, whole.length - 100));
    expect(stateHash((await recover(source())).state)).toBe(hash);
  });

  it('[DB11] a first snapshot that is lost or damaged is told, although a newer one serves', async () => {
    await live(30, 1);
    const hash = await live(30, 2);
    const first = path.join(snapshots.directory, 'snap-0');
    const whole = readFileSync(first);
    for (const spoil of [() => flip(first, 120), () => rmSync(first)]) {
      spoil();
      const bad: BadSnapshot[] = [];
      const { state } = await recover(source(), { skipped: (one) => bad.push(one) });
      expect(bad.map(({ file }) => file)).toEqual(['snap-0']);
      expect(bad[0]?.reason).toContain('it was made anew');
      expect(stateHash(state)).toBe(hash);
      expect(readFileSync(first)).toEqual(whole);
    }
  });

  it('[DB11] a first snapshot of other parameters is not made up', async () => {
    await live(30, 1);
    rmSync(path.join(snapshots.directory, 'snap-0'));
    const bad: BadSnapshot[] = [];
    const other = { ...DEFAULT_PARAMETERS, walkUnits: DEFAULT_PARAMETERS.walkUnits + 1 };
    await recover({ ...source(), parameters: other }, { skipped: (one) => bad.push(one) });
    expect(bad[0]?.reason).toContain('put that of an earlier backup in its place');
    expect(snapshots.list()).not.toContain(0);
  });

  it('[P5] refuses a journal that ends before a snapshot', async () => {
    await live(30, 1);
    store.commits.pop();
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
    await live(30, 1, 1);
    const none = source({ snapshots: null });
    const commits = [...store.commits];
    const cases: [string, () => void, RegExp][] = [
      ['gap', () => store.commits.splice(4, 1), /record 5 is missing: 6 follows 4/],
      ['swap', () => store.commits.splice(4, 2, commits[5]!, commits[4]!), /record 5 is missing/],
      [
        'prevHash',
        () => alter(6, (c) => ({ ...c, prevHash: commits[0]!.hash })),
        /record 6 does not follow/,
      ],
      ['hash', () => alter(6, (c) => ({ ...c, hash: commits[0]!.hash })), /record 6 was altered/],
      [
        'records',
        () =>
          alter(7, (c) => ({
            ...c,
            records: alterText(c.records, (text) => text.replace('1', '2')),
          })),
        /record 7 was altered/,
      ],
      ['epoch', () => alter(7, (c) => ({ ...c, epoch: 2 })), /record 7 was altered/],
      ['tsMs', () => alter(7, (c) => ({ ...c, tsMs: c.tsMs + 1 })), /record 7 was altered/],
      ['seq', () => alter(7, (c) => ({ ...c, seq: 8 })), /records 7 to 8 were altered/],
    ];
    for (const [, damage, message] of cases) {
      damage();
      await expect(recover(none)).rejects.toThrow(JournalCorrupt);
      await expect(verify(none)).rejects.toThrow(message);
      store.commits.splice(0, store.commits.length, ...commits);
    }
    expect((await verify(none)).seq).toBe(headSeq());
  });

  it('[P5] finds every single byte that is altered in a commit of many records', async () => {
    await live(30, 1, 16);
    const none = source({ snapshots: null });
    const at = store.commits.findIndex(({ firstSeq, seq }) => seq - firstSeq === 15);
    const whole = store.commits[at]!;
    const { records, firstSeq, seq } = whole;
    const message = `records ${firstSeq} to ${seq} were altered`;
    for (let index = 0; index < records.length; index += 7) {
      const altered = new Uint8Array(records);
      altered[index] = altered[index]! ^ 1;
      store.commits[at] = { ...whole, records: altered };
      await expect(recover(none)).rejects.toThrow(message);
    }
    store.commits[at] = whole;
    expect((await verify(none)).seq).toBe(headSeq());
  });

  it('[P5] refuses what is sealed well but out of place: times, epochs, counts, lengths', async () => {
    await live(30, 1, 16);
    const none = source({ snapshots: null });
    const last = store.commits.pop()!;
    const { seq, epoch, tsMs, records } = last;
    const refused = async (changes: object, message: RegExp): Promise<void> => {
      store.commits.push(sealCommit({ seq, epoch, tsMs, records, ...changes }, linkBefore(last)));
      await expect(recover(none)).rejects.toThrow(message);
      store.commits.pop();
    };
    const early = alterText(records, (text) =>
      text.replace(/^\d+/, (first) => `${Number(first) - 5000}`),
    );
    await refused({ records: early, tsMs: tsMs - 5000 }, /is earlier than the record before it/);
    await refused({ epoch: 0 }, /earlier epoch/);
    await refused({ tsMs: tsMs + 1 }, /not what was written/);
    await refused({ seq: seq + 1 }, /not what was written/);
    await refused({ records: records.slice(0, -1) }, /not what was written/);
    await refused({ records: alterText(records, (text) => `${text}1`) }, /not what was written/);
    store.commits.push(last);
    expect((await verify(none)).seq).toBe(seq);
  });

  it('[P3] refuses a record that is sealed well but whose outcome a replay does not come to', async () => {
    await live(30, 1, 1);
    const last = store.commits.pop()!;
    const command = commandIn(last);
    const { seq, atMs } = command;
    const forged: Outcome = {
      seq,
      atMs,
      events: [],
      answer: { ok: true, result: { kind: 'done' } },
      replayed: true,
    };
    const records = recordOf(command, forged);
    store.commits.push(sealCommit({ ...last, records }, linkBefore(last)));
    await expect(verify(source({ snapshots: null }))).rejects.toThrow(
      `record ${seq}: the replay came to another outcome than was journaled`,
    );
  });

  it('[P5] refuses what it does not know: a type, a version, a form, a body that is another command', async () => {
    await live(5, 1, 1);
    const last = store.commits.pop()!;
    const command = commandIn(last);
    const refused = async (form: string, body: string, message: RegExp): Promise<void> => {
      const records = bytesOf(`${last.tsMs} ${form} 5 1 1 ${body.length} acc_arx${body}\n`);
      store.commits.push(sealCommit({ ...last, records }, linkBefore(last)));
      await expect(recover(source({ snapshots: null }))).rejects.toThrow(JournalCorrupt);
      await expect(recover(source({ snapshots: null }))).rejects.toThrow(message);
      store.commits.pop();
    };
    const body = encodeCommand(command);
    await refused('teleport@1', body, /unknown type teleport/);
    await refused('constructor@1', body, /unknown type constructor/);
    await refused(`${command.type}@2`, body, /version 2; this program knows version 1/);
    await refused('tick@1', body, /not its own/);
    await refused(`${command.type}@1`, encodeCommand({ ...command, seq: 1 }), /not its own/);
    await refused('x', '0 ', /unknown form x/);
    await refused('c', '0 77 7', /not what was written/);
    await refused('p', '0 256 1 1 1 my', /traits 256/);
    await refused('p', '0 0 1 1 x my', /not what was written/);
  });

  it('[P3] a copy may end at any record or time, also inside a commit, and verifies', async () => {
    await live(30, 1, 16);
    await live(30, 2, 16);
    const from = new MemoryJournal(store);
    const copies = async (end: CopyEnd): Promise<MemoryStore> => {
      const copy = new MemoryStore();
      const copied = await copyRecords(from, new MemoryJournal(copy), end, () => {});
      const journal = new MemoryJournal(copy);
      const verified = await verify(source({ journal, snapshots: null }));
      const head = await journal.head();
      expect(copied).toEqual({ seq: head.seq, headHash: head.hash });
      expect(verified.seq).toBe(head.seq);
      return copy;
    };
    for (const { firstSeq, seq } of store.commits) {
      for (const end of [firstSeq, Math.floor((firstSeq + seq) / 2), seq]) {
        const copy = await copies({ seq: end });
        expect(copy.commits.at(-1)!.seq).toBe(end);
        const whole = store.commits.filter((commit) => commit.seq <= end);
        expect(copy.commits.slice(0, whole.length)).toEqual(whole);
        expect(copy.commits.length - whole.length).toBe(seq === end ? 0 : 1);
      }
    }
    const firstRun = store.commits.filter(({ epoch }) => epoch === 1);
    const { tsMs } = firstRun.at(-1)!;
    expect((await copies({ atMs: tsMs })).commits).toEqual(firstRun);
    expect((await copies({ atMs: tsMs - 1 })).commits).toEqual([]);
    expect((await copies({})).commits).toEqual(store.commits);
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
    for (let run = 1; run <= 6; run++) await live(3, run);
    const kept = snapshots.list();
    expect(kept).toHaveLength(4);
    expect(kept.at(-1)).toBe(0);
    expect(kept[0]).toBe(headSeq());
    expect((await verify(source())).snapshots).toEqual([...kept].reverse().slice(1));
  });

  it('[P3] replays for a projection from any place, across snapshots', async () => {
    await live(30, 1);
    await live(30, 2);
    for (const after of [0, 1, 37, 41, headSeq()]) {
      const seen: number[] = [];
      for await (const batch of replayAfter(source(), after)) {
        for (const { command: replayed, hash } of batch) {
          seen.push(replayed.seq);
          expect(hash).toBe(store.commits.find(({ seq }) => seq >= replayed.seq)!.hash);
        }
      }
      expect(seen).toEqual(
        Array.from({ length: headSeq() - after }, (_, index) => after + 1 + index),
      );
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
    alter(3, (commit) => ({ ...commit, hash: '0'.repeat(64) }));
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
