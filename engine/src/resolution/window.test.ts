// Challenge windows run in window time: not while the lane is down or read-only, nor in the hour after a recovery.
import { describe, expect, test } from 'vitest';
import {
  codeOf,
  DAY,
  dispute,
  HOUR,
  locked,
  oracle,
  propose,
  type Scene,
} from '../../test/resolution.ts';
import { ofType } from '../../test/world.ts';
import { stateHash } from '../hash.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';

/** A proposal made now; times are counted from it. */
function proposed(): Scene & { readonly fromMs: number } {
  const scene = locked();
  scene.world.do(propose(scene.market));
  return { ...scene, fromMs: scene.world.nowMs };
}

/** Nothing happens until then: the lane was down. */
function recoverAt({ world }: Scene, atMs: number) {
  world.nowMs = atMs;
  return world.do({ type: 'recover' });
}

function setReadOnly({ world }: Scene, atMs: number, readOnly: boolean): void {
  world.pass(atMs - world.nowMs);
  world.do({ type: 'set_read_only', readOnly, reason: 'x' });
}

/** The moment at which the market resolves, to the millisecond. */
function resolvesAt({ world, market }: Scene, atMs: number): void {
  world.pass(atMs - 1 - world.nowMs);
  expect(market.status).toBe('settling');
  world.pass(1);
  expect(market.status).toBe('resolved');
}

/** When the window is said to end, after the timer of the time has rung. */
function movedTo({ world, market }: Scene, atMs: number): number | undefined {
  const { events } = world.pass(atMs - world.nowMs);
  expect(market.status).toBe('settling');
  const [moved] = ofType(events, 'resolution_window_moved');
  expect(moved?.windowEndsAtMs).toBe(market.proposal?.windowEndsAtMs);
  return moved?.windowEndsAtMs;
}

