// Rulings: who was right, what happens to the bonds, how the market ends or goes on.
import { type Usdt, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  active,
  cancelTraded,
  codeOf,
  DAY,
  dispute,
  HOUR,
  insuranceOf,
  locked,
  NO,
  propose,
  rule,
  type Scene,
  WINDOW,
} from '../../test/resolution.ts';
import { accountName, ofType, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { postingsOf } from '../ledger/postings.ts';
import type { Event } from '../state/event.ts';

/** What bonds, not settlement and vesting, brought to insurance. */
function awarded(events: readonly Event[]): bigint {
  const awards = ofType(events, 'ledger_posted').filter(({ reason }) => reason === 'bond_award');
  return awards
    .flatMap(postingsOf)
    .filter(({ account }) => account === 'insurance')
    .reduce((sum, { amount }) => sum + amount, 0n);
}

const named = (events: readonly Event[]) =>
  events.map((event) => (event.type === 'ledger_posted' ? event.reason : event.type));

const freeOf = (world: World) => [world.free('p'), world.free('d')];

/** The proposer's bond is odd, and larger than the challenger's. */
function disputed(bond: Usdt = usdt(30_000_001n)): Scene {
  const { world, market } = locked();
  world.do(propose(market, { bond }));
  world.do(dispute(market));
  return { world, market };
}

describe('[RS4] rulings', () => {
  test('upheld: half of the challenger’s bond to the proposer, the rest to insurance', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'upheld'));
    expect(events[0]).toMatchObject({ type: 'resolution_ruled', payout: [10_000, 0] });
    expect(freeOf(world)).toEqual([1005_000_000n, 990_000_000n]);
    expect(awarded(events)).toBe(5_000_000n);
    expect(market).toMatchObject({ status: 'resolved', payout: [10_000, 0] });
    checkAll(world.state);
  });

  test('overturned: the mirror image, with the new result, the odd µ to insurance', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'overturned', NO));
    expect(freeOf(world)).toEqual([1000_000_000n - 30_000_001n, 1015_000_000n]);
    expect(awarded(events)).toBe(15_000_001n);
    expect(market.payout).toEqual([0, 10_000]);
    checkAll(world.state);
  });

  test('[VD11] void pays nothing: both bonds wait for operators to cancel the market', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'void'));
    expect(named(events)).toEqual(['resolution_ruled']);
    expect(market).toMatchObject({ status: 'settling', proposal: { state: 'void' } });
    expect(codeOf(world, dispute(market))).toBe('PROPOSAL_STATE_INVALID');
    checkAll(world.state);
    const ended = cancelTraded(world, market);
    expect(named(ended).slice(0, 3)).toEqual(['bond_return', 'bond_return', 'resolution_proposed']);
    expect(freeOf(world)).toEqual([1000_000_000n, 1000_000_000n]);
    expect(market.status).toBe('cancelled');
    checkAll(world.state);
  });

  test('[VD11] what operators do not take up leaves the market locked, even before its lock', () => {
    const { world, market } = active({ template: { durationSec: (30 * DAY) / 1000 } });
    world.do(propose(market, { proposerId: null }));
    world.do(dispute(market));
    world.do(rule(market, 'void'));
    world.pass(7 * DAY);
    expect(market).toMatchObject({ status: 'locked', proposal: null });
    expect(market.locksAtMs).toBeGreaterThan(world.nowMs);
    expect(codeOf(world, propose(market))).toBe('ok');
    checkAll(world.state);
  });

  test('are an operator’s, on a dispute, and complete', () => {
    const { world, market } = disputed();
    const account = { kind: 'account', accountId: accountName('d'), keyId: null } as const;
    expect(codeOf(world, rule(market, 'overturned', NO), account)).toBe('NOT_FOUND');
    expect(codeOf(world, rule(market, 'overturned'))).toBe('VALIDATION_FAILED');
    expect(codeOf(world, rule(market, 'upheld', NO))).toBe('VALIDATION_FAILED');
    expect(codeOf(world, rule(market, 'too_early', NO))).toBe('VALIDATION_FAILED');
    expect(codeOf(world, rule(market, 'late' as never))).toBe('VALIDATION_FAILED');
    expect(codeOf(world, rule(market, 'overturned', { kind: 'void' }))).toBe('VALIDATION_FAILED');
    const calm = locked();
    for (const ruling of ['upheld', 'void', 'too_early'] as const) {
      expect(codeOf(calm.world, rule(calm.market, ruling))).toBe('PROPOSAL_STATE_INVALID');
    }
    calm.world.do(propose(calm.market));
    expect(codeOf(calm.world, rule(calm.market, 'upheld'))).toBe('PROPOSAL_STATE_INVALID');
    expect(codeOf(calm.world, rule(calm.market, 'void'))).toBe('PROPOSAL_STATE_INVALID');
  });
});

