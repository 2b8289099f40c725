import type { Pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OTHER, rule, voiding } from '../../test/resolution.ts';
import {
  accountName,
  makeWorld,
  ofType,
  PLAIN_PARAMETERS,
  spelled,
  type World,
} from '../../test/world.ts';
import { apply } from '../engine.ts';
import { checkAll } from '../invariants.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import type { CommandBody } from '../state/command.ts';
import type { Event } from '../state/event.ts';
import type { Market } from '../state/market.ts';

const names = ['a', 'b', 'c', 'd', 'e'] as const;
const ENDS = ['lock', 'propose', 'mock', 'void'] as const;
type End = (typeof ENDS)[number];

const step = fc.record({
  who: fc.nat(4),
  outcome: fc.constantFrom('yes', 'no'),
  side: fc.constantFrom('buy', 'sell'),
  shares: fc.integer({ min: 1, max: 300 }),
  pips: fc.option(fc.integer({ min: 1, max: 99 })),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function prepare(chunkMax: number, steps: readonly Step[]) {
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, chunkMax } });
  world.open(names.join(' '));
  const feeSchedule = { makerBps: 8, takerBps: 20, settleBps: 50 };
  const market = world.market({ deposit: 200, template: { feeSchedule } });
  for (const name of names) world.mint(name, market, 100);
  for (const { who, outcome, side, shares, pips } of steps) {
    const price = pips === null ? '' : ` @ ${pips / 100}`;
    world.place(names[who]!, market, `${side} ${shares} ${outcome}${price}`);
  }
  return { world, market };
}

function endBy(world: World, market: Market, end: End): CommandBody {
  const marketId = market.id;
  const result = { kind: 'payout', payout: [2500, 7500] as Pips[] } as const;
  switch (end) {
    case 'mock':
      return {
        type: 'mock_oracle',
        accountId: accountName('a'),
        marketId,
        winningOutcomeId: 'yes',
      };
    case 'lock':
    case 'propose':
      return {
        type: 'propose_resolution',
        marketId,
        proposerId: null,
        result,
        evidence: ['e'],
        bond: 0n as never,
      };
    case 'void':
      return voiding(world, market, { expected: [5000, 5000] as Pips[] });
  }
}

/** Ends the market, letting as many milliseconds pass as it needs, and then an hour or two. */
function finish(world: World, market: Market, end: End): readonly Event[] {
  const events: Event[] = [];
  if (end === 'lock') events.push(...world.pass(31_536_000_000).events);
  else events.push(...world.do(endBy(world, market, end)).events);
  for (let turn = 0; turn < 100 && market.closing !== null; turn += 1) {
    checkAll(world.state);
    events.push(...world.pass(1).events);
  }
  if (end === 'propose') {
    events.push(...world.pass(7_200_000).events);
    for (let turn = 0; turn < 100 && market.closing !== null; turn += 1)
      events.push(...world.pass(1).events);
  }
  if (end === 'void') {
    events.push(...world.do(rule(market, 'upheld'), OTHER).events);
    for (let turn = 0; turn < 100 && market.closing !== null; turn += 1) {
      checkAll(world.state);
      events.push(...world.pass(1).events);
    }
  }
  expect(market.closing).toBeNull();
  checkAll(world.state);
  return events;
}

/** Balances and results, without times. */
function result(world: World): unknown {
  const balances = [...world.state.ledger.accounts()]
    .map(({ name, balance }) => [name, balance])
    .sort();
  const accounts = [...world.state.accounts.values()].map(({ id, realized, staked }) => [
    id,
    realized,
    staked,
  ]);
  return { balances, accounts };
}

/** Fees are moved by one entry for each chunk: all of them together are the same. */
const isOfFees = (event: Event) =>
  event.type === 'ledger_posted' && event.accounts.some((name) => name.includes(':fees:'));

const withoutTimes = (events: readonly Event[]) =>
  spelled(events.filter((event) => event.type !== 'quality_sampled' && !isOfFees(event))).map(
    (event) => ('windowEndsAtMs' in event ? { ...event, windowEndsAtMs: 0 } : event),
  );

