// PB5, OR17: markets of many outcomes, where others' prices move with the one that is traded and bids of others hold it.
import { Arena } from './arena.ts';
import { type Attack, attack, knob } from './attack.ts';
import { mint, place } from './trading.ts';

const BAND = 2_000;

/** Each sell lifts all other outcomes: selling all but one lifts that one, whatever its band. */
export const crossedBands: Attack = attack({
  rule: 'PB5',
  name: 'one outcome lifted by selling the others',
  knobs: {
    outcomes: knob(5, 3, 16),
    deposit: knob(100, 10, 10_000),
    sets: knob(10_000_000, 1_000, 10_000_000),
    rounds: knob(3, 1, 5),
  },
  run: ({ outcomes, deposit, sets, rounds }) => {
    const arena = new Arena({ lane: 'live' });
    const marketId = arena.market({ deposit, outcomes });
    arena.open('a', 10_000_000);
    mint(arena, 'a', marketId, sets);
    const start = arena.price(marketId, 0);
    for (let round = 0; round < rounds; round += 1) {
      for (let outcome = 1; outcome < outcomes; outcome += 1) {
        const lots = arena.lots('a', marketId, outcome);
        const wish = { marketId, outcome, side: 'sell', lots, price: 10 } as const;
        place(arena, 'a', { ...wish, timeInForce: 'ioc' });
      }
    }
    const moved = arena.price(marketId, 0) - start;
    return arena.report({
      putIn: 0n,
      tookOut: 0n,
      measure: { moved },
      unit: 'pips',
      value: BigInt(moved),
      bound: BigInt(BAND),
    });
  },
});

/** Bids of next to nothing hold prices one after the other until an honest order has used up its units. */
export const tinyBids: Attack = attack({
  rule: 'OR17',
  name: 'an honest order cut short by bids for 20 USDT',
  knobs: {
    outcomes: knob(64, 32, 64),
    bids: knob(189, 80, 199),
    money: knob(20, 5, 20),
    lots: knob(100_000, 60_000, 150_000),
  },
  run: ({ outcomes, bids, money, lots }) => {
    const filledWith = (count: number): { readonly filled: number; readonly arena: Arena } => {
      const arena = new Arena({ lane: 'live' });
      const marketId = arena.market({ deposit: 1_300, outcomes });
      arena.open('honest', 1_000_000);
      arena.open('a', money);
      for (let index = 0; index < count; index += 1) {
        const outcome = 1 + (index % (outcomes - 1));
        const price = Math.floor(1_000 / outcomes) * 10;
        // No two end in the same step.
        const size = Math.floor((money * 1_000_000) / count / price) - index;
        place(arena, 'a', { marketId, outcome, side: 'buy', lots: size, price });
      }
      const wish = { marketId, outcome: 0, side: 'buy', lots, timeInForce: 'ioc' } as const;
      const order = place(arena, 'honest', { ...wish, price: 9_000 });
      return { filled: order?.filledLots ?? 0, arena };
    };
    const alone = filledWith(0);
    const { filled, arena } = filledWith(bids);
    const short = Math.max(0, alone.filled - filled);
    return arena.report({
      putIn: BigInt(money) * 1_000_000n,
      tookOut: 0n,
      measure: { alone: alone.filled, filled },
      unit: 'lots',
      value: BigInt(short),
      // What fills ends where the band does, which bids move a little.
      bound: BigInt(Math.ceil(alone.filled / 10)),
    });
  },
});