describe('[RS7] too early', () => {
  test('undisputed: the bond is lost to insurance, the market is locked again', () => {
    const { world, market } = locked();
    world.do(propose(market, { bond: usdt(30_000_001n) }));
    const insured = insuranceOf(world);
    const { events } = world.do(rule(market, 'too_early'));
    expect(named(events)).toEqual(['resolution_ruled', 'bond_award', 'market_status_changed']);
    expect(events[0]).toMatchObject({ ruling: 'too_early', payout: null });
    expect(events[2]).toMatchObject({ from: 'settling', to: 'locked' });
    expect(insuranceOf(world) - insured).toBe(30_000_001n);
    expect(freeOf(world)).toEqual([1000_000_000n - 30_000_001n, 1000_000_000n]);
    expect([market.status, market.proposal]).toEqual(['locked', null]);
    checkAll(world.state);
  });

  test('disputed: half to the challenger, whose own bond returns, the odd µ to insurance', () => {
    const { world, market } = disputed();
    const { events } = world.do(rule(market, 'too_early'));
    expect(named(events)).toEqual([
      'resolution_ruled',
      'bond_award',
      'bond_return',
      'market_status_changed',
    ]);
    expect(freeOf(world)).toEqual([1000_000_000n - 30_000_001n, 1015_000_000n]);
    expect(awarded(events)).toBe(15_000_001n);
    expect([world.account('p').staked, world.account('d').staked]).toEqual([0n, 0n]);
    checkAll(world.state);
  });

  test('disputed by a subaccount that is closed: all to insurance', () => {
    const { world, market } = locked();
    world.do({ type: 'set_parameters', part: 'resolution', values: { bondMin: 0n } });
    world.open('s', 0, 'd');
    world.do(propose(market, { bond: usdt(30_000_000n) }));
    const accountId = accountName('s');
    world.do(dispute(market, { accountId, bond: usdt(0n) }));
    world.do({ type: 'change_subaccount', accountId, label: null, status: 'closed' });
    const { events } = world.do(rule(market, 'too_early'));
    expect(awarded(events)).toBe(30_000_000n);
    expect([world.free('s'), world.free('d')]).toEqual([0n, 1000_000_000n]);
    checkAll(world.state);
  });

  test('[MK10] a market whose lock has not come trades again until it does, without orders', () => {
    const { world, market } = active();
    world.place('t', market, 'buy 10 yes @ 0.1');
    world.pass(1000);
    world.do(propose(market, { proposerId: null }));
    expect(market.status).toBe('settling');
    world.pass(1000);
    const { events } = world.do(rule(market, 'too_early'));
    expect(named(events)).toEqual(['resolution_ruled', 'market_status_changed']);
    expect(events[1]).toMatchObject({ from: 'settling', to: 'active' });
    expect(market.openOrders).toBe(0);
    expect(world.place('t', market, 'buy 1 yes').order.status).toBe('filled');
    checkAll(world.state);
    world.pass(HOUR - 2001);
    expect(market.status).toBe('active');
    const lock = world.pass(1).events;
    expect(lock).toEqual([
      { type: 'market_status_changed', marketId: market.id, from: 'active', to: 'locked' },
    ]);
  });

  test('exactly at its lock it is locked', () => {
    const { world, market } = active();
    world.do(propose(market, { proposerId: null }));
    world.nowMs += HOUR;
    world.do(rule(market, 'too_early'));
    expect(market.status).toBe('locked');
  });

  test('a new proposal may be made, and the old window ends nothing', () => {
    const { world, market } = locked();
    world.do(propose(market));
    world.pass(HOUR);
    world.do(rule(market, 'too_early'));
    world.pass(HOUR);
    world.do(propose(market, { result: NO }));
    world.pass(WINDOW - 2 * HOUR);
    expect(market.status).toBe('settling');
    world.pass(2 * HOUR - 1);
    expect(market.status).toBe('settling');
    world.pass(1);
    expect(market).toMatchObject({ status: 'resolved', payout: [0, 10_000] });
  });

  test('[MK13] seven days without another proposal begin when the market was given back', () => {
    const { world, market } = locked();
    world.pass(6 * DAY);
    world.do(propose(market));
    world.pass(HOUR);
    world.do(rule(market, 'too_early'));
    world.pass(7 * DAY - 1);
    expect(market.status).toBe('locked');
    const { events } = world.pass(1);
    expect(named(events)).toEqual(['proposal_overdue']);
  });

  test('[MK13] a market that trades again is missed a proposal seven days after its close', () => {
    const { world, market } = active({ template: { durationSec: (30 * DAY) / 1000 } });
    const closesAtMs = world.nowMs + 30 * DAY;
    // Dropped after seven days, which leaves it locked with a deadline before its close.
    world.do(propose(market, { proposerId: null }));
    world.do(dispute(market));
    world.do(rule(market, 'void'));
    world.pass(7 * DAY);
    world.do(propose(market));
    world.do(rule(market, 'too_early'));
    expect(market).toMatchObject({ status: 'active', deadlineMs: closesAtMs + 7 * DAY });
    expect(named(world.pass(10 * DAY).events)).not.toContain('proposal_overdue');
  });
});

