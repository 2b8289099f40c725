import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DEFAULT_PARAMETERS } from '@sibyl/engine';
import { CommitTimes, JournalFailed, Lane, timed } from '@sibyl/lane';
import { ManualClock, MemoryJournal, MemoryStore } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeldJournal } from '../../../lane/test/held-journal.ts';
import { OPERATOR } from '../../../lane/test/workload.ts';
import { systemRandom } from '../adapters/node/random.ts';
import { MaintenanceWindow } from '../gateway/maintenance-window.ts';
import { statusHandlers } from '../modules/status/handlers.ts';
import type { PlatformStore } from '../ports/platform.ts';
import { openPlatform } from '../stores/open-stores.ts';
import { ModeWatch } from './mode-watch.ts';
import { StatusKeeper } from './status-keeper.ts';

/** 2026-11-15T12:00:00Z. */
const NOON_MS = 1_794_744_000_000;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let folder: string;
let clock: ManualClock;
let journal: HeldJournal;
let lane: Lane;
let platform: PlatformStore;
let commitTimes: CommitTimes;
let maintenance: MaintenanceWindow;
let keeper: StatusKeeper;

let killedRuns: (readonly [number, number])[];

beforeEach(async () => {
  killedRuns = [];
  folder = mkdtempSync(path.join(tmpdir(), 'sibyl-status-'));
  clock = new ManualClock(NOON_MS);
  commitTimes = new CommitTimes(clock);
  journal = new HeldJournal(new MemoryJournal(new MemoryStore()));
  platform = await openPlatform(folder);
  lane = await Lane.open({
    name: 'live',
    parameters: DEFAULT_PARAMETERS,
    journal: timed(journal, commitTimes),
    snapshots: null,
    clock,
  });
  maintenance = await MaintenanceWindow.open(platform, clock);
  keeper = await openKeeper();
});
afterEach(async () => {
  await keeper.close();
  await lane.close();
  maintenance.close();
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openKeeper(): Promise<StatusKeeper> {
  return StatusKeeper.open({
    lanes: [{ lane, commitTimes, mode: await ModeWatch.open({ lane, journal }) }],
    platform,
    clock,
    random: systemRandom,
    maintenance,
    wasKilled: (lastMs, nowMs) => killedRuns.push([lastMs, nowMs]),
    failed: (error) => {
      throw error;
    },
  });
}

async function setReadOnly(readOnly: boolean, reason = 'prices of a wrong day.'): Promise<void> {
  const body = { type: 'set_read_only', readOnly, reason } as const;
  await lane.submit({ body, actor: OPERATOR, requestId: 'mode' });
}

const told = () => keeper.report().incidents.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs]);

/** As everybody gets it. */
async function shown() {
  const answer = await statusHandlers({ clock, status: keeper }).getStatus(
    undefined as never,
    undefined as never,
  );
  if (answer instanceof Error) throw answer;
  return answer.data;
}

describe('incidents', () => {
  it('[SU2] begin and end with the state of a lane, with a reason for people', async () => {
    expect(keeper.report().lanes[0]).toMatchObject({ state: 'ok', sinceMs: NOON_MS, reason: null });
    clock.advance(10 * SECOND_MS);
    await setReadOnly(true);
    await keeper.check();
    const pausedMs = NOON_MS + 10 * SECOND_MS;
    expect(keeper.report().lanes[0]).toMatchObject({ state: 'read_only', sinceMs: pausedMs });
    expect((await shown()).incidents[0]).toMatchObject({ kind: 'read_only', ended_at: null });
    const { reason } = (await shown()).lanes[0]!;
    expect(reason).toBe(
      'Trading is paused by the operator: prices of a wrong day. Orders can be cancelled.',
    );
    expect(JSON.stringify(await shown())).not.toContain('"test"');
    clock.advance(MINUTE_MS);
    await setReadOnly(false);
    await keeper.check();
    expect(told()).toEqual([['read_only', pausedMs, pausedMs + MINUTE_MS]]);
    expect(keeper.report().lanes[0]).toMatchObject({ state: 'ok', sinceMs: pausedMs + MINUTE_MS });
  });

  it('[SU2] say no more than that the operator acted where no message was given', async () => {
    await setReadOnly(true, 'paused by the operator');
    await keeper.check();
    const { reason } = (await shown()).lanes[0]!;
    expect(reason).toBe('Trading is paused by the operator. Orders can be cancelled.');
  });

  it('[SU2] tell of maintenance with its message, before what else is the matter', async () => {
    await setReadOnly(true);
    await keeper.check();
    clock.advance(SECOND_MS);
    const startsAtMs = clock.wallMs();
    const plan = { effect: 'down', startsAtMs, endsAtMs: null, actor: 'ops', reason: 'a secret' };
    await maintenance.plan({ ...plan, effect: 'down', message: 'A new disk is put in.' });
    await keeper.check();
    expect(told()).toEqual([
      ['maintenance', startsAtMs, null],
      ['read_only', NOON_MS, startsAtMs],
    ]);
    expect((await shown()).lanes[0]).toMatchObject({ reason: 'A new disk is put in.' });
  });

  it('[SU2] tell of a lane that hangs, and of one that stopped', async () => {
    journal.hold();
    const stuck = setReadOnly(false).catch(() => 'lost');
    await new Promise(setImmediate);
    // A check waits half a second for an answer.
    const stateAfterCheck = async (): Promise<string | undefined> => {
      const check = keeper.check();
      await new Promise(setImmediate);
      clock.advance(SECOND_MS / 2);
      await check;
      return keeper.report().lanes[0]?.state;
    };
    const states = [await stateAfterCheck(), await stateAfterCheck(), await stateAfterCheck()];
    expect(states).toEqual(['ok', 'ok', 'degraded']);
    journal.fail(new JournalFailed('sector 17 of /dev/sda'));
    expect(await stuck).toBe('lost');
    await keeper.check();
    expect((await shown()).state).toBe('down');
    expect(told().map(([kind]) => kind)).toEqual(expect.arrayContaining(['down', 'degraded']));
    expect(JSON.stringify(await shown())).not.toContain('/dev/sda');
  });
});

