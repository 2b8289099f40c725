// The clocks beside journal time: a plain calendar, minute by minute, against the engine's sums.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tradingMs } from '../../test/clocks.ts';
import { makeWorld, START_MS } from '../../test/world.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { windowTime } from './time.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const step = fc.record({
  minutes: fc.oneof(fc.nat(5), fc.nat(90)),
  what: fc.constantFrom('tick', 'recover', 'read_only', 'writable'),
});

/** What both clocks should have counted, going through every minute. */
class Calendar {
  trading = 0;
  window = 0;
  #minute = 0;
  #graceUntil = 0;
  #isReadOnly = false;

  pass(minutes: number, isDown: boolean): void {
    for (let count = 0; count < minutes; count += 1) {
      const stands = isDown || this.#isReadOnly;
      if (!stands) this.trading += 1;
      if (!stands && this.#minute >= this.#graceUntil) this.window += 1;
      this.#minute += 1;
    }
  }

  recover(): void {
    this.#graceUntil = this.#minute + 60;
  }

  set(isReadOnly: boolean): void {
    this.#isReadOnly = isReadOnly;
  }
}

describe('[CM12] trading time and window time', () => {
  test('are what a calendar counts, whatever happens, and the same in a restored state', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const world = makeWorld();
        world.pass(0);
        const calendar = new Calendar();
        const [trading, window] = [tradingMs(world.state), windowTime(world.state)];
        for (const { minutes, what } of steps) {
          world.nowMs += minutes * MINUTE;
          calendar.pass(minutes, what === 'recover');
          if (what === 'recover') {
            world.do({ type: 'recover' });
            calendar.recover();
          } else if (what === 'tick') {
            world.run({ type: 'tick' });
          } else {
            const readOnly = what === 'read_only';
            world.do({ type: 'set_read_only', readOnly, reason: 'x' });
            calendar.set(readOnly);
          }
          for (const state of [world.state, decodeSnapshot(encodeSnapshot(world.state))]) {
            expect(tradingMs(state) - trading).toBe(calendar.trading * MINUTE);
            expect(windowTime(state) - window).toBe(calendar.window * MINUTE);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('stand still from the last command before a recovery, and the latter for an hour more', () => {
    const world = makeWorld();
    world.pass(0);
    world.nowMs += 5 * HOUR;
    world.do({ type: 'recover' });
    expect(tradingMs(world.state)).toBe(START_MS);
    expect(windowTime(world.state)).toBe(START_MS);
    world.pass(HOUR - 1);
    expect(tradingMs(world.state)).toBe(START_MS + HOUR - 1);
    expect(windowTime(world.state)).toBe(START_MS);
    world.pass(2);
    expect(windowTime(world.state)).toBe(START_MS + 1);
  });

  test('are not stopped by a lane that nobody speaks to', () => {
    const world = makeWorld();
    world.pass(0);
    world.pass(5 * HOUR);
    expect([tradingMs(world.state), windowTime(world.state)]).toEqual([world.nowMs, world.nowMs]);
  });
});