describe('[RS8][VD12] a dispute without a ruling', () => {
  test('is announced after 72 hours; after seven days an account’s proposal is dropped', () => {
    const { world, market } = disputed();
    const sinceMs = world.nowMs;
    expect(ofType(world.pass(3 * DAY - 1).events, 'ruling_overdue')).toEqual([]);
    expect(world.pass(1).events).toEqual([
      { type: 'ruling_overdue', marketId: market.id, sinceMs },
    ]);
    world.pass(4 * DAY - 1);
    expect(market.status).toBe('settling');
    const { events } = world.pass(1);
    expect(named(events)).toEqual(['bond_return', 'bond_return', 'market_status_changed']);
    expect(market).toMatchObject({ status: 'locked', proposal: null });
    expect(freeOf(world)).toEqual([1000_000_000n, 1000_000_000n]);
    checkAll(world.state);
    expect(ofType(world.pass(7 * DAY).events, 'proposal_overdue')).toHaveLength(1);
  });

  test('an operator’s proposal stands and is carried out, the challenger’s bond returned', () => {
    const { world, market } = locked();
    world.do(propose(market, { proposerId: null }));
    world.do(dispute(market));
    world.pass(7 * DAY - 1);
    expect(market.status).toBe('settling');
    expect(named(world.pass(1).events).slice(0, 2)).toEqual(['bond_return', 'settlement']);
    expect(market).toMatchObject({ status: 'resolved', payout: [10_000, 0] });
    expect(world.free('d')).toBe(1000_000_000n);
    checkAll(world.state);
  });

  test('waits for the hour after a recovery', () => {
    const { world, market } = disputed();
    world.pass(7 * DAY - 1);
    world.do({ type: 'recover' });
    world.pass(1);
    expect(market.status).toBe('settling');
    world.pass(HOUR - 2);
    expect(market.status).toBe('settling');
    world.pass(1);
    expect(market.status).toBe('locked');
  });

  test('a recovery that wakes up after the deadline announces it and then waits', () => {
    const { world, market } = disputed();
    world.nowMs += 30 * DAY;
    const { events } = world.do({ type: 'recover' });
    expect(ofType(events, 'ruling_overdue')).toHaveLength(1);
    expect(market.status).toBe('settling');
    world.pass(HOUR);
    expect(market.status).toBe('locked');
  });

  test('that was ruled on leaves nothing behind: a later one has its own time', () => {
    const { world, market } = disputed();
    world.pass(DAY);
    world.do(rule(market, 'too_early'));
    world.do(propose(market));
    world.pass(DAY / 2);
    world.do(dispute(market));
    const overdue = (ms: number) => ofType(world.pass(ms).events, 'ruling_overdue').length;
    expect(overdue(3 * DAY - 1)).toBe(0);
    expect(overdue(1)).toBe(1);
    world.pass(4 * DAY - 1);
    expect(market.status).toBe('settling');
    world.pass(1);
    expect(market.status).toBe('locked');
  });
});
