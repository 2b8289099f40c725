// Bounded walks: so many units of work for all that one command routes, and no more.
import { lots, usdt } from '@sibyl/money';
import { describe, expect, test } from 'vitest';
import {
  accountName,
  makeWorld,
  OPERATOR,
  orderOf,
  PLAIN_PARAMETERS,
  type World,
} from '../../test/world.ts';
import { checkAll } from '../invariants.ts';
import { previewOrder } from '../order/preview.ts';
import type { BatchItem } from '../state/command.ts';
import type { Market } from '../state/market.ts';
import { DEFAULT_PARAMETERS } from '../state/parameters.ts';

interface Scene {
  readonly world: World;
  readonly market: Market;
}

function scene(walkUnits: number, deposit = 0, outcomes = 2): Scene {
  const risk = {
    ...PLAIN_PARAMETERS.risk,
    openOrdersPerMarket: 10_000,
    openOrdersPerAccount: 10_000,
  };
  const world = makeWorld({ parameters: { ...PLAIN_PARAMETERS, risk, walkUnits } });
  world.open('m t');
  world.open('sub_t', 1_000_000, 't');
  const market = world.market({ deposit, outcomes });
  for (const name of ['m', 't', 'sub_t']) world.mint(name, market, 20_000);
  return { world, market };
}

/** So many orders of one lot each at one price. */
function asks({ world, market }: Scene, count: number, name = 'm', price = 0.6): void {
  const { id } = market.outcomes[0]!;
  for (let index = 0; index < count; index += 1) {
    world.place(name, market, `sell 0.01 ${id} @ ${price}`);
  }
}

const STOPPED = { status: 'cancelled', cancelReason: 'too_many_steps' };

describe('[RT10] the units of a walk', () => {
  test('are 5,000: the last one fills an order, the next would', () => {
    const one = scene(DEFAULT_PARAMETERS.walkUnits);
    asks(one, 5001);
    const placed = one.world.place('t', one.market, 'buy 50.01 yes @ 0.6');
    expect(placed.order).toMatchObject({ ...STOPPED, filledLots: 5000 });
    expect(one.market.openOrders).toBe(1);
    expect(one.world.reserved('t')).toBe(0n);
    asks(one, 4999);
    const whole = one.world.place('t', one.market, 'buy 50 yes @ 0.6');
    expect(whole.order).toMatchObject({ status: 'filled', filledLots: 5000 });
    checkAll(one.world.state);
  });

  test('an order that needs none of them more rests or ends as it would anyway', () => {
    const one = scene(3);
    asks(one, 3);
    expect(one.world.place('t', one.market, 'buy 1 yes @ 0.6').order).toMatchObject({
      status: 'partially_filled',
      filledLots: 3,
    });
    const two = scene(3);
    asks(two, 3);
    expect(two.world.place('t', two.market, 'buy 1 yes').order.cancelReason).toBe('ioc_remainder');
  });

  test('what is left is cancelled whatever its time in force; a fok is rejected', () => {
    for (const text of ['buy 1 yes @ 0.6', 'buy 1 yes', 'buy 1 yes @ 0.6 ioc']) {
      const one = scene(3);
      asks(one, 4);
      expect(one.world.place('t', one.market, text).order).toMatchObject({
        ...STOPPED,
        filledLots: 3,
      });
    }
    const one = scene(3);
    asks(one, 13);
    // A fok order has four times as many.
    const fok = one.world.place('t', one.market, 'buy 0.13 yes fok');
    expect(fok.order).toMatchObject({ status: 'rejected', rejectReason: 'fok_unfilled' });
    expect(one.world.place('t', one.market, 'buy 0.12 yes fok').order.status).toBe('filled');
  });

  test('own orders that are withdrawn take one each, one that stops the taker takes none', () => {
    const one = scene(3);
    asks(one, 2, 'sub_t', 0.5);
    asks(one, 2, 'm', 0.6);
    const placed = one.world.place('t', one.market, 'buy 1 yes @ 0.6');
    expect(placed.order).toMatchObject({ ...STOPPED, filledLots: 1 });
    expect(one.market.openOrders).toBe(1);
    const two = scene(1);
    asks(two, 1, 'm', 0.5);
    asks(two, 1, 'sub_t', 0.6);
    const stpMode = 'cancel_incoming';
    const stopped = two.world.place('t', two.market, 'buy 1 yes @ 0.6', { stpMode });
    expect(stopped.order.cancelReason).toBe('self_trade_prevented');
  });

  test.each([2, 5, 64])('a step with the pool of %i outcomes takes as many', (outcomes) => {
    for (const [units, steps] of [
      [outcomes - 1, 0],
      [outcomes, 1],
      [outcomes + 1, 2],
      [2 * outcomes, 2],
      [2 * outcomes + 1, 3],
    ] as const) {
      // The pool up to the ask, the ask, and the pool beyond it.
      const one = scene(units, 1000, outcomes);
      const even = 1 / outcomes;
      asks(one, 1, 'm', Math.ceil(even * 1000 + 20) / 1000);
      const { id } = one.market.outcomes[0]!;
      const placed = one.world.place('t', one.market, `buy 10000 ${id} @ 0.9`);
      expect([units, placed.trades.length]).toEqual([units, steps]);
      const last = steps === 3 ? 'partially_filled' : 'cancelled';
      expect(placed.order.status).toBe(last);
    }
  });

  test('a step with legs takes as many as there are outcomes, however many legs', () => {
    const one = scene(3, 500, 3);
    one.world.place('m', one.market, 'buy 100 o1 @ 0.333');
    one.world.place('m', one.market, 'buy 100 o2 @ 0.333');
    const placed = one.world.place('t', one.market, 'buy 500 o0');
    expect(placed.trades).toHaveLength(1);
    expect(placed.order).toMatchObject(STOPPED);
    checkAll(one.world.state);
  });

  test('[OR7] a budget that ends the walk needs no unit more', () => {
    const one = scene(1);
    asks(one, 5);
    const maxCost = usdt(6100n);
    const placed = one.world.place('t', one.market, 'buy 1 yes', { maxCost });
    expect(placed.order).toMatchObject({ filledLots: 1, cancelReason: 'ioc_remainder' });
  });
});

