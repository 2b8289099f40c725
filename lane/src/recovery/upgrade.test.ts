import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS, type State, stateHash } from '@sibyl/engine';
import { EarlierBuild } from '@sibyl/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { alterText } from '../../test/records.ts';
import { command, drawFrom, openMarket } from '../../test/workload.ts';
import { linkOf, sealCommit } from '../journal/chain.ts';
import { type Journal, type JournalCommit, JournalFull } from '../journal/journal.ts';
import { MemoryJournal, MemoryStore } from '../journal/memory-journal.ts';
import type { Boundary, SnapshotLine } from '../logic/boundary.ts';
import { engine } from '../logic/current.ts';
import type { EngineLogic } from '../logic/engine-logic.ts';
import { Engines } from '../logic/engines.ts';
import { Lane } from '../sequencer/lane.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { copyRecords } from './copy-records.ts';
import { type RecoverySource, recover, replayAfter } from './recover.ts';
import { SnapshotStore } from './snapshots.ts';
import { stretchesOf } from './stretches.ts';
import { verify } from './verify.ts';

const NOW = engine.logic;
const BEFORE = NOW - 1;

/** An artificial former engine: this one under the number before. */
const former: EngineLogic<State> = { ...engine, logic: BEFORE };

const same: Boundary = {
  from: BEFORE,
  carry: (lines) => lines,
  retell: ({ command: said, ...rest }) => ({ ...rest, command: { ...said, key: RETOLD } }),
};
const RETOLD = { scope: 'retold', key: '', bodyHash: '' };

const FORMER = new Engines(former, [], missing);
const BOTH = enginesWith(same);

function enginesWith(boundary: Boundary): Engines {
  return new Engines(engine, [boundary], () => former);
}

function missing(): never {
  throw new Error('there is no frozen engine');
}

