// What must hold of every walk, whatever was traded before it.

import type { Lots, Pips } from '@sibyl/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Action, action, commandOf, open, perform, setting } from '../../test/trading.ts';
import { ofType, type Placed, type World } from '../../test/world.ts';
import { lnRatio } from '../amm/fixed-point.ts';
import { restorePool } from '../amm/pool.ts';
import { stateHash } from '../hash.ts';
import { checkAll } from '../invariants.ts';
import { asOrderId } from '../kit/identity.ts';
import { postingsOf } from '../ledger/postings.ts';
import { holdingOf } from '../position/holdings.ts';
import { rest } from '../state/book.ts';
import type { OrderView, TradeExecuted } from '../state/event.ts';
import type { Market } from '../state/market.ts';
import { createOrder, type Order } from '../state/order.ts';
import { orderKind } from '../state/order-kind.ts';
import { type Plan, UNBOUNDED } from './plan.ts';
import { planWalk } from './walk.ts';

const actions = fc.array(action, { minLength: 1, maxLength: 40, size: 'max' });

type Check = (placed: Placed, done: Action, world: World, market: Market, before: string) => void;

/** Runs random trading and checks every command. */
function always(check: Check, runs = 60, withHash = false): void {
  fc.assert(
    fc.property(setting, actions, (chosen, steps) => {
      const { world, market } = open(chosen);
      for (const step of steps) {
        const before = withHash ? hashWithoutSeq(world) : '';
        const placed = perform(world, market, step);
        if (placed !== null) check(placed, step, world, market, before);
      }
    }),
    { numRuns: runs },
  );
}

function hashWithoutSeq(world: World): string {
  const { seq } = world.state;
  world.state.seq = 0;
  const hash = stateHash(world.state);
  world.state.seq = seq;
  return hash;
}

function orderOfAnswer(placed: Placed): OrderView | null {
  const { answer } = placed.outcome;
  return answer.ok && answer.result.kind === 'order' ? answer.result.order : null;
}

function limitOf({ price, side }: OrderView): bigint {
  if (price !== null) return BigInt(price);
  return side === 'buy' ? 9999n : 1n;
}

describe('after every command', () => {
  test('[OB6][IV1] books are uncrossed, the pool is not crossed by more than a lot, the ledger balances', () => {
    always((_placed, _done, world) => checkAll(world.state), 120);
  });

  test('[RT2] no fill is worse than the limit, to the µ', () => {
    always((placed) => {
      const order = orderOfAnswer(placed);
      if (order === null) return;
      for (const { cost, lots } of placed.trades) {
        const bound = BigInt(lots) * limitOf(order);
        if (order.side === 'buy') expect(cost).toBeLessThanOrEqual(bound);
        else expect(cost).toBeGreaterThanOrEqual(bound);
      }
    });
  });

  test('[RT6] no trade has one family on both sides', () => {
    const family = (id: string): string => (id === 'sub_a' ? 'acc_a' : id);
    always((placed) => {
      for (const trade of placed.trades) {
        for (const maker of trade.makers) {
          expect(family(maker.accountId)).not.toBe(family(trade.takerId));
        }
      }
    });
  });

  test('[RT4] cross legs fill at their limit and the pool receives the change of its cost function', () => {
    always((placed, _done, _world, market) => {
      const { pool } = market;
      if (pool === null) return;
      // Paid above the cost function is only what the least price of a pip adds, in steps without legs.
      const isFloored = placed.trades.some(
        ({ source, makers, cost, lots }) =>
          source === 'pool' && makers.length === 0 && cost === BigInt(lots),
      );
      if (!isFloored) expect(pool.surplus).toBe(surplusBefore.get(pool) ?? 0n);
      surplusBefore.set(pool, pool.surplus);
      for (const trade of placed.trades) {
        for (const maker of trade.makers) {
          const entry = placed.entries.find(
            ({ reference }) => reference === `trade:${trade.tradeId}`,
          )!;
          const paid = BigInt(maker.lots) * BigInt(maker.price);
          const name = maker.side === 'buy' ? 'reserved' : 'free';
          const account = `user:${maker.accountId}:${name}`;
          const amounts = postingsOf(entry).filter((posting) => posting.account === account);
          const sum = amounts.reduce((total, { amount }) => total + amount, 0n);
          const others = trade.makers.filter(({ accountId }) => accountId === maker.accountId);
          if (others.length > 1) continue;
          expect(sum).toBe(maker.side === 'buy' ? -paid : paid + maker.rebate);
        }
      }
    });
  });

  test('[RT7] the venue agrees with the fills', () => {
    always((placed, _done, _world, market) => {
      const order = orderOfAnswer(placed);
      if (order === null || placed.outcome.answer.ok === false) return;
      const others = market.outcomes.length - 1;
      const isSets = (trade: TradeExecuted): boolean =>
        trade.source === 'pool' &&
        trade.makers.length === others &&
        trade.makers.every(({ lots }) => lots === trade.lots);
      const pool = placed.trades.some((t) => t.source === 'pool' && t.makers.length === 0);
      const mixed = placed.trades.some(
        (t) => t.source === 'pool' && t.makers.length > 0 && !isSets(t),
      );
      const book = placed.trades.some((t) => t.source === 'book' || isSets(t));
      const expected = mixed || (pool && book) ? 'hybrid' : pool ? 'amm' : book ? 'clob' : null;
      expect(placed.venue).toBe(expected);
    });
  });

  test('[RT8] the number of steps is bounded by what they use up', () => {
    always((placed, _done, _world, market) => {
      const touched = new Set<number>();
      for (const trade of placed.trades)
        for (const maker of trade.makers) touched.add(maker.orderId);
      const cancelled = ofType(placed.outcome.events, 'order_cancelled').length;
      const most = 2 * (touched.size + cancelled + market.outcomes.length) + 4;
      expect(placed.trades.length).toBeLessThanOrEqual(most);
    });
  });
});

