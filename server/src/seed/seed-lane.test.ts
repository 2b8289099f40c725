import {
  type Actor,
  asAccountId,
  type CommandBody,
  checkAll,
  checkTouched,
  type Market,
  stateHash,
} from '@sibyl/engine';
import { ManualClock } from '@sibyl/lane/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { EngineLane } from '../../test/engine-lane.ts';
import { testPrices } from '../../test/test-prices.ts';
import { SeedClock } from './seed-clock.ts';
import { seedLane, seedStartMs } from './seed-lane.ts';

const DAY_MS = 86_400_000;
const ALL_SCHEMAS = new Set(['binary', 'multi', 'scalar']);
const nowMs = Date.UTC(2026, 10, 15, 2, 37, 12);

async function seeded(
  lane: 'live' | 'sandbox',
  { secret = 7, hasLiveDemo = false } = {},
): Promise<EngineLane> {
  const clock = new SeedClock(seedStartMs(lane, nowMs));
  const target = new EngineLane(lane, clock);
  await seedLane(target, clock, { nowMs, prices: testPrices(secret), hasLiveDemo });
  return target;
}

describe('[SE1] the seeded sandbox', () => {
  let lane: EngineLane;
  let markets: readonly Market[];
  beforeAll(async () => {
    lane = await seeded('sandbox');
    markets = [...lane.state.markets.values()];
  });

  it('has at least eight templates of every kind, the mock source among them', () => {
    const templates = [...lane.state.templates.values()].map((versions) => versions[0]!.definition);
    expect(templates.length).toBeGreaterThanOrEqual(8);
    expect(new Set(templates.map((template) => template.outcomeSchema))).toEqual(ALL_SCHEMAS);
    expect(new Set(templates.map((template) => template.marketType))).toEqual(
      new Set(['fast', 'normal', 'creator']),
    );
    expect(templates.map((template) => template.oracleConfig.source)).toContain('sandbox_mock');
    expect(templates.every((template) => template.minCreatorDeposit > 0n)).toBe(true);
  });

  it('says of every market how it resolves', () => {
    const silent = [...lane.state.templates.values()]
      .map((versions) => versions[0]!.definition)
      .filter(({ displayDefaults }) => displayDefaults.description === null);
    expect(silent.map(({ id }) => id)).toEqual([]);
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

  it('[SE4] has a template for each kind of outcome that a user with the faucet can make a market from', async () => {
    const own = [...lane.state.templates.values()]
      .map((versions) => versions.at(-1)!)
      .filter(({ status, definition }) => {
        const { marketType, oracleConfig, requiresApproval } = definition;
        const isOpen = oracleConfig.source === 'sandbox_mock' && !requiresApproval;
        return status === 'active' && marketType === 'creator' && isOpen;
      });
    expect(new Set(own.map(({ definition }) => definition.outcomeSchema))).toEqual(ALL_SCHEMAS);
    const answers = own.map(({ definition }) => definition.outcomes.length);
    expect(answers.filter((count) => count > 0)).toEqual([3, 4, 5, 6]);
    const fresh = new EngineLane('sandbox', new ManualClock(nowMs));
    const user = asAccountId('acc_user');
    const submit = async (body: CommandBody): Promise<void> => {
      const actor: Actor =
        body.type === 'create_market'
          ? { kind: 'account', accountId: user, keyId: null }
          : { kind: 'system' };
      const { answer } = await fresh.submit({ body, actor, requestId: 'test' });
      expect(answer, body.type).toMatchObject({ ok: true });
    };
    await submit({
      type: 'open_account',
      accountId: user,
      mode: 'sandbox',
      parentId: null,
      referrerId: null,
    });
    await submit({ type: 'faucet', accountId: user, keyId: null });
    for (const { definition } of own) {
      await submit({ type: 'publish_template', template: definition });
      const { required = [] } = definition.paramsSchema as {
        readonly required?: readonly string[];
      };
      const texts = required.map((name) => [name, name === 'upper' ? '2' : '1']);
      await submit({
        type: 'create_market',
        accountId: user,
        templateId: definition.id,
        params: { ...Object.fromEntries(texts), closes_at_ms: nowMs + DAY_MS },
        displayTitle: null,
        displayImageUrl: null,
      });
    }
    expect([...fresh.state.markets.values()].every(({ status }) => status === 'active')).toBe(true);
  });

  it('[SE2] is the same when seeded again with the same secret, to the hash', async () => {
    const again = await seeded('sandbox');
    expect(stateHash(again.state)).toBe(stateHash(lane.state));
    const other = await seeded('sandbox', { secret: 8 });
    expect(stateHash(other.state)).not.toBe(stateHash(lane.state));
  });

  it('keeps every invariant and never runs ahead of now', () => {
    checkAll(lane.state);
    for (const outcome of lane.outcomes.slice(-200)) checkTouched(lane.state, outcome);
    expect(lane.state.nowMs).toBeLessThanOrEqual(nowMs);
    expect(nowMs - lane.state.nowMs).toBeLessThan(61_000);
  });
});

describe('[SE3] the seeded live lane', () => {
  it('has templates, those that anybody may use with an approval, and no market and no money', async () => {
    const { state } = await seeded('live');
    const templates = [...state.templates.values()].map((versions) => versions[0]!.definition);
    expect(templates.length).toBeGreaterThanOrEqual(8);
    expect(state.markets.size).toBe(0);
    for (const { name, balance } of state.ledger.accounts()) expect(balance, name).toBe(0n);
    expect(templates.map(({ oracleConfig }) => oracleConfig.source)).not.toContain('sandbox_mock');
    const own = templates.filter(({ marketType }) => marketType === 'creator');
    expect(new Set(own.map(({ outcomeSchema }) => outcomeSchema))).toEqual(ALL_SCHEMAS);
    for (const { oracleConfig, requiresApproval, minCreatorDeposit } of own) {
      expect(oracleConfig.source).toBe('manual');
      expect(requiresApproval).toBe(true);
      expect(minCreatorDeposit).toBeGreaterThan(0n);
    }
    const rounds = templates.filter(({ marketType }) => marketType === 'fast');
    expect(rounds.every(({ minCreatorDeposit }) => minCreatorDeposit === 0n)).toBe(true);
  });

  it('has platform markets without money if it is to be shown around', async () => {
    const { state } = await seeded('live', { hasLiveDemo: true });
    const markets = [...state.markets.values()];
    expect(markets.length).toBeGreaterThanOrEqual(3);
    expect(markets.every((market) => market.platform && market.status === 'active')).toBe(true);
    for (const { name, balance } of state.ledger.accounts()) expect(balance, name).toBe(0n);
  });
});
