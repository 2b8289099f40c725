import { ManualClock } from '@sibyl/lane/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Counted, type RateDecision, RateLimiter } from './rate-limit.ts';

const WALL_MS = 1_794_744_000_500;
const step = fc.record({
  waitMs: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 90_000 })),
  cost: fc.integer({ min: 1, max: 4 }),
});

/** A caller that is counted by itself alone. */
function one(caller: string): Counted {
  return { scope: 'address', caller, account: null };
}

/** The slow definition: every request with the second it came in. */
class Naive {
  readonly taken: { second: number; cost: number }[] = [];
  used(second: number): number {
    return this.taken
      .filter((entry) => entry.second > second - 60)
      .reduce((sum, { cost }) => sum + cost, 0);
  }
}

describe('sliding window', () => {
  it('[PA20] counts exactly what sixty one-second buckets hold, and its headers are true', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 12 }),
        fc.array(step, { maxLength: 60 }),
        (limit, steps) => {
          const clock = new ManualClock(WALL_MS);
          const limiter = new RateLimiter(clock);
          const naive = new Naive();
          for (const { waitMs, cost } of steps) {
            clock.advance(waitMs);
            const second = Math.floor(clock.monotonicMs() / 1000);
            const fits = naive.used(second) + cost <= limit;
            const decision = limiter.take('trade', one('k'), limit, cost);
            if (fits) naive.taken.push({ second, cost });
            expect(decision.isAllowed).toBe(fits);
            expect(decision.limit).toBe(limit);
            expect(decision.remaining).toBe(limit - naive.used(second));
            const last = naive.taken.filter((entry) => entry.second > second - 60).at(-1)?.second;
            const wholeMs = last === undefined ? 0 : (last + 60) * 1000 - clock.monotonicMs();
            expect(decision.resetSec).toBe(Math.ceil((clock.wallMs() + wholeMs) / 1000));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('[PA20] counts what is given back no more, and its headers stay true', () => {
    const limit = 6;
    const given = fc.record({
      waitMs: step.map(({ waitMs }) => waitMs),
      isBack: fc.boolean(),
      index: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 60 }), (steps) => {
        const clock = new ManualClock(WALL_MS);
        const limiter = new RateLimiter(clock);
        const naive = new Naive();
        const decisions: RateDecision[] = [];
        for (const { waitMs, isBack, index } of steps) {
          clock.advance(waitMs);
          const second = Math.floor(clock.monotonicMs() / 1000);
          // Any of those that were taken, however long ago.
          const back = isBack ? decisions.splice(index % (decisions.length || 1), 1)[0] : undefined;
          if (back !== undefined) {
            limiter.giveBack(back, one('k'));
            const at = Math.floor(back.takenAtMs / 1000);
            naive.taken.splice(
              naive.taken.findIndex((entry) => entry.second === at),
              1,
            );
          } else {
            const decision = limiter.take('trade', one('k'), limit, 1);
            if (decision.isAllowed) {
              naive.taken.push({ second, cost: 1 });
              decisions.push(decision);
            }
          }
          const { remaining, resetSec } = limiter.peek('trade', one('k'), limit);
          const last = naive.taken.filter((entry) => entry.second > second - 60).at(-1)?.second;
          const wholeMs = last === undefined ? 0 : (last + 60) * 1000 - clock.monotonicMs();
          expect(remaining).toBe(limit - naive.used(second));
          expect(resetSec).toBe(Math.ceil((clock.wallMs() + wholeMs) / 1000));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('[PA20] Retry-After is the shortest wait after which the same request passes', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const clock = new ManualClock(WALL_MS);
        const limiter = new RateLimiter(clock);
        const naive = new Naive();
        for (const { waitMs, cost } of steps) {
          clock.advance(waitMs % 4000);
          const second = Math.floor(clock.monotonicMs() / 1000);
          const decision = limiter.take('read', one('k'), 6, cost);
          if (decision.isAllowed) {
            naive.taken.push({ second, cost });
            expect(decision.retryAfterSec).toBe(0);
            continue;
          }
          const after = (seconds: number): number =>
            naive.used(Math.floor((clock.monotonicMs() + seconds * 1000) / 1000)) + cost;
          expect(after(decision.retryAfterSec)).toBeLessThanOrEqual(6);
          if (decision.retryAfterSec > 1)
            expect(after(decision.retryAfterSec - 1)).toBeGreaterThan(6);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('[PA20] does not care that the wall clock goes back or far ahead', () => {
    const clock = new ManualClock(WALL_MS);
    const limiter = new RateLimiter(clock);
    for (let index = 0; index < 3; index += 1) limiter.take('read', one('k'), 3, 1);
    for (const wallMs of [WALL_MS - 3_600_000, WALL_MS + 3 * 86_400_000]) {
      clock.setWall(wallMs);
      expect(limiter.take('read', one('k'), 3, 1).isAllowed).toBe(false);
    }
    clock.advance(60_000);
    expect(limiter.take('read', one('k'), 3, 1).isAllowed).toBe(true);
  });

  it('[IF50] keeps callers and categories apart', () => {
    const limiter = new RateLimiter(new ManualClock(WALL_MS));
    expect(limiter.take('read', one('a'), 1, 1).isAllowed).toBe(true);
    expect(limiter.take('read', one('a'), 1, 1).isAllowed).toBe(false);
    expect(limiter.take('trade', one('a'), 1, 1).isAllowed).toBe(true);
    expect(limiter.take('read', one('b'), 1, 1).isAllowed).toBe(true);
  });

  it('[IF30] takes nothing for a look or a refusal', () => {
    const limiter = new RateLimiter(new ManualClock(WALL_MS));
    limiter.take('trade', one('a'), 10, 8);
    expect(limiter.take('trade', one('a'), 10, 3).isAllowed).toBe(false);
    expect(limiter.peek('trade', one('a'), 10).remaining).toBe(2);
    expect(limiter.peek('trade', one('nobody'), 10).remaining).toBe(10);
    expect(limiter.size('trade')).toBe(1);
    expect(limiter.take('trade', one('a'), 10, 2).isAllowed).toBe(true);
  });

  it('[LM1] is bounded, and never forgets a caller who is at its limit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 200 }), (callers) => {
        const clock = new ManualClock(WALL_MS);
        const limiter = new RateLimiter(clock, 8);
        const limited = ['x', 'y', 'z'];
        for (const caller of limited) limiter.take('read', one(caller), 2, 2);
        for (const caller of callers) {
          clock.advance(20);
          limiter.take('read', one(`c${caller}`), 2, 1);
          expect(limiter.size('read')).toBeLessThanOrEqual(8);
          for (const known of limited)
            expect(limiter.take('read', one(known), 2, 1).isAllowed).toBe(false);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('[LM1] turns newcomers away when every place is held by a caller at its limit', () => {
    const clock = new ManualClock(WALL_MS);
    const limiter = new RateLimiter(clock, 3);
    for (const caller of ['a', 'b', 'c']) limiter.take('read', one(caller), 1, 1);
    expect(limiter.take('read', one('d'), 1, 1).isAllowed).toBe(false);
    clock.advance(60_000);
    expect(limiter.take('read', one('d'), 1, 1).isAllowed).toBe(true);
  });
});

describe('windows of accounts', () => {
  const key = (name: string): Counted => ({ scope: 'key', caller: name, account: 'ada' });

  it('[RQ2] hold ten times a key’s quota over all keys, and are charged with them or not at all', () => {
    const limit = 3;
    fc.assert(
      fc.property(
        fc.array(fc.record({ key: fc.nat(14), cost: fc.integer({ min: 1, max: 3 }) }), {
          minLength: 10,
          maxLength: 80,
        }),
        (requests) => {
          const limiter = new RateLimiter(new ManualClock(WALL_MS));
          const used = new Map<number, number>();
          let usedByAll = 0;
          for (const { key: index, cost } of requests) {
            const usedByKey = used.get(index) ?? 0;
            const fits = usedByKey + cost <= limit && usedByAll + cost <= limit * 10;
            const decision = limiter.take('trade', key(`k${index}`), limit, cost);
            expect(decision.isAllowed).toBe(fits);
            if (!fits) continue;
            used.set(index, usedByKey + cost);
            usedByAll += cost;
            const left = limit - usedByKey - cost;
            const leftOfAll = limit * 10 - usedByAll;
            const nearer = leftOfAll < left ? ['account', 30, leftOfAll] : ['key', 3, left];
            expect([decision.scope, decision.limit, decision.remaining]).toEqual(nearer);
            expect(limiter.peek('trade', key(`k${index}`), limit)).toEqual(decision);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('[RQ2] are as wide as the widest key of the last minute makes them', () => {
    const clock = new ManualClock(WALL_MS);
    const limiter = new RateLimiter(clock);
    const spend = (name: string, limit: number): RateDecision =>
      limiter.take('read', key(name), limit, limit);
    expect(spend('wide', 20).isAllowed).toBe(true);
    for (let index = 0; index < 6; index += 1)
      expect(spend(`narrow${index}`, 2).isAllowed).toBe(true);
    clock.advance(60_000);
    // The wide one has not asked for a minute: ten narrow ones are all that pass.
    for (let index = 0; index < 10; index += 1)
      expect(spend(`narrow${index}`, 2).isAllowed).toBe(true);
    expect(spend('narrow10', 2)).toMatchObject({ isAllowed: false, scope: 'account', limit: 20 });
  });

  it('[RQ7] and those of keys tell the wait for the whole of a request whose head was charged', () => {
    const clock = new ManualClock(WALL_MS);
    const limiter = new RateLimiter(clock);
    const spend = (name: string, cost: number): RateDecision =>
      limiter.take('trade', key(name), 10, cost);
    /** One now, so many ten seconds later, then a batch of nine whose head is charged. */
    const batchAfter = (first: string, then: readonly [string, number][], batch: string): void => {
      spend(first, 1);
      clock.advance(10_000);
      for (const [name, cost] of then) spend(name, cost);
      clock.advance(10_000);
      spend(batch, 1);
      expect(limiter.take('trade', key(batch), 10, 8, 9).retryAfterSec).toBe(50);
      clock.advance(60_000);
    };
    // In forty seconds there is room for the eight that are left, but not for their head as well.
    batchAfter('a', [['a', 1]], 'a');
    const others = Array.from({ length: 9 }, (_, index): [string, number] => [`c${index}`, 10]);
    batchAfter('b', [...others, ['d', 1]], 'e');
  });
});
