import { asMarketId, checkAll, type Market } from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { EngineLane } from '../../test/engine-lane.ts';
import { cancelTraded } from '../../test/gateway/cancelling.ts';
import { testPrices } from '../../test/test-prices.ts';
import { SeedClock } from '../seed/seed-clock.ts';
import { seedLane, seedStartMs } from '../seed/seed-lane.ts';
import { fairPips } from './fair-prices.ts';
import { Chance, hashText, wander } from './noise.ts';
import { type RecurringMarket, recurringMarkets } from './recurring-markets.ts';
import { dueRounds, overdueRounds } from './rounds.ts';
import { SandboxActivity } from './sandbox-activity.ts';

const nowMs = Date.UTC(2026, 10, 15, 2, 37, 12);
/** From one round's opening to the next one's. */
const EVERY_MS = 180_000;
const prices = testPrices();

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
});

describe('on a seeded sandbox', () => {
  let lane: EngineLane;
  let markets: readonly Market[];

  /** The seeded lane at a later time, with what makes it live. */
  function enliven(atMs: number, hasBots: boolean) {
    const clock = new ManualClock(atMs);
    const living = new EngineLane('sandbox', clock);
    Object.assign(living, { state: lane.state });
    const defects: unknown[] = [];
    const onDefect = (error: unknown): void => void defects.push(error);
    const activity = new SandboxActivity({ lane: living, clock, prices, hasBots, onDefect });
    return { clock, living, activity, defects };
  }

  beforeAll(async () => {
    const clock = new SeedClock(seedStartMs('sandbox', nowMs));
    lane = new EngineLane('sandbox', clock);
    await seedLane(lane, clock, { nowMs, prices, hasLiveDemo: false });
    markets = [...lane.state.markets.values()];
  });

  it('[BO2] fair prices sum to one whole and leave the ends alone', () => {
    for (const market of markets) {
      for (const atMs of [nowMs, nowMs + 3_600_000, nowMs + 86_400_000]) {
        const fair = fairPips(market, atMs, prices);
        expect(fair.reduce((sum, price) => sum + price, 0)).toBe(10_000);
        expect(Math.min(...fair)).toBeGreaterThan(100);
      }
    }
  });

  it('[BO2] the fair price of a round is even at its opening and moves with the price', () => {
    const round = markets.find(
      ({ status, template }) => status === 'active' && template.definition.roundConfig !== null,
    );
    const at = (part: number): readonly number[] =>
      fairPips(round!, round!.opensAtMs, {
        cents: () => Math.round(Number(round!.params.strike) * 100 * part),
      });
    expect(at(1)).toEqual([5_000, 5_000]);
    expect(at(1.001)[0]).toBeGreaterThan(7_000);
    expect(at(1.001)[0]).toBeLessThan(8_000);
    expect(at(0.95)).toEqual([300, 9_700]);
  });

  it('[BO3] the next round is opened when one locks, once, and read when it closes', () => {
    const lockMs = (Math.floor(nowMs / EVERY_MS) + 1) * EVERY_MS;
    expect(dueRounds(lane.state, nowMs, prices)).toEqual([]);
    const opens = (atMs: number): readonly unknown[] =>
      dueRounds(lane.state, atMs, prices).flatMap((body) =>
        body.type === 'create_market' ? [body.params.opens_at_ms] : [],
      );
    expect(opens(lockMs - 1)).toEqual([]);
    expect(opens(lockMs)).toEqual([lockMs, lockMs]);
    const closed = markets.filter(
      ({ status, closesAtMs, template }) =>
        template.definition.roundConfig !== null && status === 'locked' && closesAtMs <= lockMs,
    );
    const read = dueRounds(lane.state, lockMs, prices).flatMap((body) =>
      body.type === 'report_readings' ? [body.marketId] : [],
    );
    expect(read.length).toBe(2);
    expect(new Set(read)).toEqual(new Set(closed.map(({ id }) => id)));
    const running = markets.filter(
      ({ status, template }) => status === 'active' && template.definition.roundConfig !== null,
    );
    expect(running.map(({ locksAtMs }) => locksAtMs)).toEqual([lockMs, lockMs]);
  });

  it('[BO4] the sandbox lives: rounds follow each other, bots trade, nothing breaks', async () => {
    const { clock, living, activity, defects } = enliven(nowMs, true);
    activity.start();
    for (let second = 0; second < 700; second += 1) {
      clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await activity.stop();
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
      ({ status, template }) =>
        template.definition.roundConfig !== null && (status === 'active' || status === 'locked'),
    );
    expect(rounds.length).toBeGreaterThan(2);
    for (const market of rounds) Object.assign(market, { status: 'locked' });
    const settled = overdueRounds(lane.state, laterMs, prices).map((body) =>
      body.type === 'report_readings' ? body.marketId : asMarketId(''),
    );
    expect(new Set(settled)).toEqual(new Set(rounds.map(({ id }) => id)));
  });

  it('[BO8] a seeded market that somebody ended begins anew within a minute, one copy at a time', async () => {
    const { clock, living, activity, defects } = enliven(nowMs + 86_400_000, false);
    const advance = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        clock.advance(1_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const copies = ({ template, params }: RecurringMarket, isLive: boolean): readonly Market[] =>
      [...living.state.markets.values()].filter((market) => {
        const isOver = market.status === 'resolved' || market.status === 'cancelled';
        const isSame = Object.entries(params).every(([name, is]) => market.params[name] === is);
        return market.template.definition.id === template && isSame && isOver !== isLive;
      });
    activity.start();
    await advance(60);
    for (const recurring of recurringMarkets) expect(copies(recurring, true).length).toBe(1);
    for (let round = 0; round < 3; round += 1) {
      const before = recurringMarkets.map((recurring) => copies(recurring, true)[0]!);
      for (const { id } of before)
        await cancelTraded({ lanes: { sandbox: living }, clock }, id, 'sandbox');
      for (const recurring of recurringMarkets) expect(copies(recurring, true)).toEqual([]);
      await advance(60);
      for (const [index, recurring] of recurringMarkets.entries()) {
        const [copy, second] = copies(recurring, true);
        expect(second).toBeUndefined();
        expect(copy).toMatchObject({ status: 'active', creator: before[index]!.creator });
        expect(copy!.id).not.toBe(before[index]!.id);
        expect(copy!.closesAtMs).toBeGreaterThan(before[index]!.closesAtMs);
      }
    }
    await advance(300);
    for (const recurring of recurringMarkets) expect(copies(recurring, true).length).toBe(1);
    await activity.stop();
    expect(defects).toEqual([]);
    checkAll(living.state);
  });
});
