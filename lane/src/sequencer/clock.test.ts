// Sleep, clocks that are set, and journals from the future: what becomes of journal time, and of those who trade.

import { asAccountId, asMarketId, DEFAULT_PARAMETERS, type Outcome } from '@sibyl/engine';
import { lots, usdt } from '@sibyl/money';
import { describe, expect, it } from 'vitest';
import { OPERATOR, openMarket } from '../../test/workload.ts';
import { MemoryJournal, MemoryStore } from '../journal/memory-journal.ts';
import { recordsOf } from '../record/record.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { Lane, type Submission } from './lane.ts';
import type { LaneNotice } from './lane-options.ts';
import { LaneUnavailable } from './unavailable.ts';

const START_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const NAME = asAccountId('acc_x');

interface Bench {
  readonly lane: Lane;
  readonly clock: ManualClock;
  readonly store: MemoryStore;
  readonly alarms: string[];
}

async function openBench(
  clock = new ManualClock(START_MS),
  store = new MemoryStore(),
  clockOffsetMs = 0,
): Promise<Bench> {
  const alarms: string[] = [];
  const lane = await Lane.open({
    name: 'live',
    parameters: DEFAULT_PARAMETERS,
    journal: new MemoryJournal(store),
    snapshots: null,
    clock,
    clockOffsetMs,
    notify: ({ message, level }: LaneNotice) => {
      if (level === 'warn') alarms.push(message);
    },
  });
  return { lane, clock, store, alarms };
}

/** Lets everything that is ready to run, run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}

const open: Submission = {
  body: { type: 'open_account', accountId: NAME, mode: 'live', parentId: null, referrerId: null },
  actor: OPERATOR,
  requestId: 'open',
};
const fund: Submission = {
  body: { type: 'deposit', accountId: NAME, amount: usdt(5_000_000n), reference: 'wire' },
  actor: OPERATOR,
  requestId: 'fund',
};
const asOwner = { kind: 'account', accountId: NAME, keyId: null } as const;
const cancelAll: Submission = {
  body: {
    type: 'cancel_orders',
    accountId: NAME,
    marketId: null,
    outcomeId: null,
    side: null,
    orderIds: null,
  },
  actor: asOwner,
  requestId: 'cancel',
};
const beat: Submission = {
  body: { type: 'heartbeat', accountId: NAME, timeoutMs: 0, marketId: null },
  actor: asOwner,
  requestId: 'beat',
};
/** What an account may ask only while trading is on. */
const mint: Submission = {
  body: {
    type: 'mint_sets',
    accountId: NAME,
    marketId: asMarketId('m_none'),
    lots: lots(1),
    caps: null,
    grant: null,
  },
  actor: asOwner,
  requestId: 'mint',
};
const TAKEN = 'MARKET_NOT_FOUND';

async function codeOf(promise: Promise<Outcome>): Promise<string> {
  try {
    const { answer } = await promise;
    return answer.ok ? 'ok' : answer.rejection.code;
  } catch (error) {
    return error instanceof LaneUnavailable ? error.code : String(error);
  }
}

function typesIn({ store }: Bench): readonly string[] {
  return store.commits.flatMap(recordsOf).map(({ form }) => form.replace('@1', ''));
}

async function isPaused({ lane }: Bench): Promise<boolean> {
  return lane.read((state) => state.readOnly);
}

describe('[P15] a machine that slept', () => {
  it('makes it up at once: recover comes first, at the time that the wall clock shows', async () => {
    const bench = await openBench();
    await bench.lane.submit(open);
    bench.clock.sleep(HOUR_MS);
    const { atMs } = await bench.lane.submit(fund);
    expect(atMs).toBe(START_MS + HOUR_MS);
    expect(typesIn(bench)).toEqual(['recover', 'open_account', 'recover', 'deposit']);
    expect(bench.alarms).toEqual([`the machine slept for ${HOUR_MS} ms`]);
    expect(bench.lane.status().clockDifferenceMs).toBeNull();
    expect(await codeOf(bench.lane.submit(mint))).toBe(TAKEN);
    await bench.lane.close();
  });

  it('notices it without being asked anything, once, and timers that are due ring', async () => {
    const bench = await openBench();
    await openMarket(async (submission) => (await bench.lane.submit(submission)).answer);
    const dueMs = await bench.lane.read((state) => state.timers.nextDueMs());
    bench.clock.sleep(dueMs! - START_MS + 10_000);
    bench.clock.advance(1_000);
    await settle();
    bench.clock.advance(1_000);
    await settle();
    expect(typesIn(bench).filter((type) => type === 'recover').length).toBe(2);
    expect(bench.alarms.length).toBe(1);
    expect(await bench.lane.read((state) => state.timers.nextDueMs())).toBeGreaterThan(dueMs!);
    await bench.lane.close();
  });

  it('leans away what is less than a second', async () => {
    const bench = await openBench();
    bench.clock.sleep(900);
    const { atMs } = await bench.lane.submit(open);
    expect(atMs).toBe(START_MS);
    for (let second = 0; second < 30; second += 1) {
      bench.clock.advance(1_000);
      await settle();
    }
    expect((await bench.lane.submit(fund)).atMs).toBe(START_MS + 30_900);
    expect(typesIn(bench)).toEqual(['recover', 'open_account', 'deposit']);
    await bench.lane.close();
  });
});

