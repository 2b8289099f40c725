import { ManualClock } from '@sibyl/lane/testing';
import { describe, expect, it } from 'vitest';
import type { LogFields } from '../gateway/log.ts';
import type { Job } from '../handling/job.ts';
import { Jobs } from './jobs.ts';

const DAY_MS = 86_400_000;
const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2;
const TEN_MINUTES_MS = 600_000;

function open(clock = new ManualClock(NOON_MS)) {
  const lines: (LogFields | undefined)[] = [];
  const jobs = new Jobs({
    clock,
    log: { write: (_level, _message, fields) => lines.push(fields) },
  });
  const runsMs: number[] = [];
  const add = (job: Partial<Job>) =>
    jobs.add({
      ...{ name: 'status', lane: null, schedule: { everyMs: 1000 }, once: false },
      run: async () => void runsMs.push(clock.wallMs() - NOON_MS),
      ...job,
    });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await jobs.settled();
  };
  return { clock, jobs, lines, runsMs, add, pass };
}

describe('[JB1] a job', () => {
  it('runs at the start, and so long after the end of each run', async () => {
    const { jobs, runsMs, add, pass } = open();
    add({});
    await pass(5000);
    expect(runsMs).toEqual([]);
    jobs.start();
    await pass(0);
    await pass(999);
    expect(runsMs).toEqual([5000]);
    await pass(1);
    await pass(1000);
    expect(runsMs).toEqual([5000, 6000, 7000]);
    await jobs.stop();
    await pass(60_000);
    expect(runsMs).toHaveLength(3);
  });

  it('begins later where its schedule says so', async () => {
    const { jobs, runsMs, add, pass } = open();
    add({ schedule: { everyMs: 1000, firstAfterMs: 400 } });
    jobs.start();
    await pass(399);
    expect(runsMs).toEqual([]);
    await pass(1);
    expect(runsMs).toEqual([400]);
  });

  it('never runs twice at once: what was asked for meanwhile is one run more', async () => {
    const { jobs, runsMs, add, pass } = open();
    let ask = (): void => undefined;
    let finish = (): void => undefined;
    let isListening = false;
    let running = 0;
    add({
      run: async () => {
        running += 1;
        expect(running).toBe(1);
        runsMs.push(0);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        running -= 1;
      },
      onNeed: (asked) => {
        ask = asked;
        isListening = true;
        return () => {
          isListening = false;
        };
      },
    });
    jobs.start();
    for (let time = 0; time < 3; time += 1) ask();
    expect(runsMs).toHaveLength(1);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(runsMs).toHaveLength(2);
    const stopped = jobs.stop();
    ask();
    finish();
    await stopped;
    await pass(60_000);
    expect(runsMs).toHaveLength(2);
    expect(isListening).toBe(false);
  });

  it('of each day runs at the start and soon after midnight UTC, also where the clock was set', async () => {
    const { clock, jobs, runsMs, add, pass } = open();
    add({ schedule: { daily: true } });
    jobs.start();
    for (let part = 0; part < 71; part += 1) await pass(TEN_MINUTES_MS);
    expect(runsMs).toEqual([0]);
    await pass(TEN_MINUTES_MS);
    expect(runsMs).toEqual([0, DAY_MS / 2]);
    clock.setWall(NOON_MS + DAY_MS + DAY_MS / 2);
    await pass(TEN_MINUTES_MS);
    expect(runsMs).toHaveLength(3);
    await pass(TEN_MINUTES_MS);
    expect(runsMs).toHaveLength(3);
  });
});

describe('[JB2] a run that fails', () => {
  const away = async () => {
    throw new Error('the database is away');
  };

  it('is a line of the log, is counted, and the next run follows', async () => {
    const { jobs, lines, add, pass } = open();
    let isAway = true;
    add({ lane: 'sandbox', run: async () => (isAway ? away() : undefined) });
    jobs.start();
    await pass(0);
    const [first] = jobs.reports;
    expect(lines).toMatchObject([
      { job: 'status', lane: 'sandbox', error: { message: 'the database is away' } },
    ]);
    expect(first).toMatchObject({
      runs: 1,
      failures: 1,
      lastFailure: { atMs: NOON_MS, message: 'the database is away' },
      nextMs: NOON_MS + 1000,
    });
    isAway = false;
    await pass(1000);
    expect(jobs.reports).toMatchObject([
      { runs: 2, failures: 1, lastRun: { atMs: NOON_MS + 1000 } },
    ]);
    expect(lines).toHaveLength(1);
  });

  it('of a daily job is tried again after ten minutes', async () => {
    const { jobs, add, pass } = open();
    let failures = 2;
    add({
      schedule: { daily: true },
      run: async () => {
        failures -= 1;
        if (failures >= 0) await away();
      },
    });
    jobs.start();
    await pass(0);
    expect(jobs.reports).toMatchObject([{ failures: 1, nextMs: NOON_MS + TEN_MINUTES_MS }]);
    for (let part = 0; part < 5; part += 1) await pass(TEN_MINUTES_MS);
    expect(jobs.reports).toMatchObject([{ runs: 3, failures: 2, nextMs: NOON_MS + DAY_MS / 2 }]);
  });
});