describe('a restart', () => {
  it('[SU3] in order lets an incident go on as one', async () => {
    await setReadOnly(true);
    await keeper.check();
    await keeper.close();
    clock.advance(30 * SECOND_MS);
    keeper = await openKeeper();
    expect(told()).toEqual([['read_only', NOON_MS, null]]);
  });

  it('[SU3] after a long stop in order is maintenance', async () => {
    await keeper.close();
    clock.advance(10 * MINUTE_MS);
    keeper = await openKeeper();
    expect(told()).toEqual([['maintenance', NOON_MS, NOON_MS + 10 * MINUTE_MS]]);
  });

  it('[SU3] after a kill is down from the last sign of life on, at most five seconds before', async () => {
    await setReadOnly(true);
    await keeper.check();
    clock.advance(5 * MINUTE_MS);
    await keeper.check();
    const lastMs = clock.wallMs();
    // Killed: nobody closes it, and what it still rings for is not there any more.
    const killed = keeper;
    clock.advance(4 * SECOND_MS);
    await killed.check();
    await platform.close();
    platform = await openPlatform(folder);
    clock.sleep(3 * MINUTE_MS);
    const startedMs = clock.wallMs();
    keeper = await openKeeper();
    expect(told()).toEqual([
      ['read_only', startedMs, null],
      ['down', lastMs, startedMs],
      ['read_only', NOON_MS, lastMs],
    ]);
    expect(killedRuns).toEqual([[lastMs, startedMs]]);
  });
});

describe('days', () => {
  it('[SU4] have the seconds of what lay in them, ninety of them, today last', async () => {
    clock.advance(DAY_MS);
    const eveningMs = NOON_MS + DAY_MS + 11 * 3_600_000;
    clock.advance(eveningMs - clock.wallMs());
    await setReadOnly(true);
    await keeper.check();
    clock.advance(2 * 3_600_000);
    await setReadOnly(false);
    await keeper.check();
    const [{ days }] = (await shown()).lanes as [
      Awaited<ReturnType<typeof shown>>['lanes'][number],
    ];
    expect(days).toHaveLength(90);
    expect(days.slice(-2)).toEqual([
      { day: '2026-11-16', watched: true, down_sec: 0, degraded_sec: 3600, maintenance_sec: 0 },
      { day: '2026-11-17', watched: true, down_sec: 0, degraded_sec: 3600, maintenance_sec: 0 },
    ]);
    expect(days.filter(({ watched }) => watched).map(({ day }) => day)).toEqual([
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
    ]);
  });

  it('[SU4] of more than ninety ago are forgotten with their incidents', async () => {
    await setReadOnly(true);
    await keeper.check();
    clock.advance(MINUTE_MS);
    await setReadOnly(false);
    await keeper.check();
    clock.advance(91 * DAY_MS);
    await setReadOnly(true);
    await keeper.check();
    expect(told()).toEqual([['read_only', clock.wallMs(), null]]);
  });
});

describe('commits', () => {
  it('[SU1] are measured over the last minute', async () => {
    const times = new CommitTimes(clock);
    expect(times.percentiles(50, 99)).toEqual([null, null]);
    for (let took = 1; took <= 100; took += 1) times.note(took);
    expect(times.percentiles(50, 99)).toEqual([50_000, 99_000]);
    clock.advance(MINUTE_MS + 1);
    times.note(7);
    expect(times.percentiles(50, 99)).toEqual([7_000, 7_000]);
    expect(keeper.report().lanes[0]?.commitP50Us).toBeNull();
    await setReadOnly(false);
    expect(keeper.report().lanes[0]?.commitP50Us).toBeGreaterThanOrEqual(0);
  });
});
