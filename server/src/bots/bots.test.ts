import { asMarketId, checkAll, type Market } from '@sibyl/engine';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { EngineLane } from '../../test/engine-lane.ts';
import { ManualClock } from '../adapters/memory/clock.ts';
import { SeedClock } from '../seed/seed-clock.ts';
import { seedLane, seedStartMs } from '../seed/seed-lane.ts';
import { fairPips } from './fair-prices.ts';
import { Chance, hashText, wander } from './noise.ts';
import { referencePrice } from './reference-price.ts';
import { dueRounds, overdueRounds } from './rounds.ts';
import { SandboxLife } from './sandbox-life.ts';

const nowMs = Date.UTC(2026, 10, 15, 2, 37, 12);
const ROUND_MS = 300_000;

describe('[BO1] chance', () => {
  it('the same seed gives the same course, another one another', () => {
    const draw = (seed: string): readonly number[] => {
      const chance = new Chance(seed);
      return Array.from({ length: 8 }, () => chance.below(1_000_000));
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
    expect(hashText('sibyl')).toBe(hashText('sibyl'));
  });

  it('stays inside its bounds and meets both ends', () => {
    const chance = new Chance('bounds');
    const drawn = new Set(Array.from({ length: 500 }, () => chance.between(3, 7)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6, 7]);
  });

  it('a wandering curve is smooth, bounded and a function of time alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 42 }), (atMs) => {
        const height = wander('curve', atMs);
        expect(Math.abs(height)).toBeLessThanOrEqual(1);
        expect(Math.abs(wander('curve', atMs + 1_000) - height)).toBeLessThan(0.01);
        expect(wander('curve', atMs)).toBe(height);
      }),
    );
  });

  it('a reference price is a decimal with two places', () => {
    expect(referencePrice('BTC', nowMs)).toMatch(/^[0-9]{5,6}\.[0-9]{2}$/);
    expect(referencePrice('BTC', nowMs)).not.toBe(referencePrice('BTC', nowMs + 600_000));
  });
});

describe('on a seeded sandbox', () => {
  let lane: EngineLane;
  let markets: readonly Market[];
  beforeAll(async () => {
    const clock = new SeedClock(seedStartMs('sandbox', nowMs));
    lane = new EngineLane('sandbox', clock);
    await seedLane(lane, clock, nowMs);
    markets = [...lane.state.markets.values()];
  }, 60_000);

  it('[BO2] fair prices sum to one whole and leave the ends alone', () => {
    for (const market of markets) {
      for (const atMs of [nowMs, nowMs + 3_600_000, nowMs + 86_400_000]) {
        const fair = fairPips(market, atMs);
        expect(fair.reduce((sum, price) => sum + price, 0)).toBe(10_000);
        expect(Math.min(...fair)).toBeGreaterThan(100);
      }
    }
  });

  it('[BO3] the next round is opened when one locks, once, and read when it closes', () => {
    const boundaryMs = (Math.floor(nowMs / ROUND_MS) + 1) * ROUND_MS;
    expect(dueRounds(lane.state, nowMs)).toEqual([]);
    const atLock = dueRounds(lane.state, boundaryMs - 15_000);
    expect(atLock.map(({ type }) => type)).toEqual(['create_market', 'create_market']);
    const opens = atLock.map((body) => body.type === 'create_market' && body.params.opens_at_ms);
    expect(opens).toEqual([boundaryMs, boundaryMs]);
  });

  it('[BO4] the sandbox lives: rounds follow each other, bots trade, nothing breaks', async () => {
    const clock = new ManualClock(nowMs);
    const living = new EngineLane('sandbox', clock);
    Object.assign(living, { state: lane.state });
    const defects: unknown[] = [];
    const life = new SandboxLife({
      lane: living,
      clock,
      hasBots: true,
      onDefect: (error) => defects.push(error),
    });
    life.start();
    for (let second = 0; second < 700; second += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await life.stop();
    expect(defects).toEqual([]);
    checkAll(living.state);
    const types = living.bodies.map(({ type }) => type);
    expect(types.filter((type) => type === 'create_market').length).toBeGreaterThanOrEqual(4);
    expect(types.filter((type) => type === 'report_readings').length).toBeGreaterThanOrEqual(2);
    expect(types.filter((type) => type === 'place_order').length).toBeGreaterThan(100);
    const refused = living.outcomes.filter(({ answer }) => !answer.ok);
    expect(refused.length).toBeLessThan(living.outcomes.length / 10);
    const count = living.outcomes.length;
    clock.advance(10_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(living.outcomes.length).toBe(count);
  });

  it('[BO5] rounds that closed while nobody looked are settled at the next start', () => {
    const laterMs = nowMs + 86_400_000;
    const rounds = [...lane.state.markets.values()].filter(
      (market) => market.template.definition.roundConfig !== null && market.status === 'active',
    );
    expect(rounds.length).toBeGreaterThan(0);
    for (const market of rounds) Object.assign(market, { status: 'locked' });
    const settled = overdueRounds(lane.state, laterMs).map((body) =>
      body.type === 'report_readings' ? body.marketId : asMarketId(''),
    );
    expect(new Set(settled)).toEqual(new Set(rounds.map(({ id }) => id)));
  });
});
