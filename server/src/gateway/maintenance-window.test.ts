import { type AnyOperation, operations } from '@sibyl/contract';
import { ManualClock } from '@sibyl/lane/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryPlatformStore } from '../adapters/memory/platform.ts';
import { MaintenanceWindow } from './maintenance-window.ts';

const NOON_MS = 1_794_744_000_000;
const HOUR_MS = 3_600_000;
const who = { actor: 'grace', reason: 'new disks', message: null };
const all = Object.values<AnyOperation>(operations);

let clock: ManualClock;
let platform: MemoryPlatformStore;
let window: MaintenanceWindow;

beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  platform = new MemoryPlatformStore();
  window = await MaintenanceWindow.open(platform, clock);
});

function worksNow(): readonly string[] {
  return all.filter((one) => window.refusalOf(one) === null).map(({ id }) => id);
}

describe('[MN1] what maintenance stops', () => {
  const begin = (effect: 'read_only' | 'cancel_only' | 'down') =>
    window.plan({ ...who, effect, startsAtMs: NOON_MS, endsAtMs: null });

  it('is nothing while there is none', () => {
    expect(worksNow()).toHaveLength(all.length);
    expect(window.news).toBeNull();
  });

  it('is what read-only mode stops, every write but the ways out, or all but health', async () => {
    await begin('read_only');
    const readable = all.filter(({ readOnlyMode }) => readOnlyMode !== 'blocked');
    expect(worksNow()).toEqual(readable.map(({ id }) => id));
    await begin('cancel_only');
    const writes = worksNow().filter((id) => all.find((one) => one.id === id)?.method !== 'GET');
    expect(writes.sort()).toEqual(
      ['cancelAllOrders', 'cancelOrder', 'deleteWebhook', 'logOut', 'revokeKey'].sort(),
    );
    expect(worksNow()).toEqual(expect.arrayContaining(['getOrder', 'listMarkets', 'getBalance']));
    await begin('down');
    expect(worksNow()).toEqual(['getHealth', 'getStatus']);
    await window.end(who);
    expect(worksNow()).toHaveLength(all.length);
  });

  it('says when to come back: at its end, or after a minute when that is not known', async () => {
    const retryAfter = () => window.refusalOf(operations.placeOrder)?.headers?.['retry-after'];
    await window.plan({
      ...who,
      effect: 'down',
      startsAtMs: NOON_MS,
      endsAtMs: NOON_MS + HOUR_MS + 1,
    });
    expect(retryAfter()).toBe('3601');
    clock.advance(HOUR_MS);
    expect(retryAfter()).toBe('1');
    clock.advance(HOUR_MS);
    expect(retryAfter()).toBe('60');
  });
});

describe('[MN2] the course of maintenance', () => {
  const announced = { ...who, effect: 'down', endsAtMs: null } as const;

  it('begins by itself at its time, however far off, and tells of every phase once', async () => {
    const phases: string[] = [];
    window.onNews(({ phase }) => phases.push(phase));
    const startsAtMs = NOON_MS + 40 * 24 * HOUR_MS;
    await window.plan({ ...announced, startsAtMs });
    expect(window.news).toMatchObject({ phase: 'scheduled', startsAtMs });
    for (let day = 0; day < 40; day += 1) {
      expect(worksNow()).toHaveLength(all.length);
      clock.advance(24 * HOUR_MS);
    }
    expect(worksNow()).toEqual(['getHealth', 'getStatus']);
    expect(await window.end(who)).toMatchObject({ phase: 'ended', endsAtMs: startsAtMs });
    expect(phases).toEqual(['scheduled', 'started', 'ended']);
    expect(await window.end(who)).toMatchObject({ code: 'STATE_CONFLICT' });
  });

  it('outlives a restart, announced or begun', async () => {
    await window.plan({ ...announced, startsAtMs: NOON_MS + HOUR_MS });
    window.close();
    window = await MaintenanceWindow.open(platform, clock);
    expect(window.news?.phase).toBe('scheduled');
    window.close();
    clock.advance(2 * HOUR_MS);
    window = await MaintenanceWindow.open(platform, clock);
    expect(window.news).toMatchObject({ phase: 'started', actor: 'grace' });
    expect(worksNow()).toEqual(['getHealth', 'getStatus']);
    await window.end(who);
    expect((await MaintenanceWindow.open(platform, clock)).news).toBeNull();
  });
});