describe('[P16] journal time and wall time that part without a known cause', () => {
  it.each([
    ['ahead', 86_400_000],
    ['back', -86_400_000],
  ])(
    'halt trading when the wall clock is set %s, and time goes on at its own pace',
    async (_, by) => {
      const bench = await openBench();
      await bench.lane.submit(open);
      await bench.lane.submit(fund);
      bench.clock.setWall(START_MS + by);
      // What was taken before anybody could know is refused by the engine, what comes later by the lane.
      const early = bench.lane.submit(mint);
      expect(await codeOf(early)).toBe('READ_ONLY_MODE');
      expect(await codeOf(bench.lane.submit(mint))).toBe('READ_ONLY_MODE');
      expect(await codeOf(bench.lane.submit(beat))).toBe('ok');
      expect(await codeOf(bench.lane.submit(cancelAll))).toBe('ok');
      expect(bench.lane.status()).toMatchObject({
        state: 'running',
        clockDifferenceMs: by,
        reason: `clock: journal time differs from wall time by ${by} ms`,
      });
      expect(await isPaused(bench)).toBe(true);
      bench.clock.advance(60_000);
      await settle();
      expect(bench.lane.nowMs()).toBe(START_MS + 60_000);
      // Even the operator's own mode does not bring back what the clock stopped.
      const normal = { type: 'set_read_only', readOnly: false, reason: 'try' } as const;
      await bench.lane.submit({ body: normal, actor: OPERATOR, requestId: 'mode' });
      expect(await codeOf(bench.lane.submit(mint))).toBe('READ_ONLY_MODE');
      expect(bench.alarms.length).toBe(1);
      expect(typesIn(bench).filter((type) => type === 'set_read_only').length).toBe(2);
      await bench.lane.close();
    },
  );

  it('is noticed within a second when nobody asks anything', async () => {
    const bench = await openBench();
    bench.clock.setWall(START_MS + HOUR_MS);
    bench.clock.advance(1_000);
    await settle();
    expect(await isPaused(bench)).toBe(true);
    expect(typesIn(bench)).toEqual(['recover', 'set_read_only']);
    await bench.lane.close();
  });

  it('halt a start whose journal is from the future, but for less than a second', async () => {
    const store = new MemoryStore();
    const before = await openBench(new ManualClock(START_MS + HOUR_MS), store);
    await before.lane.submit(open);
    await before.lane.close();
    const bench = await openBench(new ManualClock(START_MS), store);
    await settle();
    expect(bench.lane.status().clockDifferenceMs).toBe(-HOUR_MS);
    expect(await isPaused(bench)).toBe(true);
    expect(await codeOf(bench.lane.submit(mint))).toBe('READ_ONLY_MODE');
    expect(typesIn(bench).slice(-2)).toEqual(['recover', 'set_read_only']);
    expect(bench.lane.nowMs()).toBe(START_MS + HOUR_MS);
    await bench.lane.close();
    const close = await openBench(new ManualClock(START_MS + HOUR_MS - 900), store);
    expect(close.lane.status().clockDifferenceMs).toBeNull();
    await close.lane.close();
  });

  it('lean a step of less than a second away', async () => {
    const bench = await openBench();
    bench.clock.setWall(START_MS - 800);
    for (let second = 0; second < 30; second += 1) {
      bench.clock.advance(1_000);
      await settle();
    }
    expect((await bench.lane.submit(open)).atMs).toBe(START_MS + 29_200);
    expect(bench.alarms).toEqual([]);
    await bench.lane.close();
  });
});