describe('an upgrade', () => {
  let directory: string;
  let store: MemoryStore;

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'sibyl-upgrade-'));
    store = new MemoryStore();
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const source = (
    engines: Engines,
    journal: Journal = new MemoryJournal(store),
  ): RecoverySource => ({
    lane: 'live',
    parameters: DEFAULT_PARAMETERS,
    journal,
    snapshots: new SnapshotStore(directory, 'own', engines),
    engines,
  });

  async function live(engines: Engines, commands = 40, journal?: Journal): Promise<string> {
    const clock = new ManualClock(1_700_000_000_000 + store.commits.length);
    const lane = await Lane.open({ name: 'live', clock, ...source(engines, journal) });
    const market = await openMarket(async (submission) => (await lane.submit(submission)).answer);
    const draw = drawFrom(store.commits.length);
    const names = Array.from(
      { length: commands },
      (_, index) => `${store.commits.length}-${index}`,
    );
    await Promise.all(names.map((name) => lane.submit(command(draw, name, market))));
    const hash = await lane.read(stateHash);
    await lane.close();
    return hash;
  }

  /** Alters the text of the boundary's record, and seals it and all that follows anew. */
  function tamper(change: (text: string) => string): number {
    const at = store.commits.findIndex((commit) => isBoundary(commit));
    const { seq } = store.commits[at]!;
    const tail = store.commits.splice(at);
    for (const [index, commit] of tail.entries()) {
      const records = index === 0 ? alterText(commit.records, change) : commit.records;
      store.commits.push(sealCommit({ ...commit, records }, linkOf(store.commits.at(-1)!)));
    }
    return seq;
  }

  it('[UP3] is a record of its own before any other of the newer engine, and every replay crosses it', async () => {
    await live(FORMER);
    const last = store.commits.at(-1)!.seq;
    const hash = await live(BOTH);
    expect(isBoundary(store.commits.find(({ firstSeq }) => firstSeq === last + 1)!)).toBe(true);
    const stretches = [
      { logic: BEFORE, firstSeq: 1, lastSeq: last },
      { logic: NOW, firstSeq: last + 1, lastSeq: store.commits.at(-1)!.seq },
    ];
    const verified = await verify(source(BOTH));
    expect(verified).toMatchObject({ stateHash: hash, stretches });
    expect(verified.snapshots).toEqual([last, store.commits.at(-1)!.seq]);
    expect(await stretchesOf(new MemoryJournal(store), BEFORE)).toEqual(stretches);
    for (const seq of source(BOTH).snapshots!.list()) {
      expect(stateHash((await recover(source(BOTH))).state)).toBe(hash);
      if (seq > 0) rmSync(path.join(directory, `snap-${seq}`));
    }
  });

  it('[UP6] what the former engine said is told in the words of the newer one, and nothing is left out', async () => {
    await live(FORMER);
    const last = store.commits.at(-1)!.seq;
    await live(BOTH);
    const seen: number[] = [];
    const retold: number[] = [];
    let begun = -1;
    for await (const batch of replayAfter(source(BOTH), 0, (state) => (begun = state.seq))) {
      for (const { command: said } of batch) {
        seen.push(said.seq);
        if (said.key?.scope === RETOLD.scope) retold.push(said.seq);
      }
    }
    expect(begun).toBe(0);
    expect(seen).toEqual(
      Array.from({ length: store.commits.at(-1)!.seq }, (_, index) => index + 1),
    );
    expect(retold).toEqual(Array.from({ length: last }, (_, index) => index + 1));
  });

  it('[UP3] a boundary that was tampered with is found, although the chain was sealed anew', async () => {
    await live(FORMER);
    await live(BOTH);
    const whole = [...store.commits];
    const cases: readonly [(text: string) => string, RegExp][] = [
      [
        (text) => text.replace(/"hashBefore":"./, flipped),
        /before the upgrade is not the journaled/,
      ],
      [(text) => text.replace(/"hashAfter":"./, flipped), /after the upgrade is not the journaled/],
      [
        (text) => text.replace(`"fromLogic":${BEFORE}`, `"fromLogic":${NOW + 1}`),
        /goes from engine logic/,
      ],
      [
        (text) => text.replace(`"toLogic":${NOW}`, `"toLogic":${NOW + 1}`),
        /goes from engine logic/,
      ],
    ];
    for (const [change, message] of cases) {
      const seq = tamper(change);
      const found = verify(source(BOTH));
      await expect(found).rejects.toThrow(message);
      await expect(found).rejects.toThrow(`record ${seq}`);
      store.commits.splice(0, store.commits.length, ...whole);
    }
    await verify(source(BOTH));
  });

  it('[UP4] a copy that ends before the boundary is of the former engine, and is upgraded anew', async () => {
    await live(FORMER);
    const last = store.commits.at(-1)!.seq;
    await live(BOTH);
    const copied = new MemoryStore();
    await copyRecords(new MemoryJournal(store), new MemoryJournal(copied), { seq: last }, () => {});
    store = copied;
    for (const seq of source(BOTH).snapshots!.list()) {
      if (seq > last) rmSync(path.join(directory, `snap-${seq}`));
    }
    expect((await verify(source(BOTH))).stretches.map(({ logic }) => logic)).toEqual([BEFORE]);
    await live(BOTH);
    expect((await verify(source(BOTH))).stretches.map(({ logic }) => logic)).toEqual([BEFORE, NOW]);
  });

  it('[UP5] without space it is refused, changes nothing, and is made by a later start', async () => {
    await live(FORMER);
    const commits = store.commits.length;
    const full = new MemoryJournal(store);
    full.append = () => Promise.reject(new JournalFull('the disk is full'));
    await expect(live(BOTH, 1, full)).rejects.toThrow(
      `the upgrade from engine logic ${BEFORE} to ${NOW} found no space: the disk is full; nothing was changed`,
    );
    expect(store.commits).toHaveLength(commits);
    await live(FORMER, 1);
    await live(BOTH, 1);
    await verify(source(BOTH));
  });

  it('[UP5] nobody upgrades who does not lead', async () => {
    await live(FORMER);
    await expect(recover(source(BOTH))).rejects.toThrow(/a start of the server upgrades it/);
  });

  it('[UP8] a boundary that loses money, breaks an invariant or moves the state writes nothing', async () => {
    await live(FORMER);
    const commits = store.commits.length;
    const altering = (alter: (line: SnapshotLine) => SnapshotLine): Engines =>
      enginesWith({
        ...same,
        *carry(lines) {
          for (const line of lines) yield alter(line);
        },
      });
    const cases: readonly [Engines, RegExp][] = [
      [
        altering((line) => (isBalance(line, 'external:') ? lessOne(line) : line)),
        /money supply was/,
      ],
      [
        altering((line) => (isBalance(line, 'user:acc_a:free') ? lessOne(line) : line)),
        /USDT sums to -1/,
      ],
      [
        altering((line) => (line.is === 'state' ? { ...line, nowMs: 0 } : line)),
        /another place or time/,
      ],
    ];
    for (const [engines, message] of cases) {
      await expect(live(engines, 1)).rejects.toThrow(message);
      expect(store.commits).toHaveLength(commits);
    }
    await live(BOTH);
  });

  it('[UP9] data of another build with the same number are those of an earlier build, not damaged', async () => {
    const ours = new Engines(engine, [], missing);
    const others = new Engines({ ...engine, build: '0123456789ab' }, [], missing);
    await live(others);
    await expect(live(ours, 1)).rejects.toThrow(EarlierBuild);
    await expect(verify(source(ours))).rejects.toThrow(
      /snapshot \d+ was written by an earlier build/,
    );
    await live(others, 1);
    for (const seq of source(ours).snapshots!.list()) {
      const file = path.join(directory, `snap-${seq}`);
      writeFileSync(file, withoutBuild(readFileSync(file)));
    }
    await expect(live(ours, 1)).rejects.toThrow(EarlierBuild);
  });

  it('[UP7] data of a newer engine, or of one too old, are refused with both numbers', async () => {
    await live(FORMER);
    const tooOld = new Engines(engine, [], missing);
    await expect(live(tooOld, 1)).rejects.toThrow(
      `is of engine logic ${BEFORE}, and the oldest that this build has is ${NOW}`,
    );
    await live(BOTH);
    await expect(live(FORMER, 1)).rejects.toThrow(
      `is of engine logic ${NOW}, and this build has ${BEFORE}`,
    );
    const { snapshots } = source(BOTH);
    for (const seq of snapshots!.list().slice(0, -1)) rmSync(path.join(directory, `snap-${seq}`));
    const boundary = store.commits.find((commit) => isBoundary(commit))!;
    await expect(live(FORMER, 1)).rejects.toThrow(
      `record ${boundary.seq} is of engine logic ${NOW}, and this build has ${BEFORE}`,
    );
  });
});

/** A snapshot as the first builds wrote it: its head names no build. */
function withoutBuild(snapshot: Buffer): Buffer {
  const head = snapshot.indexOf(0x0a) + 1;
  const body = snapshot.subarray(head, snapshot.lastIndexOf('sha256 '));
  const text = snapshot.toString('latin1', 0, head).replace(/-[0-9a-f]{12}/, '');
  const digest = createHash('sha256').update(body).update(text).digest('hex');
  return Buffer.concat([Buffer.from(text), body, Buffer.from(`sha256 ${digest}\n`)]);
}

function isBoundary({ records }: JournalCommit): boolean {
  return Buffer.from(records).includes(' upgrade_engine@1 ');
}

function flipped(text: string): string {
  return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
}

function isBalance({ is, name }: SnapshotLine, begins: string): boolean {
  return is === 'balance' && typeof name === 'string' && name.startsWith(begins);
}

function lessOne(line: SnapshotLine): SnapshotLine {
  return { ...line, balance: (line.balance as bigint) - 1n };
}