describe('[MK11] chunks', () => {
  test.each(ENDS)('however many at a time, the result and the events are the same: %s', (end) => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        (steps, chunkMax) => {
          const whole = prepare(5000, steps);
          const parts = prepare(chunkMax, steps);
          const expected = finish(whole.world, whole.market, end);
          const found = finish(parts.world, parts.market, end);
          expect(withoutTimes(found)).toEqual(withoutTimes(expected));
          expect(result(parts.world)).toEqual(result(whole.world));
          expect(parts.market.status).toBe(whole.market.status);
        },
      ),
      { numRuns: 12 },
    );
  });

  const count = (events: readonly Event[], type: Event['type']) =>
    events.filter((event) => event.type === type).length;

  /** One command after the other, a millisecond apart: what each cancelled and paid, and what was left to do. */
  function follow(world: World, market: Market): unknown[] {
    const seen: unknown[] = [];
    for (let turn = 0; turn < 100 && market.closing !== null; turn += 1) {
      expect(world.state.timers.nextDueMs()).toBe(world.nowMs + 1);
      const { events } = world.pass(1);
      const done = [count(events, 'order_cancelled'), count(events, 'position_settled')];
      seen.push([...done, market.closing?.kind ?? market.status]);
    }
    return seen;
  }

  test('at most so many per command, the next a millisecond later, and nothing else meanwhile', () => {
    const { world, market } = prepare(2, []);
    for (const name of names) world.place(name, market, 'buy 1 yes @ 0.01');
    const { events } = world.do(endBy(world, market, 'void'));
    expect(count(events, 'order_cancelled')).toBe(2);
    expect(market).toMatchObject({ status: 'active', openOrders: 3, closing: { kind: 'lock' } });
    expect(world.place('a', market, 'buy 1 yes').refusal).toBe('MARKET_CLOSED');
    const accountId = accountName('a');
    const others: readonly CommandBody[] = [
      endBy(world, market, 'void'),
      endBy(world, market, 'propose'),
      endBy(world, market, 'mock'),
      { type: 'halt_market', marketId: market.id, untilMs: null, reason: 'x' },
      { type: 'resume_market', marketId: market.id },
      { type: 'approve_market', marketId: market.id },
      { type: 'reset_account', accountId },
      { type: 'report_readings', marketId: market.id, readings: [{ source: 's', value: 'yes' }] },
      { type: 'rule_resolution', marketId: market.id, ruling: 'void', result: null },
    ];
    for (const body of others) {
      expect(world.run(body).answer).toMatchObject({ rejection: { code: 'STATE_CONFLICT' } });
    }
    expect(follow(world, market)).toEqual([
      [2, 0, 'lock'],
      [1, 0, 'settling'],
    ]);
    expect(count(world.do(rule(market, 'upheld'), OTHER).events, 'position_settled')).toBe(2);
    expect(follow(world, market)).toEqual([
      ...[1, 2, 3].map(() => [0, 2, 'void']),
      [0, 2, 'cancelled'],
    ]);
    checkAll(world.state);
  });

  test('a late command does as much as a prompt one: the next chunk follows upon its time', () => {
    const { world, market } = prepare(1, []);
    world.do(endBy(world, market, 'mock'));
    expect(market.status).toBe('settling');
    expect(count(world.pass(60_000).events, 'position_settled')).toBe(2);
    expect(world.state.timers.nextDueMs()).toBe(world.nowMs + 1);
    expect(follow(world, market)).toEqual([
      [0, 2, 'settle'],
      [0, 2, 'settle'],
      [0, 2, 'resolved'],
    ]);
    expect(market.settledAtMs).toBe(world.nowMs);
  });

  test('holders who hold nothing and are owed nothing make no entry, but count as one', () => {
    const { world, market } = prepare(2, []);
    for (const name of names) {
      const sets = { accountId: accountName(name), marketId: market.id, lots: 10_000 as never };
      world.do({ type: 'merge_sets', ...sets });
    }
    const { events } = world.do(endBy(world, market, 'mock'));
    expect(ofType(events, 'ledger_posted')).toEqual([]);
    expect(market.holders.filter((holding) => holding !== null)).toHaveLength(3);
    expect(follow(world, market)).toEqual([
      [0, 0, 'settle'],
      [0, 0, 'resolved'],
    ]);
  });

  test('a window that ends during the lock is honoured when the lock is done', () => {
    const { world, market } = prepare(1, []);
    for (const name of names) world.place(name, market, 'buy 1 yes @ 0.01');
    world.do(endBy(world, market, 'mock'));
    expect([market.status, market.proposal?.state]).toEqual(['active', 'proposed']);
    for (let turn = 0; turn < 4; turn += 1) world.pass(1);
    expect([market.status, market.proposal?.state]).toEqual(['settling', 'final']);
    expect(follow(world, market)).toHaveLength(5);
    expect(market.status).toBe('resolved');
  });

  test('[SN2] a state restored in the middle of any stage has the same future', () => {
    const steps: readonly Step[] = [
      { who: 0, outcome: 'yes', side: 'buy', shares: 30, pips: null },
      { who: 1, outcome: 'no', side: 'buy', shares: 50, pips: 20 },
      { who: 2, outcome: 'yes', side: 'sell', shares: 60, pips: 80 },
      { who: 2, outcome: 'yes', side: 'sell', shares: 10, pips: 90 },
    ];
    const stages = new Set<string>();
    for (const end of ENDS) {
      if (end === 'lock') continue;
      const { world, market } = prepare(1, steps);
      world.do(endBy(world, market, end));
      for (let turn = 0; turn < 30; turn += 1) {
        if (market.closing === null && market.status === 'settling' && end === 'void') {
          world.do(rule(market, 'upheld'), OTHER);
        }
        if (market.closing === null) break;
        stages.add(market.closing.kind);
        const restored = decodeSnapshot(encodeSnapshot(world.state));
        checkAll(restored);
        const tick = { type: 'tick', actor: { kind: 'system' } } as const;
        const seq = world.state.seq + 1;
        const there = apply(restored, { ...tick, seq, atMs: world.nowMs + 1 });
        world.nowMs += 1;
        const here = apply(world.state, { ...tick, seq, atMs: world.nowMs });
        expect(spelled(there.events)).toEqual(spelled(here.events));
        expect([...encodeSnapshot(restored)]).toEqual([...encodeSnapshot(world.state)]);
      }
      expect(market.closing).toBeNull();
    }
    expect([...stages].sort()).toEqual(['lock', 'settle', 'void']);
  });

  test('[CM4] a refused command changes nothing but its place', () => {
    const { world, market } = prepare(5000, []);
    const before = [...encodeSnapshot(world.state)].slice(1).join('\n');
    const bad = {
      type: 'rule_resolution',
      marketId: market.id,
      ruling: 'void',
      result: null,
    } as const;
    expect(world.run(bad).answer.ok).toBe(false);
    expect([...encodeSnapshot(world.state)].slice(1).join('\n')).toBe(before);
  });
});