describe('[P17] an operator decides', () => {
  async function parted(by: number): Promise<Bench> {
    const bench = await openBench();
    await bench.lane.submit(open);
    await bench.lane.submit(fund);
    bench.clock.setWall(START_MS + by);
    bench.clock.advance(1_000);
    await settle();
    expect(await isPaused(bench)).toBe(true);
    return bench;
  }

  /** As the operator plane does it. */
  async function decide({ lane }: Bench, decision: 'accept' | 'keep'): Promise<number> {
    const offsetMs = lane.decideClock(decision);
    const body = { type: 'set_read_only', readOnly: false, reason: 'decided' } as const;
    await lane.submit({ body, actor: OPERATOR, requestId: 'decide' });
    return offsetMs;
  }

  it('accept: journal time jumps ahead to the wall clock, as after a start', async () => {
    const bench = await parted(HOUR_MS);
    expect(await decide(bench, 'accept')).toBe(0);
    expect(typesIn(bench).slice(-2)).toEqual(['recover', 'set_read_only']);
    expect(bench.lane.nowMs()).toBe(START_MS + HOUR_MS + 1_000);
    expect(bench.lane.status()).toMatchObject({ clockDifferenceMs: null, reason: null });
    expect(await codeOf(bench.lane.submit(mint))).toBe(TAKEN);
    await bench.lane.close();
  });

  it('accept: a wall clock that is behind catches up, and journal time never stands still', async () => {
    const bench = await parted(-20_000);
    expect(await decide(bench, 'accept')).toBe(0);
    expect(await codeOf(bench.lane.submit(mint))).toBe(TAKEN);
    let lastMs = bench.lane.nowMs();
    for (let second = 0; second < 450; second += 1) {
      bench.clock.advance(1_000);
      await settle();
      expect(bench.lane.nowMs() - lastMs).toBeGreaterThanOrEqual(950);
      lastMs = bench.lane.nowMs();
    }
    expect(bench.lane.status().clockDifferenceMs).toBeNull();
    expect(bench.lane.nowMs()).toBe(bench.clock.wallMs());
    bench.clock.setWall(bench.clock.wallMs() + 5_000);
    expect(await codeOf(bench.lane.submit(mint))).toBe('READ_ONLY_MODE');
    await bench.lane.close();
  });

  it('keep: journal time goes on, and a further change of more than a second halts again', async () => {
    const bench = await parted(HOUR_MS);
    expect(await decide(bench, 'keep')).toBe(HOUR_MS);
    expect(bench.lane.nowMs()).toBe(START_MS + 1_000);
    expect(await codeOf(bench.lane.submit(mint))).toBe(TAKEN);
    bench.clock.advance(600_000);
    await settle();
    expect(bench.lane.nowMs()).toBe(START_MS + 601_000);
    bench.clock.setWall(bench.clock.wallMs() - 2_000);
    expect(await codeOf(bench.lane.submit(mint))).toBe('READ_ONLY_MODE');
    expect(bench.lane.status().clockDifferenceMs).toBe(-2_000);
    expect(await decide(bench, 'keep')).toBe(HOUR_MS - 2_000);
    expect(await codeOf(bench.lane.submit(mint))).toBe(TAKEN);
    expect(bench.alarms.length).toBe(4);
    await bench.lane.close();
  });

  it('keep: the next start keeps it, too', async () => {
    const bench = await parted(HOUR_MS);
    const offsetMs = await decide(bench, 'keep');
    await bench.lane.close();
    const clock = new ManualClock(START_MS + HOUR_MS + 60_000);
    const again = await openBench(clock, bench.store, offsetMs);
    await settle();
    expect(again.lane.status().clockDifferenceMs).toBeNull();
    expect(again.lane.nowMs()).toBe(START_MS + 60_000);
    expect(again.alarms).toEqual([]);
    await again.lane.close();
  });

  it('a machine that slept while nobody had decided makes that up, and still waits', async () => {
    const bench = await parted(HOUR_MS);
    bench.clock.sleep(10_000);
    bench.clock.advance(1_000);
    await settle();
    expect(bench.lane.nowMs()).toBe(START_MS + 12_000);
    expect(bench.lane.status().clockDifferenceMs).toBe(HOUR_MS);
    expect(await codeOf(bench.lane.submit(mint))).toBe('READ_ONLY_MODE');
    await bench.lane.close();
  });
});
