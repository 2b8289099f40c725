import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CustodyReport, OperatorOperations, OutputOf } from '@sibyl/contract';
import { DEFAULT_PARAMETERS, stateHash } from '@sibyl/engine';
import type { LiveHistory } from '@sibyl/history';
import { type JournalCommit, Lane, SnapshotStore } from '@sibyl/lane';
import { ManualClock, MemoryJournal } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RandomRun } from '../../../lane/test/random-run.ts';
import { alterText } from '../../../lane/test/records.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import type { Log, LogFields } from '../../src/gateway/log.ts';
import type { WatchedLane } from '../../src/operator/parts.ts';
import {
  custodyCheck,
  Reconciliations,
  reconciliationActs,
} from '../../src/operator/reconciliation.ts';
import { regularReconciliation, soundAlarm } from '../../src/operator/regular-reconciliation.ts';
import { openHarness } from '../gateway/harness.ts';
import { runJob } from '../run-job.ts';
import { historyOf } from './harness.ts';

let folder: string;
let watched: WatchedLane;
let journal: MemoryJournal;
let history: LiveHistory;

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
  history = await historyOf(lane);
  const keeper = { rebuild: null, begin: () => true };
  watched = { lane, journal, snapshots, history, keeper };
});

afterEach(async () => {
  await watched.lane.close();
  await history.close();
  rmSync(folder, { recursive: true });
});

type State = OutputOf<OperatorOperations['getReconciliation']>;
type Acts = ReturnType<typeof reconciliationActs>;

function actsOn(opened: { readonly sandbox: WatchedLane }): Acts {
  const parts = { clock: new ManualClock(0), platform: new MemoryPlatformStore() };
  return reconciliationActs({ opened, reconciliations: new Reconciliations(parts) });
}

/** One of whose commands is not the one that the lane answered. */
function tampered(honest: WatchedLane['journal']): WatchedLane['journal'] {
  const seq = 400;
  return {
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
}

let acts: Acts;
let request: Parameters<Acts['getReconciliation']>[0];
beforeEach(async () => {
  acts = actsOn({ sandbox: watched });
  // A context as the gateway makes it.
  const harness = await openHarness();
  await harness.call({ url: '/v1/health' });
  const operator = { operatorId: 'opr_1', name: 'grace', roles: ['admin'], session: null } as const;
  request = Object.assign(harness.calls[0]!.request, { operator });
  await harness.close();
});

async function stateOf(answer: ReturnType<Acts['getReconciliation']>): Promise<State> {
  const settled = await answer;
  if (!('data' in settled)) throw settled;
  return settled.data;
}

const start = (): Promise<State> =>
  stateOf(acts.startReconciliation(request, { body: { lane: 'sandbox', reason: 'a test' } }));
const readState = (): Promise<State> =>
  stateOf(acts.getReconciliation(request, { query: { lane: 'sandbox' } }));

/** The first state that is as wanted; the thread needs the processor meanwhile. */
async function stateWhen(isWanted: (run: NonNullable<State['run']>) => boolean): Promise<State> {
  for (;;) {
    const state = await readState();
    if (state.run !== null && isWanted(state.run)) return state;
    await pause(10);
  }
}

const finished = (): Promise<State> => stateWhen(({ state }) => state !== 'running');

async function reconcile() {
  await start();
  const { run, report } = await finished();
  expect(run).toMatchObject({ state: 'done', error: null });
  if (report === null) throw new Error('there is no report');
  return report;
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
    acts = actsOn({ sandbox: { ...watched, journal: tampered(watched.journal) } });
    const report = await reconcile();
    expect(report.balanced).toBe(false);
    const agrees = report.invariants.find(({ rule }) => rule === 'replay_agrees');
    expect(agrees).toMatchObject({ holds: false });
    expect(agrees?.detail).toContain('399');
  });
});

describe('[OA2] a reconciliation', () => {
  it('answers before it is done, shows how far it is, and keeps the last report with its command', async () => {
    expect(await readState()).toEqual({ lane: 'sandbox', run: null, report: null });
    const { seq } = watched.lane.status();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const heldJournal = {
      head: () => journal.head(),
      async *read(fromSeq: number): AsyncIterable<readonly JournalCommit[]> {
        for await (const page of journal.read(fromSeq)) {
          yield page;
          await held;
        }
      },
    };
    acts = actsOn({ sandbox: { ...watched, journal: heldJournal } });
    const begun = await start();
    expect(begun).toMatchObject({ run: { state: 'running', head_seq: seq }, report: null });
    const { run: underWay } = await stateWhen((run) => run.seq > 0);
    expect(underWay).toMatchObject({ state: 'running' });
    expect(underWay?.seq).toBeLessThan(seq);
    release();
    const state = await finished();
    expect(state.run).toMatchObject({ state: 'done', seq, head_seq: seq });
    expect(state.report).toMatchObject({ balanced: true, seq });
    await watched.lane.submit({
      body: { type: 'tick' },
      actor: { kind: 'system' },
      requestId: 'later',
    });
    expect((await start()).report).toMatchObject({ seq });
    expect((await finished()).report).toMatchObject({ seq: seq + 1 });
  });

  it('is joined by whoever starts one while it runs', async () => {
    const { run: first } = await start();
    await watched.lane.submit({
      body: { type: 'tick' },
      actor: { kind: 'system' },
      requestId: 'later',
    });
    expect((await start()).run?.head_seq).toBe(first?.head_seq);
    expect((await finished()).report?.seq).toBe(first?.head_seq);
  });

  it('that fails says why and leaves the last report', async () => {
    const before = await reconcile();
    for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
    await start();
    const { run, report } = await finished();
    expect(run).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('no good snapshot'),
    });
    expect(report).toEqual(before);
  });
});

