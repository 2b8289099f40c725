// Who paused a lane, when and why: as it happens, and found again in the journal after a start.
import { type Actor, DEFAULT_PARAMETERS } from '@sibyl/engine';
import { Lane } from '@sibyl/lane';
import { ManualClock, MemoryJournal, MemoryStore } from '@sibyl/lane/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { healthHandlers } from '../modules/health/handlers.ts';
import { ModeWatch } from './mode-watch.ts';

const NOON_MS = 1_794_744_000_000;
const SYSTEM: Actor = { kind: 'system' };

let clock: ManualClock;
let store: MemoryStore;
let journal: MemoryJournal;
let lane: Lane;
beforeEach(async () => {
  clock = new ManualClock(NOON_MS);
  store = new MemoryStore();
  await start();
});
afterEach(() => lane.close());

async function start(): Promise<ModeWatch> {
  journal = new MemoryJournal(store);
  lane = await Lane.open({
    ...{ name: 'live', parameters: DEFAULT_PARAMETERS, snapshots: null },
    ...{ journal, clock },
  });
  return ModeWatch.open({ lane, journal });
}

async function restart(): Promise<ModeWatch> {
  await lane.close();
  return start();
}

const REASON = 'ticket 4711';

async function set(mode: 'normal' | 'paused' | 'halted', by: string, message: string) {
  const halt = { readOnly: mode !== 'normal', cancelOnly: mode === 'halted' };
  const body = { type: 'set_read_only', ...halt, reason: message } as const;
  const actor: Actor = by === 'system' ? SYSTEM : { kind: 'operator', name: by, reason: REASON };
  await lane.submit({ body, actor, requestId: 'mode' });
}

it('[AO1] who halted a lane, when and why is known while it lasts, and after a restart', async () => {
  const watch = await restart();
  expect(watch.current).toBeNull();
  await set('paused', 'opr_ada', 'a look at the feed');
  clock.advance(60_000);
  await set('halted', 'opr_grace', 'wrong prices');
  const halt = {
    ...{ isHalt: true, reason: REASON, message: 'wrong prices' },
    ...{ by: 'opr_grace', sinceMs: NOON_MS + 60_000 },
  };
  expect(watch.current).toEqual(halt);
  // Neither whoever halts it once more nor the lane itself changes anything.
  await set('halted', 'opr_ada', 'me too');
  await set('paused', 'system', 'the clock');
  expect(watch.current).toEqual(halt);
  const again = await restart();
  expect(again.current).toEqual(halt);
  await set('normal', 'opr_grace', 'prices are right');
  expect([watch.current, again.current]).toEqual([halt, null]);
  expect((await restart()).current).toBeNull();
});

it('[AO1] a halt is found however much came after it', async () => {
  await set('halted', 'opr_grace', 'wrong prices');
  for (let turn = 0; turn < 5_000; turn += 1) {
    await lane.submit({ body: { type: 'tick' }, actor: SYSTEM, requestId: 'tick' });
  }
  expect((await restart()).current).toMatchObject({ message: 'wrong prices', by: 'opr_grace' });
});

it('[AO1] [AO10] health shows the message, neither the reason nor the operator', async () => {
  const modes = { live: await restart() };
  await set('halted', 'opr_grace', 'wrong prices');
  const { getHealth } = healthHandlers({ clock, version: '1', modes });
  const request = { laneName: 'live', lanes: { live: lane } } as unknown as Parameters<
    typeof getHealth
  >[0];
  const answer = await getHealth(request, undefined as never);
  expect(answer).toMatchObject({ data: { mode: 'cancel_only', reason: 'wrong prices' } });
  expect(JSON.stringify(answer)).not.toContain('grace');
  expect(JSON.stringify(answer)).not.toContain(REASON);
});
