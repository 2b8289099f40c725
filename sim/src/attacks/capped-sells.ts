// RK1: a key capped at 10 an order sells for thousands, because a low limit makes a large sell look small.
import { Arena } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { capsOf, ORDER_MAX } from './caps.ts';
import { amend, mint, place } from './trading.ts';

const knobs = {
  deposit: knob(5_000, 10, 1_000_000),
  lots: knob(1_000_000, 1_000, 100_000_000),
  limitTicks: knob(1, 1, 999),
};

const TICK = 10;

/** What one order of a capped key came to. */
function sold(arena: Arena, filled: bigint): Report {
  const [putIn, tookOut, measure] = [0n, filled, { filled }];
  return arena.report({ putIn, tookOut, measure, unit: 'usdt', value: filled, bound: ORDER_MAX });
}

/** The shares are the owner's and were made by a session: only the key that sells them is capped. */
function scene(deposit: number, lots: number) {
  const arena = new Arena();
  const marketId = arena.market({ deposit });
  arena.open('a', Math.ceil(lots / 100) + 100);
  mint(arena, 'a', marketId, lots);
  return { arena, marketId };
}

export const largeSell: Attack = attack({
  rule: 'RK1',
  name: 'one large sell with a low limit',
  knobs,
  run: ({ deposit, lots, limitTicks }) => {
    const { arena, marketId } = scene(deposit, lots);
    const order = place(arena, 'a', {
      marketId,
      outcome: 0,
      side: 'sell',
      lots,
      price: limitTicks * TICK,
      caps: capsOf('key_1'),
    });
    return sold(arena, order?.filledCost ?? 0n);
  },
});

/** The order comes to rest under one key and is re-routed under another. */
export const amendedSell: Attack = attack({
  rule: 'RK1',
  name: 'a small sell amended with another key',
  knobs,
  run: ({ deposit, lots, limitTicks }) => {
    const { arena, marketId } = scene(deposit, lots);
    const wish = { marketId, outcome: 0, side: 'sell', lots: 1_000, price: 9_990 } as const;
    const resting = place(arena, 'a', { ...wish, caps: capsOf('key_1') });
    const change = { price: limitTicks * TICK, lots, caps: capsOf('key_2') };
    const order = resting === null ? null : amend(arena, 'a', resting.orderId, change);
    return sold(arena, order?.filledCost ?? 0n);
  },
});
