import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS, stateHash } from '@sibyl/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../src/adapters/memory/clock.ts';
import { MemoryJournal } from '../../src/adapters/memory/journal.ts';
import type { WatchedLane } from '../../src/operator/parts.ts';
import { reconciliationActs } from '../../src/operator/reconciliation.ts';
import type { JournalCommit } from '../../src/ports/journal.ts';
import { Lane } from '../../src/sequencer/lane.ts';
import { SnapshotStore } from '../../src/sequencer/snapshots.ts';
import { alterText } from '../faults/records.ts';
import { openHarness } from '../gateway/harness.ts';
import { RandomRun } from '../modules/random-run.ts';

let folder: string;
let watched: WatchedLane;
let journal: MemoryJournal;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'reconciliation-'));
  journal = new MemoryJournal();
  const snapshots = new SnapshotStore(folder);
  const run = new RandomRun(31);
  run.play(800);
  const clock = new ManualClock(run.committed[0]!.command.atMs);
  const name = 'sandbox';
  const lane = await Lane.open({ name, parameters: DEFAULT_PARAMETERS, journal, snapshots, clock });
  for (const { command } of run.committed) {
    const { seq: _seq, atMs, actor, key: _key, ...body } = command;
    clock.advance(Math.max(0, atMs - clock.wallMs()));
    await lane.submit({ body, actor, requestId: 'run' });
  }
  const history = { projector: { seq: lane.status().durableSeq, failure: null } };
  const keeper = { rebuild: null, begin: () => true };
  watched = { lane, journal, snapshots, history, keeper };
});

afterEach(async () => {
  await watched.lane.close();
  rmSync(folder, { recursive: true });
});

async function reconcile() {
  const { getReconciliation } = reconciliationActs({
    opened: { sandbox: watched },
    clock: new ManualClock(0),
  });
  const answers = await withRequest((request) =>
    Promise.all([1, 2].map(() => getReconciliation(request, { query: { lane: 'sandbox' } }))),
  );
  const [first, second] = answers.map((answer) => ('data' in answer ? answer.data : null));
  // Asked for at the same time: made once.
  expect(second).toBe(first);
  return first!;
}

/** A context as the gateway makes it. */
async function withRequest<T>(
  act: (request: Parameters<ReturnType<typeof reconciliationActs>['getReconciliation']>[0]) => T,
): Promise<Awaited<T>> {
  const harness = await openHarness();
  try {
    await harness.call({ url: '/v1/health' });
    return await act(harness.calls[0]!.request);
  } finally {
    await harness.close();
  }
}

describe('[OP7] the reconciliation', () => {
  it('is of a replay beside the lane, as of what was durable, and equal to the lane', async () => {
    const report = await reconcile();
    const { seq, hash } = await watched.lane.read((state) => ({
      seq: state.seq,
      hash: stateHash(state),
    }));
    expect(report).toMatchObject({ balanced: true, seq, state_hash: hash, sum: '0.000000' });
    expect(report.totals.length).toBeGreaterThan(5);
    const agrees = report.invariants.find(({ rule }) => rule === 'replay_agrees');
    expect(agrees).toMatchObject({ holds: true, checked: seq });
  });

  it('tells of a journal that does not lead to what the lane answered', async () => {
    const honest = watched.journal;
    const seq = 400;
    const tampered = {
      head: () => honest.head(),
      async *read(fromSeq: number): AsyncIterable<readonly JournalCommit[]> {
        for await (const page of honest.read(fromSeq)) {
          yield page.map((commit) =>
            commit.firstSeq <= seq && seq <= commit.seq
              ? { ...commit, records: alterText(commit.records, (text) => `${text} `) }
              : commit,
          );
        }
      },
    };
    watched = { ...watched, journal: tampered };
    const report = await reconcile();
    expect(report.balanced).toBe(false);
    const agrees = report.invariants.find(({ rule }) => rule === 'replay_agrees');
    expect(agrees).toMatchObject({ holds: false });
    expect(agrees?.detail).toContain('399');
  });
});
