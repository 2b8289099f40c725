// PB4: a market kept from trading by whoever moves its price, and orders that run away before anything stops them.
import type { MarketId } from '@sibyl/engine';
import { Arena, HOUR, MINUTE, SECOND } from './arena.ts';
import { type Attack, attack, knob } from './attack.ts';
import { mint, onTick, place, send } from './trading.ts';

const EVEN = 5_000;
/** What an order may move a price by, and so what a halt used to ask for. */
const BAND = 2_000;

/** Up by the band and back again, whenever the market trades: how long of the time does it not? */
export const keptHalted: Attack = attack({
  rule: 'PB4',
  name: 'a market kept halted by one trader',
  knobs: {
    hours: knob(2, 1, 4),
    waitMs: knob(10 * SECOND, SECOND, MINUTE),
    pips: knob(2_050, 500, 4_000),
    deposit: knob(100, 10, 10_000),
  },
  run: ({ hours, waitMs, pips, deposit }) => {
    const arena = new Arena({ lane: 'live' });
    const marketId = arena.market({ deposit });
    arena.open('a', 1_000_000);
    const before = arena.wealth('a');
    const endMs = arena.nowMs + hours * HOUR;
    let haltedMs = 0;
    while (arena.nowMs < endMs) {
      swing(arena, marketId, pips);
      const halted = arena.get(marketId).halted;
      const ms = halted ? MINUTE : waitMs;
      if (halted) haltedMs += ms;
      arena.advance(ms);
    }
    const held = arena.lots('a', marketId, 0);
    place(arena, 'a', { marketId, outcome: 0, side: 'sell', lots: held });
    const cost = before - arena.wealth('a');
    return arena.report({
      putIn: cost,
      tookOut: 0n,
      measure: {
        haltedPercent: (100 * haltedMs) / (hours * HOUR),
        costPerMinute: cost / BigInt(60 * hours),
      },
      unit: 'ms',
      value: BigInt(haltedMs),
      // Once an hour by itself; the last one may begin as the time ends.
      bound: BigInt((hours + 1) * MINUTE),
    });
  },
});

/** What was bought is sold, what was sold is bought: in the long run only fees are lost. */
function swing(arena: Arena, marketId: MarketId, pips: number): void {
  const lots = arena.lots('a', marketId, 0);
  if (lots > 0) {
    place(arena, 'a', { marketId, outcome: 0, side: 'sell', lots });
    return;
  }
  const price = onTick(arena.price(marketId, 0) + pips);
  const wish = { marketId, outcome: 0, side: 'buy', lots: 100_000_000, price } as const;
  place(arena, 'a', { ...wish, timeInForce: 'ioc' });
}

/** One order that takes everything there is: the halt comes after it. */
export const runawayOrder: Attack = attack({
  rule: 'PB4',
  name: 'one order that fills up to 0.9999',
  knobs: {
    deposit: knob(100, 10, 100_000),
    outcomes: knob(2, 2, 8),
    lots: knob(10_000_000, 100, 100_000_000),
  },
  run: ({ deposit, outcomes, lots }) => {
    const arena = new Arena({ lane: 'live' });
    const marketId = arena.market({ deposit, outcomes });
    arena.open('a', 10_000_000);
    const start = arena.price(marketId, 0);
    const order = place(arena, 'a', { marketId, outcome: 0, side: 'buy', lots });
    const moved = arena.price(marketId, 0) - start;
    return arena.report({
      putIn: order?.filledCost ?? 0n,
      tookOut: 0n,
      measure: { shares: (order?.filledLots ?? 0) / 100, moved },
      unit: 'pips',
      value: BigInt(moved),
      bound: BigInt(BAND),
    });
  },
});

/** Without a pool a market order walks up the book as far as anybody sells. */
export const runawayBook: Attack = attack({
  rule: 'PB4',
  name: 'one market order through an empty book',
  knobs: {
    first: knob(EVEN, 10, 9_000),
    last: knob(9_990, 20, 9_990),
    lots: knob(10_000, 100, 1_000_000),
  },
  run: ({ first, last, lots }) => {
    const arena = new Arena({ lane: 'live' });
    const marketId = arena.market({});
    arena.open('a', 10_000_000);
    arena.open('mate', 10_000_000);
    mint(arena, 'mate', marketId, 2 * lots);
    for (const price of [first, last]) {
      place(arena, 'mate', { marketId, outcome: 0, side: 'sell', lots, price: onTick(price) });
    }
    const outcome = send(arena, 'a', { marketId, outcome: 0, side: 'buy', lots: 2 * lots });
    let lowest = 10_000;
    let highest = 0;
    for (const event of outcome.events) {
      if (event.type !== 'trade_executed') continue;
      const price = event.costMicro / event.lots;
      lowest = Math.min(lowest, price);
      highest = Math.max(highest, price);
    }
    const moved = Math.max(0, Math.round(highest - lowest));
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