describe('[RS9][CM12] a window that stood still', () => {
  test('for ten hours of downtime and the hour after it, ends eleven hours later', () => {
    const scene = proposed();
    const { fromMs } = scene;
    recoverAt(scene, fromMs + 10 * HOUR);
    expect(movedTo(scene, fromMs + DAY)).toBe(fromMs + 35 * HOUR);
    // Everybody can object all the time that it had stood still.
    resolvesAt(scene, fromMs + 35 * HOUR);
  });

  test('because the lane was down at its end, begins after the hour of grace', () => {
    const scene = proposed();
    const { fromMs, market } = scene;
    const { events } = recoverAt(scene, fromMs + 30 * HOUR);
    expect(events).toEqual([
      {
        type: 'resolution_window_moved',
        marketId: market.id,
        windowEndsAtMs: fromMs + 31 * HOUR + DAY,
      },
    ]);
    expect(codeOf(scene.world, dispute(market))).toBe('ok');
    const calm = proposed();
    recoverAt(calm, calm.fromMs + 30 * HOUR);
    resolvesAt(calm, calm.fromMs + 31 * HOUR + DAY);
  });

  test('for the hour after a recovery that nobody noticed', () => {
    const scene = proposed();
    const { fromMs } = scene;
    scene.world.pass(5 * HOUR);
    recoverAt(scene, fromMs + 5 * HOUR);
    expect(movedTo(scene, fromMs + DAY)).toBe(fromMs + DAY + HOUR);
    resolvesAt(scene, fromMs + DAY + HOUR);
  });

  test('for two recoveries within an hour, until an hour after the second', () => {
    const scene = proposed();
    const { fromMs, world } = scene;
    recoverAt(scene, fromMs);
    world.pass(HOUR / 2);
    recoverAt(scene, fromMs + HOUR / 2);
    expect(movedTo(scene, fromMs + DAY)).toBe(fromMs + DAY + 1.5 * HOUR);
    resolvesAt(scene, fromMs + DAY + 1.5 * HOUR);
  });

  test('in the last millisecond, is a millisecond short', () => {
    const scene = proposed();
    const { fromMs, world } = scene;
    world.pass(DAY - 1);
    setReadOnly(scene, fromMs + DAY - 1, true);
    world.nowMs += 1;
    world.do({ type: 'set_read_only', readOnly: false, reason: 'x' });
    expect(scene.market.status).toBe('settling');
    // It was found short in read-only mode, where there is an hour until the next look.
    resolvesAt(scene, fromMs + DAY + HOUR);
  });

  test('in read-only mode, goes on when that ends', () => {
    const scene = proposed();
    const { fromMs } = scene;
    setReadOnly(scene, fromMs + 3 * HOUR, true);
    setReadOnly(scene, fromMs + 8 * HOUR, false);
    expect(movedTo(scene, fromMs + DAY)).toBe(fromMs + 29 * HOUR);
    resolvesAt(scene, fromMs + 29 * HOUR);
  });

  test('in read-only mode at its end, is looked at again an hour later at the earliest', () => {
    const scene = proposed();
    const { fromMs } = scene;
    setReadOnly(scene, fromMs + 23.5 * HOUR, true);
    expect(movedTo(scene, fromMs + DAY)).toBe(fromMs + 25 * HOUR);
    expect(movedTo(scene, fromMs + 25 * HOUR)).toBe(fromMs + 26 * HOUR);
    setReadOnly(scene, fromMs + 25.5 * HOUR, false);
    resolvesAt(scene, fromMs + 26 * HOUR);
  });

  test('in read-only mode with more than an hour to run, is looked at when that can have passed', () => {
    const scene = proposed();
    const { fromMs } = scene;
    setReadOnly(scene, fromMs + 20 * HOUR, true);
    expect(movedTo(scene, fromMs + DAY)).toBe(fromMs + 28 * HOUR);
  });

  test('is the same for the window of an operator', () => {
    const scene = locked();
    const { world, market } = scene;
    world.do(propose(market, { proposerId: null }));
    const fromMs = world.nowMs;
    recoverAt(scene, fromMs + 90 * 60_000);
    // Half an hour of grace has passed at its end: none of its two hours have run.
    expect(movedTo(scene, fromMs + 2 * HOUR)).toBe(fromMs + 4.5 * HOUR);
    resolvesAt(scene, fromMs + 4.5 * HOUR);
  });
});

describe('[RS9] what never moves', () => {
  test('a window that ran its time ends at its moment, whenever a late command comes', () => {
    const { world, market } = proposed();
    world.nowMs += 40 * HOUR;
    expect(codeOf(world, dispute(market))).toBe('RESOLUTION_LOCKED');
    expect(market.status).toBe('resolved');
  });

  test('a window of nothing is over at once, in the hour after a recovery and in read-only mode too', () => {
    const scene = locked(oracle({ challengeSec: 0 }));
    recoverAt(scene, scene.world.nowMs);
    scene.world.do({ type: 'set_read_only', readOnly: true, reason: 'x' });
    scene.world.do(propose(scene.market, { proposerId: null }));
    expect(scene.market.status).toBe('resolved');
  });

  test('a dispute: nothing rings for its window any more', () => {
    const scene = proposed();
    recoverAt(scene, scene.fromMs + 10 * HOUR);
    scene.world.do(dispute(scene.market));
    expect(ofType(scene.world.pass(DAY).events, 'resolution_window_moved')).toEqual([]);
  });
});

test('[SN2][RS9] a moved window is restored with its new end', () => {
  const scene = proposed();
  const { world, fromMs } = scene;
  recoverAt(scene, fromMs + 10 * HOUR);
  world.pass(14 * HOUR);
  const restored = decodeSnapshot(encodeSnapshot(world.state));
  expect(stateHash(restored)).toBe(stateHash(world.state));
  expect(restored.timers.nextDueMs()).toBe(fromMs + 35 * HOUR);
});
