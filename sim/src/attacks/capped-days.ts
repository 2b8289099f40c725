// RK3: a family capped at 100 a day buys more, because resting orders, subaccounts and mints are not counted.
import type { MarketId } from '@sibyl/engine';
import { Arena } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { capsOf, DAY_MAX } from './caps.ts';
import { amend, mint, place } from './trading.ts';

const PRICE = 5_000;

/** Names of a family: the owner and so many subaccounts, each with its own key and money. */
function family(arena: Arena, subaccounts: number): readonly string[] {
  arena.open('a', 10_000);
  const names = ['a'];
  for (let index = 1; index <= subaccounts; index += 1) {
    names.push(`sub_a${index}`);
    arena.open(`sub_a${index}`, 10_000, 'a');
  }
  return names;
}

/** A book without a pool, and somebody who sells into whatever rests there. */
function book(): { readonly arena: Arena; readonly marketId: MarketId } {
  const arena = new Arena();
  const marketId = arena.market({});
  arena.open('mate', 1_000_000);
  mint(arena, 'mate', marketId, 50_000_000);
  return { arena, marketId };
}

/** What the family bought on the day under its capped keys, at its own limits. */
function bought(arena: Arena, names: readonly string[], marketId: MarketId): Report {
  let lots = 0;
  for (const name of names) lots += arena.lots(name, marketId, 0);
  const value = BigInt(lots * PRICE);
  const measure = { bought: value };
  return arena.report({ putIn: value, tookOut: 0n, measure, unit: 'usdt', value, bound: DAY_MAX });
}

/** Somebody outside of the family takes what rests. */
function fillAll(arena: Arena, marketId: MarketId, lots: number): void {
  const wish = { marketId, outcome: 0, side: 'sell', lots, price: PRICE } as const;
  place(arena, 'mate', { ...wish, timeInForce: 'ioc' });
}

/** An order of the owner under one of the capped keys, that waits for somebody to take it. */
function rest(arena: Arena, marketId: MarketId, lots: number, key: number): void {
  const wish = { marketId, outcome: 0, side: 'buy', lots, price: PRICE } as const;
  place(arena, 'a', { ...wish, caps: capsOf(`key_${key}`) });
}

/** One order after the other rests and is filled at once: as a maker the key uses nothing of its day. */
export const makerFills: Attack = attack({
  rule: 'RK3',
  name: 'resting orders filled one by one',
  knobs: { orders: knob(50, 1, 200), lots: knob(2_000, 100, 2_000), keys: knob(1, 1, 10) },
  run: ({ orders, lots, keys }) => {
    const { arena, marketId } = book();
    const names = family(arena, 0);
    for (let index = 0; index < orders; index += 1) {
      rest(arena, marketId, lots, index % keys);
      fillAll(arena, marketId, lots);
    }
    return bought(arena, names, marketId);
  },
});

/** All rest before any fills: each alone is within the day. */
export const restingCrowd: Attack = attack({
  rule: 'RK3',
  name: 'many resting orders at once',
  knobs: { orders: knob(200, 1, 200), lots: knob(2_000, 100, 2_000), keys: knob(1, 1, 10) },
  run: ({ orders, lots, keys }) => {
    const { arena, marketId } = book();
    const names = family(arena, 0);
    for (let index = 0; index < orders; index += 1) rest(arena, marketId, lots, index % keys);
    fillAll(arena, marketId, orders * lots);
    return bought(arena, names, marketId);
  },
});

/** Each subaccount takes with a key of its own, each within its own day. */
export const subaccountDays: Attack = attack({
  rule: 'RK3',
  name: 'a day for every subaccount',
  knobs: { subaccounts: knob(9, 0, 20), orders: knob(10, 1, 20), lots: knob(2_000, 100, 2_000) },
  run: ({ subaccounts, orders, lots }) => {
    const { arena, marketId } = book();
    const names = family(arena, subaccounts);
    const total = names.length * orders * lots;
    place(arena, 'mate', { marketId, outcome: 0, side: 'sell', lots: total, price: PRICE });
    for (const name of names) {
      for (let index = 0; index < orders; index += 1) {
        const wish = { marketId, outcome: 0, side: 'buy', lots, price: PRICE } as const;
        place(arena, name, { ...wish, timeInForce: 'ioc', caps: capsOf(`key_${name}`) });
      }
    }
    return bought(arena, names, marketId);
  },
});

/** An order that rests far away is moved to the price by another key, whose day is still whole. */
export const amendedDays: Attack = attack({
  rule: 'RK3',
  name: 'orders of one key amended by others',
  knobs: { orders: knob(50, 1, 200), lots: knob(2_000, 100, 2_000), keys: knob(5, 1, 20) },
  run: ({ orders, lots, keys }) => {
    const { arena, marketId } = book();
    const names = family(arena, 0);
    for (let index = 0; index < orders; index += 1) {
      const wish = { marketId, outcome: 0, side: 'buy', lots, price: 10 } as const;
      const resting = place(arena, 'a', { ...wish, caps: capsOf('key_first') });
      if (resting === null) continue;
      const caps = capsOf(`key_${index % keys}`);
      amend(arena, 'a', resting.orderId, { price: PRICE, lots, caps });
    }
    fillAll(arena, marketId, orders * lots);
    return bought(arena, names, marketId);
  },
});

/** Sets made by a capped key are bought like anything else: mint, and sell the other side. */
export const cappedMint: Attack = attack({
  rule: 'RK3',
  name: 'sets made by a capped key',
  knobs: { mints: knob(1, 1, 50), lots: knob(100_000, 100, 900_000) },
  run: ({ mints, lots }) => {
    const arena = new Arena();
    const marketId = arena.market({ deposit: 1_000 });
    arena.open('a', 10_000);
    let made = 0;
    for (let index = 0; index < mints; index += 1) {
      if (mint(arena, 'a', marketId, lots, capsOf('key_1'))) made += lots;
    }
    const value = BigInt(made) * 10_000n;
    const measure = { made: value };
    return arena.report({
      putIn: value,
      tookOut: value,
      measure,
      unit: 'usdt',
      value,
      bound: DAY_MAX,
    });
  },
});
