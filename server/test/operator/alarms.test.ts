// Alarms: when they begin and end, what is said and mailed of them, and what raises them.

import { readFileSync } from 'node:fs';
import { type AlarmName, alarmActions, alarmNames } from '@sibyl/contract';
import { ManualClock } from '@sibyl/lane/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryMail } from '../../src/adapters/memory/mail.ts';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { mailAlarm } from '../../src/mail/alarm-letter.ts';
import { type AlarmSources, alarmChecks } from '../../src/operator/alarm-checks.ts';
import { type AlarmCheck, AlarmWatch, type FoundAlarm } from '../../src/operator/alarm-watch.ts';
import { NOON_MS } from '../gateway/harness.ts';
import { type OperatorHarness, openOperator, trader } from './harness.ts';

const MINUTE_MS = 60_000;
const ADDRESSES = ['duty@example.com', 'second@example.com'];

let clock: ManualClock;
let platform: MemoryPlatformStore;
let mail: MemoryMail;
let lines: string[];
let found: Partial<Record<AlarmName, readonly FoundAlarm[] | null>>;
let isMailDown: boolean;
let watch: AlarmWatch;

const send = {
  send: async (letter: Parameters<MemoryMail['send']>[0]) => {
    if (isMailDown) throw new Error('down');
    await mail.send(letter);
  },
};

async function open(): Promise<void> {
  const check = (name: AlarmName): AlarmCheck => {
    return async () => found[name] ?? (name in found ? null : []);
  };
  watch = await AlarmWatch.open({
    checks: Object.fromEntries(alarmNames.map((name) => [name, check(name)])) as never,
    ...{ platform, clock },
    log: {
      write: (level, message, { alarm, lane, reason } = {}) =>
        void lines.push(`${level} ${message} ${alarm} ${lane} ${reason}`),
    },
    mail: (alarm, endedAtMs) => mailAlarm(send, ADDRESSES, alarm, endedAtMs),
  });
}

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  platform = new MemoryPlatformStore();
  mail = new MemoryMail();
  lines = [];
  found = {};
  isMailDown = false;
  await open();
});

const subjects = () => mail.letters.map(({ to, subject }) => `${to} ${subject}`);
const full = { lane: null, detail: '5 MiB free' } as const;

async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await watch.look();
}

describe('an alarm', () => {
  it('[AL1] is an error line, in the list and one letter to each address, once', async () => {
    found = { disk_scarce: [full] };
    await watch.look();
    await pass(MINUTE_MS);
    expect(watch.current).toMatchObject([{ name: 'disk_scarce', sinceMs: NOON_MS, ...full }]);
    expect(lines).toEqual(['error alarm disk_scarce disk_scarce undefined 5 MiB free']);
    expect(subjects()).toEqual(ADDRESSES.map((to) => `${to} Sibyl: alarm disk_scarce`));
    expect(mail.letters[0]?.text).toContain(alarmActions.disk_scarce);
  });

  it('[AL1] ends after a minute without its condition, with one more letter', async () => {
    found = { custody_silent: [{ lane: 'live', detail: 'no answer' }] };
    await watch.look();
    found = {};
    await pass(MINUTE_MS / 2);
    // It comes back before the minute is over: the same alarm.
    found = { custody_silent: [{ lane: 'live', detail: 'again' }] };
    await pass(MINUTE_MS);
    found = {};
    await pass(1000);
    await pass(MINUTE_MS - 1);
    expect(watch.current).toHaveLength(1);
    expect(mail.letters).toHaveLength(2);
    await pass(1);
    expect(watch.current).toEqual([]);
    expect(lines.at(-1)).toBe('warn alarm custody_silent is over custody_silent live again');
    expect(subjects().slice(2)).toEqual(
      ADDRESSES.map((to) => `${to} Sibyl: alarm custody_silent, live is over`),
    );
    await pass(MINUTE_MS);
    expect(mail.letters).toHaveLength(4);
  });

  it('[AL2] is announced once over restarts, and its end too', async () => {
    found = { disk_scarce: [full] };
    await watch.look();
    clock.advance(5000);
    await open();
    await watch.look();
    expect(watch.current).toMatchObject([{ sinceMs: NOON_MS }]);
    expect(mail.letters).toHaveLength(2);
    // Each process says it in its log.
    expect(lines).toHaveLength(2);
    found = {};
    await watch.look();
    await open();
    await pass(MINUTE_MS);
    expect(mail.letters).toHaveLength(4);
  });

  it('[AL2] is mailed later if the server of mail is down, also after a restart', async () => {
    isMailDown = true;
    found = { disk_scarce: [full] };
    await watch.look();
    expect(lines.at(-1)).toContain('warn an alarm was not mailed yet');
    const count = lines.length;
    await pass(MINUTE_MS / 2);
    expect(lines).toHaveLength(count);
    isMailDown = false;
    await open();
    await watch.look();
    expect(mail.letters).toHaveLength(2);
  });

  it('[AL1] stays in force while its check fails or hangs', async () => {
    found = { database_away: [full], disk_scarce: [full] };
    await watch.look();
    found = { database_away: null, disk_scarce: [full] };
    await pass(10 * MINUTE_MS);
    expect(watch.current.map(({ name }) => name)).toEqual(['disk_scarce', 'database_away']);
  });
});

