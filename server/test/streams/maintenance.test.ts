import { ManualClock } from '@sibyl/lane/testing';
import { expect, test } from 'vitest';
import { MemoryPlatformStore } from '../../src/adapters/memory/platform.ts';
import { MaintenanceWindow } from '../../src/gateway/maintenance-window.ts';
import { openStage } from './stage.ts';

const NOON_MS = 1_794_744_000_000;

test('[MN3] every socket hears of maintenance as it is announced, begins and ends; a new one at once', async () => {
  const clock = new ManualClock(NOON_MS);
  const maintenance = await MaintenanceWindow.open(new MemoryPlatformStore(), clock);
  const stage = await openStage({ maintenance });
  const live = await stage.connect('/ws');
  const sandbox = await stage.connect();
  await sandbox.ask({ op: 'LOCALE', id: 1, locale: 'de-AT' }, 'locale_set');
  await maintenance.plan({
    effect: 'cancel_only',
    startsAtMs: NOON_MS + 60_000,
    endsAtMs: NOON_MS + 120_000,
    message: null,
    actor: 'grace',
    reason: 'new disks',
  });
  for (const client of [live, sandbox]) {
    const { data } = await client.next('maintenance');
    expect(data).toMatchObject({ phase: 'scheduled', effect: 'cancel_only' });
    expect(data.starts_at_ms).toBe(NOON_MS + 60_000);
    expect(JSON.stringify(data)).not.toContain('grace');
    const isGerman = client === sandbox;
    expect(data.message).toMatch(isGerman ? /gewartet/ : /maintenance/);
  }
  clock.advance(60_000);
  expect((await live.next('maintenance')).data.phase).toBe('started');
  const late = await stage.connect();
  expect((await late.next('maintenance')).data.phase).toBe('started');
  await maintenance.end({ actor: 'grace', reason: 'done' });
  expect((await late.next('maintenance')).data.phase).toBe('ended');
  const after = await stage.connect();
  await after.ask({ op: 'PING', id: 2 }, 'pong');
  expect(after.frames.map(({ type }) => type)).not.toContain('maintenance');
  await stage.close();
});
