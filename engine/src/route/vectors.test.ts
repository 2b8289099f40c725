// The exact vectors of routing: every cost, fee and quantity to the µ.
import { expect, test } from 'vitest';
import { makeWorld, NO_REBATES, type Placed, type World } from '../../test/world.ts';
import { marginalMicro } from '../amm/price.ts';
import type { Market } from '../state/market.ts';

/** A line per step: how, lots, cost, fee and the cross legs with their lots. */
function steps(placed: Placed): string[] {
  return placed.trades.map((trade) => {
    const legs = trade.source === 'pool' ? trade.makers : [];
    const shown = legs.map((leg) => `${leg.outcomeId}:${leg.lots}`);
    return [trade.matching ?? trade.source, trade.lots, trade.cost, trade.fee, ...shown].join(' ');
  });
}

function start(deposit: number, outcomes = 2): { world: World; market: Market } {
  const world = makeWorld({ parameters: NO_REBATES });
  world.open('a b c t');
  return { world, market: world.market({ deposit, outcomes }) };
}

/** Vectors 29 and 30: 50 sets exist apart; A asks 50 YES @5200, B bids 30 NO @4500. */
function twoVenues(): { world: World; market: Market } {
  const { world, market } = start(1000);
  world.mint('a', market, 50);
  world.place('a', market, 'sell 50 yes @ 0.52');
  world.place('b', market, 'buy 30 no @ 0.45');
  return { world, market };
}

function supply(world: World, market: Market): bigint {
  return -world.state.ledger.balance(market.issue[0]!);
}

test('[RT1][RT7] vector 29: a market buy takes pool, transfer, pool, mint and pool in turn', () => {
  const { world, market } = twoVenues();
  const before = world.free('t');
  const placed = world.place('t', market, 'buy 500 yes');
  expect(steps(placed)).toEqual([
    'pool 11547 58889936 117752',
    'transfer 5000 26000000 51951',
    'pool 17403 93109518 185671',
    'mint 3000 16500000 32802',
    'pool 13050 73230772 145147',
  ]);
  expect(placed.venue).toBe('hybrid');
  expect(placed.order.status).toBe('filled');
  expect(placed.order.filledCost).toBe(267_730_226n);
  expect(world.free('t') - before).toBe(-268_263_549n);
  expect(supply(world, market)).toBe(1_305_230_226n);
  const pool = market.pool!;
  expect(pool.sets).toBe(1_225_230_226n);
  expect([pool.inventory(0), pool.inventory(1)]).toEqual([805_230_226n, 1_225_230_226n]);
  const { ledger } = world.state;
  expect(ledger.balance(market.inventory[0]!)).toBe(805_230_226n);
  expect(ledger.balance(market.inventory[1]!)).toBe(1_225_230_226n);
  const prices = [marginalMicro(pool.view, 0), marginalMicro(pool.view, 1)];
  expect(prices).toEqual([572_270n, 427_729n]);
});

test('[RT1][OR3] vector 30: a limit buy takes what is within its limit and rests the remainder', () => {
  const { world, market } = twoVenues();
  const before = world.free('t');
  const placed = world.place('t', market, 'buy 200 yes @ 0.521');
  expect(steps(placed)).toEqual([
    'pool 11547 58889936 117752',
    'transfer 5000 26000000 51951',
    'pool 578 3008483 6011',
  ]);
  expect(placed.order.status).toBe('partially_filled');
  expect(placed.order.lots - placed.order.filledLots).toBe(2875);
  expect(world.reserved('t')).toBe(14_978_750n);
  expect(world.free('t') - before).toBe(-103_052_883n);
});

test('[OB3][RT1] vector 31: selling NO takes the pool, then merges with an ask of YES', () => {
  const { world, market } = start(1000);
  world.mint('a', market, 50);
  world.mint('t', market, 50);
  world.place('a', market, 'sell 20 yes @ 0.501');
  const free = world.free('t');
  const supplied = supply(world, market);
  const placed = world.place('t', market, 'sell 20 no @ 0.498');
  expect(steps(placed)).toEqual(['pool 577 2882115 5765', 'merge 1423 7100770 14202']);
  expect(world.free('t') - free).toBe(9_962_918n);
  expect(supply(world, market) - supplied).toBe(-17_112_115n);
});

test('[RT4][RT5] vector 32: bids of other outcomes absorb the move, all of them pinned mint sets', () => {
  const { world, market } = start(500, 3);
  world.place('a', market, 'buy 100 o1 @ 0.30');
  world.place('b', market, 'buy 100 o2 @ 0.31');
  const placed = world.place('t', market, 'buy 300 o0');
  expect(steps(placed)).toEqual([
    'pool 9267 33031432 62796',
    'pool 2674 10295107 19937 o2:1492',
    'pool 8508 33181200 64436 o1:8508 o2:8508',
    'pool 2644 10443997 20336 o1:1492',
    'pool 6907 28897514 56871',
  ]);
  expect(placed.order.filledCost).toBe(115_849_250n);
  expect(placed.venue).toBe('hybrid');
  expect(supply(world, market)).toBe(676_849_250n);
  expect(market.pool!.view.quantities()).toEqual([300_000_000n, 100_000_000n, 100_000_000n]);
});

test('[RT4] vector 32: the pool alone would have cost more', () => {
  const { world, market } = start(500, 3);
  const placed = world.place('t', market, 'buy 300 o0');
  expect(placed.order.filledCost).toBe(123_262_999n);
  expect(placed.venue).toBe('amm');
});

test('[FE1] vectors 8 and 10: buying and selling 100 back returns the pool and costs the two fees', () => {
  const { world, market } = start(1000);
  const before = world.free('t');
  expect(steps(world.place('t', market, 'buy 100 yes'))).toEqual(['pool 10000 50866261 101714']);
  expect(steps(world.place('t', market, 'sell 100 yes'))).toEqual(['pool 10000 50866261 101714']);
  expect(world.free('t') - before).toBe(-203_428n);
  expect(market.pool!.view.quantities()).toEqual([0n, 0n]);
  expect(market.pool!.sets).toBe(1_000_000_000n);
});

test('[OR7] vector 13: a budget of 25 USDT buys 4947 lots of the pool', () => {
  const { world, market } = start(1000);
  const maxCost = 25_000_000n as never;
  const placed = world.place('t', market, 'buy 1000000 yes', { maxCost });
  expect(steps(placed)).toEqual(['pool 4947 24947031 49892']);
  expect(placed.order.status).toBe('cancelled');
  expect(placed.order.cancelReason).toBe('ioc_remainder');
});