describe('[AL3] the checks', () => {
  let plane: OperatorHarness;
  let sources: AlarmSources;
  beforeEach(async () => {
    plane = await openOperator('sandbox');
    const quiet = { overdueMs: 0, unread: [], disabled: 0, endpoints: 0 };
    sources = {
      opened: { sandbox: { lane: plane.lane } as never },
      modes: { sandbox: { current: null } },
      reconciliations: { state: async () => ({ run: null, report: null }) } as never,
      clock: plane.clock,
      dataDir: '/',
      delivery: { status: async () => quiet },
      database: null,
    };
  });
  afterEach(() => plane.close());

  const ask = (name: AlarmName, more: Partial<AlarmSources> = {}) =>
    alarmChecks({ ...sources, ...more })[name]();

  it('find nothing while all is well', async () => {
    for (const name of alarmNames) {
      if (name !== 'disk_scarce') expect([name, await ask(name)]).toEqual([name, []]);
    }
  });

  it('find a lane that is paused, with the private reason', async () => {
    const act = { lane: 'sandbox', reason: 'a drill' };
    await plane.post('/mode', { ...act, mode: 'cancel_only' });
    const change = { isHalt: true, reason: 'a drill', message: 'x', by: 'opr_ada', sinceMs: 1 };
    const modes = { sandbox: { current: change } };
    const [alarm] = (await ask('lane_not_trading', { modes })) ?? [];
    expect(alarm).toEqual({ lane: 'sandbox', detail: 'halted by opr_ada: a drill' });
  });

  it('find a dispute without a ruling for three days', async () => {
    const params = { question: 'Will A launch B?', closes_at_ms: 1_800_000_000_000 };
    const id = await plane.market('own-question', params);
    const evidence = ['https://example.com'];
    const act = { lane: 'sandbox', reason: 'ticket 4711' };
    await plane.post(`/markets/${id}/resolution`, { ...act, winning_outcome_id: 'yes', evidence });
    const bond = 100_000_000n as never;
    const dispute = { type: 'dispute_resolution', marketId: id, evidence, bond } as const;
    const { answer } = await plane.submit({ ...dispute, accountId: trader });
    expect(answer).toMatchObject({ ok: true });
    plane.clock.advance(3 * 86_400_000 - 1);
    await plane.submit({ type: 'tick' });
    expect(await ask('proposal_overdue')).toEqual([]);
    plane.clock.advance(1);
    await plane.submit({ type: 'tick' });
    expect(await ask('proposal_overdue')).toEqual([
      { lane: 'sandbox', detail: `1 markets wait: ${id}` },
    ]);
  });

  it('find outages, differences and a backlog', async () => {
    const outage = { sinceMs: NOON_MS, reason: 'refused' };
    expect(await ask('database_away', { database: { outage } })).toMatchObject([{ lane: null }]);
    const custodyWatch = { isKnown: true, outage, unclearPayouts: 0 };
    expect(await ask('custody_silent', { custodyWatch })).toMatchObject([{ lane: 'live' }]);
    const unread = [['sandbox', 100_000]] as const;
    const status = async () => ({ overdueMs: 600_000, unread, disabled: 0, endpoints: 1 });
    expect(await ask('webhook_backlog', { delivery: { status } })).toMatchObject([
      { lane: 'sandbox' },
      { lane: null, detail: 'the oldest delivery is due for 10 minutes' },
    ]);
    const invariants = [{ rule: 'escrow', holds: false, detail: 'x' }];
    const report = { balanced: false, sum: '1', custody: null, invariants };
    const reconciliations = { state: async () => ({ run: null, report }) } as never;
    expect(await ask('reconciliation_failed', { reconciliations })).toMatchObject([
      { lane: 'sandbox', detail: 'sum 1; broken: escrow' },
    ]);
  });
});

it('[AL3] every alarm stands in the guide with what to do', () => {
  const guide = readFileSync(new URL('../../../docs/OPERATING.md', import.meta.url), 'utf8');
  for (const name of alarmNames) expect(guide).toContain(`| \`${name}\` |`);
});
