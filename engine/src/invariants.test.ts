// Every invariant is broken once by hand, to see that it is noticed and named.

import { describe, expect, it } from 'vitest';
import { makeWorld, type World } from '../test/world.ts';
import { withdrawingAccount } from './funds/withdrawal.ts';
import { checkAll, checkTouched } from './invariants.ts';
import { reservedSharesAccount } from './position/holdings.ts';
import { addKept, freeSlot } from './state/holding.ts';
import type { Market } from './state/market.ts';
import { EventList } from './state/turn.ts';

function scene(): { world: World; market: Market } {
  const world = makeWorld();
  world.open('anna bert');
  const market = world.market({ deposit: 1000, creator: 'bert' });
  world.place('anna', market, 'buy 100 yes');
  world.place('anna', market, 'buy 10 yes @ 0.3');
  world.place('anna', market, 'sell 10 yes @ 0.9');
  return { world, market };
}

describe('invariants', () => {
  it('[IV1] money from outside that no record explains is noticed', () => {
    const world = makeWorld({ lane: 'live' });
    world.open('anna');
    checkAll(world.state);
    world.state.funds.unrecorded = 1n;
    expect(() => checkAll(world.state)).toThrow(/IV1: .* came from outside/);
  });

  it('[IV1] hold in an ordinary market', () => {
    const { world } = scene();
    checkAll(world.state);
  });

  const breaks: [string, RegExp, (world: World, market: Market) => void][] = [
    [
      'a µ from nowhere',
      /USDT sums to 1/,
      (world) => {
        const { free } = world.account('anna');
        world.state.ledger.restore(free, world.state.ledger.balance(free) + 1n);
      },
    ],
    [
      'an escrow that is not the supply',
      /escrow/,
      (world, market) => {
        const { ledger } = world.state;
        ledger.post(market.escrow, -1n);
        ledger.post(world.account('bert').free, 1n);
        ledger.commit(new EventList(), 'fill', 'x');
        world.account('bert').netDeposits += 1n;
      },
    ],
    [
      'a fee that no holder has kept',
      /fees/,
      (world, market) => addKept(world.holding('anna', market)!, 1n),
    ],
    [
      'a reserve that no order explains',
      /reserves/,
      (world) => {
        const { ledger } = world.state;
        const { free, reserved } = world.account('anna');
        ledger.post(free, -1n);
        ledger.post(reserved, 1n);
        ledger.commit(new EventList(), 'reserve', 'x');
      },
    ],
    [
      'money for withdrawals that nobody asked for',
      /for withdrawals of 0/,
      (world) => {
        const { ledger } = world.state;
        const anna = world.account('anna');
        ledger.post(anna.free, -1n);
        ledger.post(withdrawingAccount(world.state, anna), 1n);
        ledger.commit(new EventList(), 'withdrawal', 'x');
      },
    ],
    [
      'reserved shares that no order explains',
      /shares/,
      (world, market) => {
        const { ledger } = world.state;
        const holding = world.holding('anna', market)!;
        ledger.post(freeSlot(holding, 0), -1n);
        ledger.post(reservedSharesAccount(world.state, holding, 0), 1n);
        ledger.commit(new EventList(), 'reserve', 'x');
      },
    ],
    [
      'an open order that its account does not list',
      /lists 2 of 3 open orders/,
      (world) => {
        world.account('anna').openOrders += 1;
      },
    ],
    [
      'an open order that only its market counts',
      /has 2 open orders, its markets 3/,
      (world, market) => {
        world.holding('anna', market)!.openOrders += 1;
      },
    ],
    [
      'an order of one market that is counted in another',
      /acc_anna miscounts its open orders/,
      (world, market) => {
        const other = world.market({ deposit: 1000, creator: 'bert' });
        world.place('anna', other, 'buy 10 yes @ 0.3');
        world.holding('anna', market)!.openOrders += 1;
        world.holding('anna', other)!.openOrders -= 1;
      },
    ],
    [
      'a result without money',
      /PO3/,
      (world) => {
        world.account('anna').realized += 1n;
      },
    ],
    [
      'an inventory that does not follow from the pool',
      /books/,
      (world, market) => {
        const { ledger } = world.state;
        const holding = world.holding('anna', market)!;
        ledger.post(market.inventory[0]!, -1n);
        ledger.post(freeSlot(holding, 0), 1n);
        ledger.commit(new EventList(), 'fill', 'x');
      },
    ],
    [
      'a miscounted order',
      /miscounts/,
      (_, market) => {
        market.openOrders += 1;
      },
    ],
    [
      'an order that rests nowhere',
      /rests nowhere/,
      (world) => {
        [...world.state.orders.values()][0]!.level = null;
      },
    ],
    [
      'a market that ended with money',
      /ended/,
      (_, market) => {
        market.status = 'resolved';
      },
    ],
    [
      'a timer that nothing asks for',
      /waits for \d+ timers of \d+/,
      (world, market) => {
        const dueMs = world.state.nowMs + 1;
        world.state.timers.set({ dueMs, kind: 'market_resume', subject: market.id });
      },
    ],
    [
      'a timer that is set for another moment',
      /waits for \d+ timers of \d+/,
      (world, market) => {
        const dueMs = market.locksAtMs + 1;
        world.state.timers.set({ dueMs, kind: 'market_lock', subject: market.id });
      },
    ],
    [
      'an active market that nobody looks at any more',
      /not waited for/,
      (_, market) => {
        market.sampleDueMs = 0;
      },
    ],
  ];

  for (const [name, message, damage] of breaks) {
    it(`[IV2] ${name} stops with a message that names it`, () => {
      const { world, market } = scene();
      damage(world, market);
      expect(() => checkAll(world.state)).toThrow(message);
    });
  }

  it('[IV1] the check of what was touched sees the same damage', () => {
    const { world, market } = scene();
    const placed = world.place('anna', market, 'buy 1 yes');
    checkTouched(world.state, placed.outcome);
    market.openOrders += 1;
    expect(() => checkTouched(world.state, placed.outcome)).toThrow(/miscounts/);
  });
});
