// VD14: colluders pay each other's fees before a cancellation, to get a part of what others paid.
import type { MarketId } from '@sibyl/engine';
import { Arena, HOUR, MINUTE } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { cancelMarket, lastDay } from './cancelling.ts';
import { cancelAll, merge, mint, onTick, place } from './trading.ts';

const GANG = ['washer', 'mate'] as const;
const EVEN = 5_000;

interface Scene {
  readonly arena: Arena;
  readonly marketId: MarketId;
}

/** A book in which honest traders pay fees to each other, and three quiet days in which the washers quote. */
function scene(honestLots: number, quoteHours: number): Scene {
  const arena = new Arena({ lane: 'live' });
  const marketId = arena.market({});
  for (const name of [...GANG, 'honest', 'maker']) arena.open(name, 10_000_000);
  const wish = { marketId, lots: honestLots, price: EVEN } as const;
  place(arena, 'maker', { ...wish, outcome: 1, side: 'buy' });
  place(arena, 'honest', { ...wish, outcome: 0, side: 'buy' });
  const quote = { marketId, side: 'buy', lots: 60_000 } as const;
  place(arena, 'mate', { ...quote, outcome: 0, price: 9_970 });
  place(arena, 'mate', { ...quote, outcome: 1, price: 10 });
  for (let hour = 0; hour < quoteHours * 60; hour += 1) arena.advance(MINUTE);
  cancelAll(arena, 'mate', marketId);
  arena.advance((72 - quoteHours) * HOUR);
  return { arena, marketId };
}

function report({ arena, marketId }: Scene, before: bigint): Report {
  const spent = before - arena.money(...GANG);
  cancelMarket(arena, marketId, { window: lastDay(arena), cause: 'event' });
  const gain = arena.money(...GANG) - before;
  const measure = { rebates: arena.rebates('washer') + arena.rebates('mate') };
  const found = { putIn: spent, tookOut: spent + gain, measure };
  return arena.report({ ...found, unit: 'usdt', value: gain, bound: 0n });
}

/** Shares go to and fro at a price at which the rebate of a good maker is nearly the fee. */
export const washedFees: Attack = attack({
  rule: 'VD14',
  name: 'washed volume for a part of others’ fees',
  knobs: {
    honestLots: knob(500_000, 1_000, 2_000_000),
    lots: knob(100_000, 100, 2_000_000),
    price: knob(9_990, 10, 9_990),
    rounds: knob(20, 1, 60),
    quoteHours: knob(2, 0, 4),
  },
  run: ({ honestLots, lots, price, rounds, quoteHours }) => {
    const at = scene(honestLots, quoteHours);
    const { arena, marketId } = at;
    const before = arena.money(...GANG);
    mint(arena, 'washer', marketId, lots);
    for (let round = 0; round < rounds; round += 1) {
      const wish = { marketId, outcome: 0, lots, price: onTick(price) } as const;
      const [from, to] = round % 2 === 0 ? GANG : ([GANG[1], GANG[0]] as const);
      place(arena, from, { ...wish, side: 'sell' });
      place(arena, to, { ...wish, side: 'buy', timeInForce: 'ioc' });
    }
    for (const name of GANG) bringBack(arena, marketId, name);
    return report(at, before);
  },
});

/** Shares of one outcome that are left are sold to the other washer, whose sets are then whole. */
function bringBack(arena: Arena, marketId: MarketId, name: string): void {
  const sets = Math.min(arena.lots(name, marketId, 0), arena.lots(name, marketId, 1));
  merge(arena, name, marketId, sets);
}

/** Sets are made and given back at a fee each. */
export const washedConversions: Attack = attack({
  rule: 'VD14',
  name: 'washed conversions for a part of others’ fees',
  knobs: {
    honestLots: knob(500_000, 1_000, 2_000_000),
    lots: knob(500_000, 100, 2_000_000),
    rounds: knob(20, 1, 60),
  },
  run: ({ honestLots, lots, rounds }) => {
    const at = scene(honestLots, 0);
    const { arena, marketId } = at;
    const before = arena.money(...GANG);
    for (let round = 0; round < rounds; round += 1) {
      mint(arena, 'washer', marketId, lots);
      merge(arena, 'washer', marketId, lots);
    }
    return report(at, before);
  },
});