describe('found by random runs', () => {
  /** A bid at 0.5 put into the book past all checks. */
  const fakeBid = (world: World, market: Market, outcome: number, size: number): Order =>
    createOrder({
      id: asOrderId(1000 + outcome),
      holding: holdingOf(world.state, world.account('a'), market),
      outcome,
      side: 'buy',
      kind: orderKind({
        orderType: 'limit',
        timeInForce: 'gtc',
        postOnly: false,
        reduceOnly: false,
        stpMode: 'cancel_resting',
        execution: 'hybrid',
      }),
      price: 5000 as Pips,
      lots: size as Lots,
      validUntilMs: null,
      expiresAtMs: null,
      clientOrderId: null,
      keyId: null,
      credential: null,
      builder: null,
      createdAtMs: 0,
    });

  /** A walk of 10 shares of o0 up to 0.01, on the market with its pool elsewhere. */
  const buyAt = (world: World, market: Market, q: readonly bigint[]): Plan =>
    planWalk({
      market: { ...market, pool: restorePool({ ...market.pool!.record(), q }) },
      account: world.account('c'),
      holding: undefined,
      outcome: 0,
      side: 'buy',
      limit: 100 as Pips,
      bound: 100 as Pips,
      bandFromFill: 0,
      otherBands: null,
      quarters: 4,
      lots: 1000 as Lots,
      stpMode: 'cancel_resting',
      grantId: null,
      budget: UNBOUNDED,
      builderBps: 0,
      fees: world.state.parameters.fee,
    });

  test('[OB6][RT4] a buy that other bids pay for trades at the least price instead of crossing the pool', () => {
    const { world, market } = open({ outcomes: 3, deposit: 20 });
    world.place('a', market, 'buy 0.05 o2 @ 0.3');
    // Prices of 0, 0.70 and 0.30 less two lots: the bid is met, and pays for more than the buy costs.
    const behind = 20_000n + ((market.pool!.b * lnRatio(7000n, 3000n)) >> 96n);
    const plan = buyAt(world, market, [-2_000_000_000n, 0n, -behind]);
    expect(plan.remaining).toBe(0);
    expect(plan.first!.legs).toHaveLength(1);
    for (let step = plan.first; step !== null; step = step.next) expect(step.cost).toBe(step.lots);
  });

  test('[OB6][RT4] bids of others that sum to one pay for whole sets', () => {
    const { world, market } = open({ outcomes: 3, deposit: 20 });
    for (const outcome of [1, 2]) rest(fakeBid(world, market, outcome, 40));
    const plan = buyAt(world, market, [-2_000_000_000n, 0n, -10_000n]);
    expect(plan.first).toMatchObject({ lots: 40, cost: 40, legs: [{ lots: 40 }, { lots: 40 }] });
    expect(plan.remaining).toBe(0);
  });

  test('[OB6][RT4] legs that are only nearly met do not keep a buy from the pool', () => {
    const { world, market } = open({ outcomes: 3, deposit: 2 });
    world.place('a', market, 'buy 5 o1 @ 0.33');
    world.place('b', market, 'buy 5 o2 @ 0.33');
    // Both are within two lots of the pool: all pinned the price would be 0.34, beyond the limit.
    const { order, trades } = world.place('c', market, 'buy 10 o0 @ 0.338');
    expect(order.filledLots).toBeGreaterThan(1);
    expect(trades[0]!.makers).toEqual([]);
    checkAll(world.state);
  });
});

