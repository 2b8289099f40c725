// The mode of a lane, as GET /v1/health and the message platform_mode name it.
import type { Lane } from '@sibyl/lane';
import { ManualClock } from '@sibyl/lane/testing';
import { expect, it } from 'vitest';
import { healthHandlers } from '../../src/modules/health/handlers.ts';
import { LaneWatch } from '../../src/streams/lane-watch.ts';
import { platformModeOf } from '../../src/wire/platform-mode.ts';
import { NOON_MS } from '../gateway/harness.ts';

type LaneState = ReturnType<Lane['status']>['state'];

/** What decides the mode: the lane's own state, what an operator has set, and maintenance. */
const calm = {
  state: 'running' as LaneState,
  clockDifferenceMs: null as number | null,
  readOnly: false,
  cancelOnly: false,
  isMaintained: false,
};
const clock = new ManualClock(NOON_MS);

function open(start: typeof calm) {
  let now = start;
  const said: string[] = [];
  const lane = {
    name: 'live' as const,
    status: () => ({ ...now, seq: 1, durableSeq: 1, reason: null }),
    read: async (act: (state: object) => unknown) => act(now),
  };
  const watch = new LaneWatch(
    lane,
    clock,
    (type, data) => type === 'platform_mode' && said.push((data as { mode: string }).mode),
    () => undefined,
    () => now.isMaintained,
  );
  const modeSet = () => ({ mode: platformModeOf(now.readOnly, now.cancelOnly), reason: 'x' });
  watch.begin(modeSet());
  const maintenance = {
    get news() {
      return now.isMaintained ? { phase: 'started', startsAtMs: 0 } : null;
    },
  };
  const { getHealth } = healthHandlers({ clock, version: '1', maintenance });
  const request = { laneName: 'live', lanes: { live: lane } };
  return {
    said,
    become(next: typeof calm): void {
      const isSet = next.readOnly !== now.readOnly || next.cancelOnly !== now.cancelOnly;
      now = next;
      if (isSet) watch.change(modeSet());
      watch.check();
    },
    opening: () =>
      watch.openingMessages().flatMap(([type, data]) => (type === 'platform_mode' ? [data] : [])),
    async health() {
      const answer = await getHealth(request as never, undefined as never);
      return (answer as { data: { mode: string; read_only: boolean } }).data;
    },
  };
}

const halted = { readOnly: true, cancelOnly: true };

it.each([
  ['all is well', {}, 'normal'],
  ['the disk is full', { state: 'read_only' }, 'read_only'],
  ['the lane recovers', { state: 'recovering' }, 'read_only'],
  ['the lane has stopped', { state: 'stopped' }, 'read_only'],
  ['the clock is apart', { clockDifferenceMs: 5_000 }, 'read_only'],
  ['maintenance is under way', { isMaintained: true }, 'read_only'],
  ['an operator has paused it', { readOnly: true }, 'read_only'],
  ['an operator has halted it', halted, 'cancel_only'],
  ['it is halted and its disk is full', { ...halted, state: 'read_only' }, 'cancel_only'],
  ['it is halted in maintenance', { ...halted, isMaintained: true }, 'cancel_only'],
] as const)('[WS20] health and sockets name the same mode when %s', async (_name, more, mode) => {
  const condition = { ...calm, ...more };
  const lane = open(calm);
  lane.become(condition);
  expect(lane.said.at(-1) ?? 'normal').toBe(mode);
  expect(lane.opening()).toMatchObject(mode === 'normal' ? [] : [{ mode }]);
  expect(await lane.health()).toMatchObject({ mode, read_only: mode !== 'normal' });
  const begun = open(condition);
  begun.become(condition);
  expect(begun.opening()).toMatchObject(mode === 'normal' ? [] : [{ mode }]);
});

it('[WS20] a lane that is well again stays in the mode that an operator has set', () => {
  const lane = open(calm);
  lane.become({ ...calm, ...halted });
  lane.become({ ...calm, ...halted, state: 'read_only' });
  lane.become({ ...calm, ...halted });
  lane.become({ ...calm, state: 'read_only' });
  lane.become(calm);
  lane.become({ ...calm, isMaintained: true });
  lane.become(calm);
  expect([...new Set(lane.said.slice(0, 3))]).toEqual(['cancel_only']);
  expect(lane.said.slice(-4)).toEqual(['read_only', 'normal', 'read_only', 'normal']);
});