describe('[OA12] a lane is reconciled by itself', () => {
  const HOUR_MS = 3_600_000;
  type Line = readonly [level: string, message: string, fields: LogFields | undefined];

  const opened = (lane: WatchedLane) => {
    const lines: Line[] = [];
    const log: Pick<Log, 'write'> = {
      write: (level, message, fields) => lines.push([level, message, fields]),
    };
    const clock = new ManualClock(1_000_000);
    const parts = { clock, platform: new MemoryPlatformStore() };
    const reconciliations = new Reconciliations(parts, soundAlarm(log));
    const stop = runJob(
      regularReconciliation({
        ...{ reconciliations, clock },
        opened: { sandbox: lane },
        everyMs: 2 * HOUR_MS,
      }),
      clock,
    );
    return { lines, clock, reconciliations, stop };
  };

  /** Time passes, and whatever is begun by that comes to its end. */
  const passing = async (
    { clock, reconciliations }: Pick<ReturnType<typeof opened>, 'clock' | 'reconciliations'>,
    elapsedMs: number,
  ) => {
    clock.advance(elapsedMs);
    for (let turn = 0; turn < 10; turn += 1) await pause(0);
    while (reconciliations.isAnyRunning) await pause(10);
    return (await reconciliations.state(watched)).report?.taken_at_ms ?? null;
  };

  it('a minute after the start, and again after the hours that are set', async () => {
    const running = opened(watched);
    expect(await passing(running, 59_999)).toBeNull();
    const firstMs = await passing(running, 1);
    expect(firstMs).toBe(1_060_000);
    expect(await passing(running, 2 * HOUR_MS - 60_000)).toBe(firstMs);
    const secondMs = await passing(running, 60_000);
    expect(secondMs).toBe(1_060_000 + 2 * HOUR_MS);
    expect((await running.reconciliations.state(watched)).run).toMatchObject({
      actor: 'clock',
      reason: 'every 2 hours',
    });
    await running.stop();
    expect(await passing(running, 4 * HOUR_MS)).toBe(secondMs);
    expect(running.lines).toEqual([]);
  });

  it('and a difference is an error in the log', async () => {
    const running = opened({ ...watched, journal: tampered(watched.journal) });
    await passing(running, 60_000);
    await running.stop();
    expect(running.lines).toEqual([
      [
        'error',
        'a reconciliation found a difference',
        { lane: 'sandbox', reason: expect.stringContaining('replay_agrees') },
      ],
    ]);
  });

  it('and a custody that alone is silent is said to be that, not a difference', async () => {
    const running = opened(watched);
    await passing(running, 60_000);
    await running.stop();
    const { report } = await running.reconciliations.state(watched);
    const told: string[] = [];
    const alarm = soundAlarm({ write: (_level, message) => told.push(message) });
    const silent = { name: 'bank', state: 'silent', seq_after: 1 } as CustodyReport;
    const custody = custodyCheck(silent);
    const unanswered = { ...report!, balanced: false, custody: silent };
    alarm('live', { ...unanswered, invariants: [...report!.invariants, custody] });
    const broken = { ...custody, rule: 'another' };
    alarm('live', { ...unanswered, invariants: [...report!.invariants, custody, broken] });
    expect(told).toEqual([
      'a reconciliation got no answer from the custody',
      'a reconciliation found a difference',
    ]);
  });

  it('and so is one that could not be finished', async () => {
    const journalOfNobody: WatchedLane['journal'] = {
      head: () => journal.head(),
      // biome-ignore lint/correctness/useYield: it fails before there is anything to give
      async *read() {
        throw new Error('the disk is gone');
      },
    };
    const running = opened({ ...watched, journal: journalOfNobody });
    await passing(running, 60_000);
    await running.stop();
    expect(running.lines).toEqual([
      ['error', 'a reconciliation failed', { lane: 'sandbox', reason: 'the disk is gone' }],
    ]);
  });
});
