// Simulated fills at the mid: no impact, fully collateralised, topped up to the µ.

import { usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import { makeWorld, type Placed, posted, type World } from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { markPrices } from '../market/price-memory.ts';
import { decodeSnapshot } from '../snapshot/decode.ts';
import { encodeSnapshot } from '../snapshot/encode.ts';
import { freeSlot } from '../state/holding.ts';
import type { Market } from '../state/market.ts';

const MINUTE = 60_000;

function start(deposit: number, outcomes = 2): { world: World; market: Market } {
  const world = makeWorld();
  world.open('a b u');
  return { world, market: world.market({ deposit, outcomes }) };
}

function place(world: World, market: Market, text: string, changes: object = {}): Placed {
  const placed = world.place('u', market, text, { execution: 'mid', ...changes });
  checkAll(world.state);
  return placed;
}

describe('price', () => {
  test('[SF1] the pool’s mid rounded to a pip against the user; neither pool nor book moves', () => {
    const { world, market } = start(1000);
    world.place('a', market, 'buy 100 yes');
    const before = market.pool!.record();
    // 100 shares move the price between 0.5173 and 0.5174; at the last minute it was 0.5, where it opened.
    const bought = place(world, market, 'buy 50 yes');
    expect(bought.trades).toMatchObject([{ source: 'house', cost: 5000n * 5174n, lots: 5000 }]);
    expect(bought.venue).toBe('amm');
    const sold = place(world, market, 'sell 20 yes');
    expect(sold.trades).toMatchObject([{ source: 'house', cost: 2000n * 5000n }]);
    world.pass(MINUTE);
    const later = place(world, market, 'sell 20 yes');
    expect(later.trades).toMatchObject([{ source: 'house', cost: 2000n * 5173n }]);
    expect(market.pool!.record()).toEqual(before);
  });

  test('[SF1] the best opposite level where that is better, with the order there untouched', () => {
    const { world, market } = start(0);
    world.mint('a', market, 100);
    world.place('a', market, 'sell 5 yes @ 0.46');
    world.place('b', market, 'buy 5 yes @ 0.44');
    world.pass(MINUTE);
    const bought = place(world, market, 'buy 50 yes');
    expect(bought.trades).toMatchObject([{ cost: 5000n * 4500n }]);
    world.cancel('b', 2);
    // One side only: the last trade was at 0.45, and nothing better is asked.
    expect(place(world, market, 'buy 1 yes').trades).toMatchObject([{ cost: 450_000n }]);
    world.place('a', market, 'sell 5 yes @ 0.43');
    expect(place(world, market, 'buy 1 yes').trades).toMatchObject([{ cost: 430_000n }]);
    expect(market.openOrders).toBe(2);
  });

  test('[SF1] a limit beyond the mid rests like any other and trades with others', () => {
    const { world, market } = start(1000);
    const resting = place(world, market, 'buy 10 yes @ 0.49');
    expect(resting.order.status).toBe('pending');
    const amended = world.amend('u', resting.id, 0.5, null);
    expect(amended.trades).toMatchObject([{ source: 'house', cost: 5_000_000n }]);
  });

  test('[SF1] in live there are no simulated fills', () => {
    const world = makeWorld({ lane: 'live' });
    world.open('u');
    const market = world.market();
    expect(world.place('u', market, 'buy 1 yes', { execution: 'mid' }).refusal).toBe(
      'SANDBOX_ONLY',
    );
  });

  test('[SF1][OR7] a budget truncates to the lot, post_only is rejected', () => {
    const { world, market } = start(1000);
    const bought = place(world, market, 'buy 100 yes', { maxCost: usdt(10_000_000n) }).order;
    const spent = bought.filledCost + bought.feesPaid;
    expect(spent).toBeLessThanOrEqual(10_000_000n);
    expect(spent).toBeGreaterThan(10_000_000n - 5_011n);
    const posted = place(world, market, 'buy 1 yes @ 0.6', { postOnly: true }).order;
    expect(posted.rejectReason).toBe('post_only_would_take');
  });
});

describe('the price at the last whole minute', () => {
  const priceOf = (placed: Placed) => {
    const [trade] = placed.trades;
    return trade === undefined ? null : Number(trade.cost) / trade.lots;
  };

  test('[SF3] is that left by everything before the minute began, to the millisecond', () => {
    const { world, market } = start(1000);
    world.pass(MINUTE - 1);
    world.place('a', market, 'buy 100 yes');
    // In the very millisecond in which the minute begins.
    world.pass(1);
    world.place('a', market, 'buy 200 yes');
    expect(priceOf(place(world, market, 'buy 20 yes'))).toBeGreaterThan(5500);
    expect(priceOf(place(world, market, 'sell 10 yes'))).toBe(5173);
    world.pass(MINUTE - 1);
    expect(priceOf(place(world, market, 'sell 1 yes'))).toBe(5173);
    world.pass(1);
    expect(priceOf(place(world, market, 'sell 1 yes'))).toBeGreaterThan(5500 - 50);
  });

  test('[SF3] with a pool is the opening price until the first minute has passed', () => {
    const { world, market } = start(1000);
    world.place('a', market, 'buy 2000 no');
    expect(priceOf(place(world, market, 'buy 1 yes'))).toBe(5000);
    world.pass(MINUTE);
    expect(priceOf(place(world, market, 'buy 1 yes'))).toBeLessThan(3500);
  });

  test('[SF3] without a pool there is none, and no fill, before the first whole minute', () => {
    const { world, market } = start(0);
    world.mint('a', market, 100);
    world.place('a', market, 'sell 5 yes @ 0.46');
    world.place('b', market, 'buy 5 yes @ 0.44');
    expect(place(world, market, 'buy 1 yes').trades).toEqual([]);
    world.pass(MINUTE - 1);
    expect(place(world, market, 'buy 1 yes').trades).toEqual([]);
    world.pass(1);
    expect(priceOf(place(world, market, 'buy 1 yes'))).toBe(4500);
  });

  test('[SF1][SF3] a mid that a second account moves within the minute fills nobody better', () => {
    const { world, market } = start(1000);
    world.pass(MINUTE);
    const before = world.free('u') + world.free('a');
    for (let turn = 0; turn < 5; turn += 1) {
      // Down with the one, buy with the other; up with the one, sell with the other.
      world.place('a', market, 'buy 1500 no');
      place(world, market, 'buy 1000 yes');
      world.place('a', market, 'sell 1500 no');
      world.place('a', market, 'buy 1500 yes');
      place(world, market, 'sell 1000 yes');
      world.place('a', market, 'sell 1500 yes');
    }
    expect(world.free('u') + world.free('a')).toBeLessThan(before);
  });

  test('[SF1][OB6] a limit between the two mids neither fills nor rests where the pool would take it', () => {
    const { world, market } = start(1000);
    world.pass(MINUTE);
    world.place('a', market, 'buy 1500 no');
    const placed = place(world, market, 'buy 10 yes @ 0.4');
    expect(placed.trades).toEqual([]);
    expect(placed.order.status).toBe('cancelled');
    expect(place(world, market, 'buy 10 yes @ 0.2').order.status).toBe('pending');
  });

  test('[SN2][SF3] is kept by a snapshot', () => {
    for (const deposit of [0, 1000]) {
      const { world, market } = start(deposit);
      world.mint('a', market, 100);
      world.place('a', market, 'sell 50 yes @ 0.46');
      world.place('b', market, 'buy 5 yes @ 0.44');
      world.pass(MINUTE + 5);
      world.place('b', market, 'buy 20 yes @ 0.46');
      const restored = decodeSnapshot(encodeSnapshot(world.state));
      const there = restored.markets.get(market.id)!;
      expect(markPrices(restored, there)).toEqual(markPrices(world.state, market));
    }
  });
});

describe('house', () => {
  const house = (world: World): bigint => world.state.ledger.balance(world.state.house.free);

  test('[SF2] the house mints what it sells, keeps the others, and is topped up by what it lacks', () => {
    const { world, market } = start(1000, 3);
    const contra = world.state.ledger.balance(world.state.contra);
    const placed = place(world, market, 'buy 30 o1 @ 0.5');
    // The mid is a third: 0.3334 a share; the house adds the other 0.6666 of each set.
    const [topUp, fill] = placed.entries;
    expect(topUp).toMatchObject({
      reason: 'house_top_up',
      ...posted([
        { account: 'external:faucet', amount: -19_998_000n },
        { account: 'sandbox:house', amount: 19_998_000n },
      ]),
    });
    expect(fill!.reason).toBe('fill');
    expect(world.state.ledger.balance(world.state.contra)).toBe(contra - 19_998_000n);
    expect(world.shares('u', market, 1)).toBe(30_000_000n);
    const holding = world.state.holdings.find(world.state.house, market)!;
    const held = [0, 1, 2].map((outcome) => world.state.ledger.balance(freeSlot(holding, outcome)));
    expect(held).toEqual([30_000_000n, 0n, 30_000_000n]);
    // All that is left to the house is the rebate of 3 bps.
    expect(house(world)).toBe((10_002_000n * 30_000n) / 100_000_000n);
  });

  test('[SF2] what the house has is used before the faucet is', () => {
    const { world, market } = start(1000);
    place(world, market, 'buy 10 yes');
    const kept = house(world);
    const placed = place(world, market, 'sell 10 yes');
    const cost = placed.trades[0]!.cost;
    expect(placed.entries[0]).toMatchObject({ reason: 'house_top_up' });
    expect(placed.entries[0]!.amounts[1]).toBe(cost - kept);
  });
});
