import { checkAll, checkTouched, type Market, stateHash } from '@sibyl/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { EngineLane } from '../../test/engine-lane.ts';
import { SeedClock } from './seed-clock.ts';
import { seedLane, seedStartMs } from './seed-lane.ts';

const DAY_MS = 86_400_000;
const nowMs = Date.UTC(2026, 10, 15, 2, 37, 12);

async function seeded(lane: 'live' | 'sandbox', atMs: number): Promise<EngineLane> {
  const clock = new SeedClock(seedStartMs(lane, atMs));
  const target = new EngineLane(lane, clock);
  await seedLane(target, clock, atMs);
  return target;
}

describe('[SE1] the seeded sandbox', () => {
  let lane: EngineLane;
  let markets: readonly Market[];
  beforeAll(async () => {
    lane = await seeded('sandbox', nowMs);
    markets = [...lane.state.markets.values()];
  }, 60_000);

  it('has at least eight templates of every kind, the mock source among them', () => {
    const templates = [...lane.state.templates.values()].map((versions) => versions[0]!.definition);
    expect(templates.length).toBeGreaterThanOrEqual(8);
    expect(new Set(templates.map((template) => template.outcomeSchema))).toEqual(
      new Set(['binary', 'multi', 'scalar']),
    );
    expect(new Set(templates.map((template) => template.marketType))).toEqual(
      new Set(['fast', 'normal', 'creator']),
    );
    expect(templates.map((template) => template.oracleConfig.source)).toContain('sandbox_mock');
    expect(templates.every((template) => template.minCreatorDeposit > 0n)).toBe(true);
  });

  it('has at least twelve markets beside the fast rounds, in every state', () => {
    const slow = markets.filter((market) => market.template.definition.roundConfig === null);
    expect(slow.length).toBeGreaterThanOrEqual(12);
    expect(new Set(slow.map((market) => market.status))).toEqual(
      new Set(['scheduled', 'active', 'locked', 'settling', 'resolved', 'cancelled']),
    );
    expect(slow.some((market) => market.halted)).toBe(true);
    expect(slow.some((market) => !market.approved)).toBe(true);
  });

  it('has a running fast round for each fast template', () => {
    const rounds = markets.filter((market) => market.template.definition.roundConfig !== null);
    const running = rounds.filter((market) => market.status === 'active');
    expect(running.length).toBe(2);
    expect(rounds.filter((market) => market.status === 'resolved').length).toBeGreaterThan(20);
    expect(new Set(rounds.map((market) => market.payout?.join()))).toContain('10000,0');
    expect(new Set(rounds.map((market) => market.payout?.join()))).toContain('0,10000');
  });

  it('has two-sided books in every market that trades', () => {
    const trading = markets.filter((market) => market.status === 'active' && !market.halted);
    const slow = trading.filter((market) => market.template.definition.roundConfig === null);
    expect(slow.length).toBeGreaterThanOrEqual(7);
    for (const market of slow) {
      const [book] = market.books;
      expect(book?.bids.best, market.title).not.toBeNull();
      expect(book?.asks.best, market.title).not.toBeNull();
    }
  });

  it('has trades on every day of two weeks, by book and by pool', () => {
    const days = new Set<number>();
    const sources = new Set<string>();
    for (const outcome of lane.outcomes) {
      for (const event of outcome.events) {
        if (event.type !== 'trade_executed') continue;
        days.add(Math.floor(outcome.atMs / DAY_MS));
        sources.add(event.source);
      }
    }
    expect(days.size).toBeGreaterThanOrEqual(14);
    expect(sources).toEqual(new Set(['book', 'pool']));
  });

  it('[SE2] is the same when seeded again, to the hash', async () => {
    const again = await seeded('sandbox', nowMs);
    expect(stateHash(again.state)).toBe(stateHash(lane.state));
  });

  it('keeps every invariant and never runs ahead of now', () => {
    checkAll(lane.state);
    for (const outcome of lane.outcomes.slice(-200)) checkTouched(lane.state, outcome);
    expect(lane.state.nowMs).toBeLessThanOrEqual(nowMs);
    expect(nowMs - lane.state.nowMs).toBeLessThan(61_000);
  });
});

describe('[SE3] the seeded live lane', () => {
  it('has templates and platform markets, and no money', async () => {
    const { state } = await seeded('live', nowMs);
    expect(state.templates.size).toBeGreaterThanOrEqual(8);
    const markets = [...state.markets.values()];
    expect(markets.length).toBeGreaterThanOrEqual(3);
    expect(markets.every((market) => market.platform && market.status === 'active')).toBe(true);
    for (const { name, balance } of state.ledger.accounts()) expect(balance, name).toBe(0n);
    const sources = [...state.templates.values()].map(
      (versions) => versions[0]!.definition.oracleConfig.source,
    );
    expect(sources).not.toContain('sandbox_mock');
  });
});
