// Journal time against a wall clock that misbehaves.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceClock, startClock } from './clock.ts';

const DAY_MS = 86_400_000;

describe('journal clock', () => {
  it('[CM9] a wall clock that jumps three days ahead moves journal time by real time only', () => {
    let clock = startClock(0, 1_000_000, 0);
    for (let second = 1; second <= 60; second += 1) {
      clock = advanceClock(clock, 1_000_000 + 3 * DAY_MS + second * 1000, second * 1000);
    }
    // One minute passed; leaning a twentieth towards the wall clock allows three seconds more.
    expect(clock.journalMs).toBe(1_000_000 + 60_000 + 3_000);
  });

  it('[CM9] a wall clock that jumps three days back does not freeze journal time', () => {
    let clock = startClock(0, 10 * DAY_MS, 0);
    for (let second = 1; second <= 60; second += 1) {
      clock = advanceClock(clock, 7 * DAY_MS + second * 1000, second * 1000);
    }
    expect(clock.journalMs).toBe(10 * DAY_MS + 60_000 - 3_000);
  });

  it('[CM9] a start takes the later of the journal and the wall clock', () => {
    expect(startClock(500, 400, 7).journalMs).toBe(500);
    expect(startClock(500, 600, 7).journalMs).toBe(600);
  });

  it('[CM9] journal time never goes back and follows an honest wall clock exactly', () => {
    const readings = fc.array(fc.tuple(fc.nat(5000), fc.integer({ min: -DAY_MS, max: DAY_MS })), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(readings, (steps) => {
        let crooked = startClock(0, DAY_MS, 0);
        let honest = startClock(0, DAY_MS, 0);
        let monotonicMs = 0;
        for (const [elapsedMs, jumpMs] of steps) {
          monotonicMs += elapsedMs;
          const next = advanceClock(crooked, DAY_MS + monotonicMs + jumpMs, monotonicMs);
          expect(next.journalMs).toBeGreaterThanOrEqual(crooked.journalMs);
          crooked = next;
          honest = advanceClock(honest, DAY_MS + monotonicMs, monotonicMs);
          expect(honest.journalMs).toBe(DAY_MS + monotonicMs);
        }
      }),
    );
  });
});
