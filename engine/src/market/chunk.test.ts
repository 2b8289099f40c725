// What one command may post when markets close: shared by all of them, and counted by outcomes held (MK11).
import { describe, expect, test } from 'vitest';
import { cancelTraded, OTHER, rule, voiding } from '../../test/resolution.ts';
import { accountName, makeWorld, ofType, PLAIN_PARAMETERS, type World } from '../../test/world.ts';
import type { Market } from '../state/market.ts';
import type { Outcome } from '../state/outcome.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

const MINUTE = 60_000;

function makeScene(chunkMax: number): World {
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, chunkMax } });
  world.open('a b c');
  return world;
}

/** Markets that lock together, in ascending order of id, with so many orders each. */
function lockingTogether(world: World, orders: readonly number[]): readonly Market[] {
  const template = { durationSec: 60 };
  const markets = orders.map(() => world.market({ deposit: 100, template, creator: 'c' }));
  markets.sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const [index, market] of markets.entries()) {
    for (let order = 0; order < orders[index]!; order += 1) {
      world.place('a', market, `buy 1 yes @ 0.${10 + order}`);
    }
  }
  return markets;
}

/** Orders cancelled in each market. */
function cancelled({ events }: Outcome, markets: readonly Market[]): readonly number[] {
  const orders = ofType(events, 'order_cancelled');
  return markets.map(({ id }) => orders.filter(({ marketId }) => marketId === id).length);
}

const statuses = (markets: readonly Market[]) => markets.map(({ status }) => status);

describe('[MK11] markets that close in one command', () => {
  test('share its postings, in the order in which their timers ring', () => {
    const world = makeScene(4);
    const markets = lockingTogether(world, [3, 3, 3]);
    expect(cancelled(world.pass(MINUTE), markets)).toEqual([3, 1, 0]);
    expect(statuses(markets)).toEqual(['locked', 'active', 'active']);
    // All of them are closing: nobody trades while the others have their turn.
    expect(world.place('b', markets[2]!, 'buy 1 yes').refusal).toBe('MARKET_CLOSED');
    expect(cancelled(world.pass(1), markets)).toEqual([0, 2, 2]);
    expect(statuses(markets)).toEqual(['locked', 'locked', 'active']);
    expect(cancelled(world.pass(1), markets)).toEqual([0, 0, 1]);
    expect(statuses(markets)).toEqual(['locked', 'locked', 'locked']);
  });

  test('one that has nothing left ends even when no posting is left', () => {
    const world = makeScene(3);
    const markets = lockingTogether(world, [3, 0]);
    expect(cancelled(world.pass(MINUTE), markets)).toEqual([3, 0]);
    expect(statuses(markets)).toEqual(['locked', 'locked']);
  });

  test('the command itself has what its timers left', () => {
    const world = makeScene(4);
    const [locking] = lockingTogether(world, [3]);
    const other = world.market({ deposit: 100, creator: 'c' });
    for (const price of [0.1, 0.2, 0.3]) world.place('b', other, `buy 1 yes @ ${price}`);
    world.nowMs += MINUTE;
    const ended = world.do({ type: 'cancel_market', marketId: other.id, reason: 'x' });
    expect(cancelled(ended, [locking!, other])).toEqual([3, 1]);
    expect(world.state.timers.nextDueMs()).toBe(world.nowMs + 1);
    expect(cancelled(world.pass(1), [locking!, other])).toEqual([0, 2]);
    expect(statuses([locking!, other])).toEqual(['locked', 'cancelled']);
  });

  test('by default there are 5,000', () => {
    expect(DEFAULT_PARAMETERS.chunkMax).toBe(5000);
  });
});