describe('orders', () => {
  test('[OR4][OR5][OR8] rejected orders change nothing but what is remembered of them', () => {
    always((placed) => {
      if (orderOfAnswer(placed)?.status !== 'rejected') return;
      expect(placed.outcome.events.map(({ type }) => type)).toEqual(['order_placed']);
    });
  });

  test('[CM4][OR4] a refused command changes nothing at all', () => {
    const check: Check = (placed, _done, world, _market, before) => {
      if (placed.refusal !== null) expect(hashWithoutSeq(world)).toBe(before);
    };
    always(check, 25, true);
  });

  test('[OR4] a fok order is filled or rejected', () => {
    always((placed) => {
      const order = orderOfAnswer(placed);
      if (order?.timeInForce !== 'fok') return;
      expect(['filled', 'rejected']).toContain(order.status);
    });
  });

  test('[OR5] post_only never takes', () => {
    always((placed) => {
      if (orderOfAnswer(placed)?.postOnly === true) expect(placed.trades).toEqual([]);
    });
  });

  test('[OR7] max_cost is never exceeded, and one more lot would exceed it', () => {
    fc.assert(
      fc.property(
        setting,
        actions,
        action,
        fc.integer({ min: 1, max: 90_000_000 }),
        (chosen, steps, last, cap) => {
          const run = (budget: number, lots: number): OrderView | null => {
            const { world, market } = open(chosen);
            for (const step of steps) perform(world, market, step);
            const isBuy = { kind: 'place', side: 'buy', timeInForce: 'ioc', budget } as const;
            return orderOfAnswer(
              perform(world, market, { ...last, ...isBuy, lots, postOnly: false })!,
            );
          };
          const bounded = run(cap, last.lots);
          if (bounded === null) return;
          expect(bounded.filledCost + bounded.feesPaid).toBeLessThanOrEqual(BigInt(cap));
          const free = run(Number.MAX_SAFE_INTEGER, last.lots);
          if (free === null || free.filledLots === bounded.filledLots) return;
          // The same order for one lot more, unbounded, goes the same way and costs more than the budget.
          const more = run(Number.MAX_SAFE_INTEGER, bounded.filledLots + 1);
          expect(more!.filledLots).toBe(bounded.filledLots + 1);
          expect(more!.filledCost + more!.feesPaid).toBeGreaterThan(BigInt(cap));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('[OB5] place then cancel restores every balance', () => {
    fc.assert(
      fc.property(setting, actions, action, (chosen, steps, last) => {
        const { world, market } = open(chosen);
        for (const step of steps) perform(world, market, step);
        const balances = (): string[] =>
          [...world.state.ledger.accounts()]
            .filter(({ balance }) => balance !== 0n)
            .map(({ name, balance }) => `${name}=${balance}`)
            .sort();
        const before = balances();
        const posted = { ...commandOf(market, { ...last, isMarket: false, timeInForce: 'gtc' }) };
        const outcome = world.run({ ...posted, postOnly: true, stpMode: 'cancel_incoming' });
        const { answer } = outcome;
        if (!answer.ok || answer.result.kind !== 'order') return;
        if (answer.result.order.status !== 'pending') return;
        world.cancel(last.who, answer.result.order.orderId);
        expect(balances()).toEqual(before);
      }),
      { numRuns: 80 },
    );
  });
});

const surplusBefore = new WeakMap<object, bigint>();