describe('[RT10] whose units they are', () => {
  const item = ({ market }: Scene, text: string): BatchItem => orderOf('t', market, text);

  function batch({ world }: Scene, items: readonly BatchItem[], allOrNone = false) {
    const { answer } = world.run({ type: 'batch', accountId: accountName('t'), items, allOrNone });
    if (!answer.ok) return answer.rejection.code;
    if (answer.result.kind !== 'batch') throw new Error('not a batch');
    return answer.result.items.map((one) => {
      if (!one.ok) return one.rejection.code;
      return one.result.kind === 'order' ? one.result.order.filledLots : null;
    });
  }

  test('the items of a batch share them', () => {
    const one = scene(5);
    asks(one, 10);
    const texts = ['buy 0.03 yes', 'buy 0.03 yes', 'buy 0.01 yes'];
    const items = texts.map((text) => item(one, text));
    expect(batch(one, items)).toEqual([3, 2, 0]);
  });

  test('also those that a refused item used', () => {
    const one = scene(5);
    asks(one, 10);
    const items = [
      item(one, 'buy 0.04 yes fok'),
      { ...item(one, 'buy 0.03 yes'), lots: lots(3) },
      item(one, 'buy 0.02 yes'),
    ];
    // The fok uses one unit for its four orders, the second three; the third is cut short.
    expect(batch(one, items)).toEqual([4, 3, 1]);
    const two = scene(5);
    asks(two, 10);
    const poor = { ...item(two, 'buy 0.04 yes'), accountId: accountName('t') };
    two.world.do({
      type: 'transfer',
      fromId: accountName('t'),
      toId: accountName('sub_t'),
      amount: usdt(two.world.free('t') - 6100n),
    });
    expect(batch(two, [poor, item(two, 'buy 0.01 yes'), item(two, 'buy 0.01 yes')])).toEqual([
      'BALANCE_INSUFFICIENT',
      1,
      0,
    ]);
  });

  test('the check of all_or_none has as many of its own', () => {
    const one = scene(5);
    asks(one, 10);
    const items = ['buy 0.03 yes', 'buy 0.02 yes'].map((text) => item(one, text));
    expect(batch(one, items, true)).toEqual([3, 2]);
  });

  test('the next command has its own', () => {
    const one = scene(5);
    asks(one, 10);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(one.world.place('t', one.market, 'buy 0.05 yes').order.status).toBe('filled');
    }
  });

  test('an amendment has as many', () => {
    const one = scene(5);
    const { id } = one.world.place('t', one.market, 'buy 1 yes @ 0.5');
    asks(one, 10);
    const amended = one.world.amend('t', id, 0.6, null);
    expect(amended.order).toMatchObject({ ...STOPPED, filledLots: 5 });
    expect(one.world.reserved('t')).toBe(0n);
  });

  test('[RT9] a preview has as many as an order, and says the same', () => {
    const one = scene(5);
    asks(one, 10);
    const order = orderOf('t', one.market, 'buy 1 yes @ 0.7');
    const preview = previewOrder(one.world.state, OPERATOR, order);
    expect(preview).toMatchObject({
      filledLots: 5,
      restingLots: 0,
      cancelReason: 'too_many_steps',
    });
    expect(one.world.place('t', one.market, 'buy 1 yes @ 0.7').order).toMatchObject({
      ...STOPPED,
      filledLots: 5,
    });
  });
});