describe('[MK11] holders of 64 outcomes', () => {
  /** Three who hold every outcome, and one who holds so many. */
  function scene(chunkMax: number, held: number): { world: World; market: Market } {
    const world = makeScene(chunkMax);
    world.open('d');
    const market = world.market({ deposit: 10_000, outcomes: 64 });
    for (const name of ['a', 'b', 'c']) world.mint(name, market, 5);
    for (let outcome = 0; outcome < held; outcome += 1) {
      world.place('d', market, `buy 1 o${outcome}`);
    }
    return { world, market };
  }

  const settle = (world: World, market: Market) =>
    world.do({
      type: 'mock_oracle',
      accountId: accountName('a'),
      marketId: market.id,
      winningOutcomeId: 'o0',
    });

  const paid = ({ events }: Outcome) => [
    ...new Set(ofType(events, 'position_settled').map(({ accountId }) => accountId)),
  ];

  test('count 64 each: 204 postings pay three of them, eight outcomes of a fourth and four fees', () => {
    const { world, market } = scene(204, 8);
    expect(paid(settle(world, market))).toEqual(['acc_a', 'acc_b', 'acc_c', 'acc_d']);
    expect(market.status).toBe('resolved');
  });

  test('[FE5] fees vest in the order in which they were first kept, a chunk at a time', () => {
    const { world, market } = scene(202, 8);
    const vested = ({ events }: Outcome) =>
      ofType(events, 'ledger_posted')
        .filter(({ reason }) => reason === 'vesting')
        .map(({ accounts }) => accounts.filter((name) => name.startsWith('market:')));
    const kept = (actor: string) => `market:${market.id}:fees:${actor}`;
    const first = settle(world, market);
    expect(vested(first)).toEqual([[kept('creator:acc_maker'), kept('oracle')]]);
    expect(market.status).toBe('settling');
    expect(vested(world.pass(1))).toEqual([[kept('insurance'), kept('treasury')]]);
    expect(market.status).toBe('resolved');
  });

  test('a holder for whom too few are left waits for the next chunk, whole', () => {
    const { world, market } = scene(200, 9);
    expect(paid(settle(world, market))).toEqual(['acc_a', 'acc_b', 'acc_c']);
    const later = world.pass(1);
    expect(paid(later)).toEqual(['acc_d']);
    expect(ofType(later.events, 'position_settled')).toHaveLength(9);
    expect(market.status).toBe('resolved');
  });

  test('[VD13] a cancellation returns the fees and then pays them, each as many postings', () => {
    const { world, market } = scene(64, 1);
    world.do(voiding(world, market));
    expect(paid(world.do(rule(market, 'upheld'), OTHER))).toEqual([]);
    const seen = [];
    for (let turn = 0; turn < 4; turn += 1) seen.push(paid(world.pass(1)));
    expect(seen).toEqual([['acc_a'], ['acc_b'], ['acc_c'], ['acc_d']]);
    expect(market.status).toBe('cancelled');
  });
});

describe('[MK11] the order of a closing', () => {
  test('orders book by book, bids before asks, in the order in which they would trade', () => {
    const world = makeScene(5000);
    const market = world.market({ deposit: 1000, outcomes: 3, template: { durationSec: 60 } });
    world.mint('b', market, 100);
    const texts = ['sell 1 o2 @ 0.9', 'buy 1 o2 @ 0.1', 'sell 1 o0 @ 0.9', 'sell 1 o0 @ 0.8'];
    texts.push('buy 1 o0 @ 0.1', 'buy 1 o0 @ 0.2', 'buy 2 o0 @ 0.2', 'buy 1 o1 @ 0.1');
    const ids = texts.map((text) => world.place('b', market, text).id);
    const order = ofType(world.pass(MINUTE).events, 'order_cancelled').map(({ orderId }) =>
      ids.indexOf(orderId),
    );
    expect(order).toEqual([5, 6, 4, 3, 2, 7, 1, 0]);
  });

  test('holders as they first traded or converted, as takers or as makers', () => {
    const world = makeScene(5000);
    const market = world.market();
    world.mint('c', market, 10);
    world.place('c', market, 'sell 10 yes @ 0.5');
    // To have an order is not to have traded.
    world.place('a', market, 'buy 1 yes @ 0.4');
    world.place('b', market, 'buy 1 yes @ 0.5');
    world.place('a', market, 'buy 1 yes @ 0.5');
    const settled = ofType(cancelTraded(world, market), 'position_settled').map(
      ({ accountId }) => accountId,
    );
    expect(settled).toEqual(['acc_c', 'acc_c', 'acc_b', 'acc_a']);
  });
});
