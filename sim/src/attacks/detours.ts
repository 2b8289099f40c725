// FE9: the same trade by way of complete sets, whose other side costs less in fees than its own.
import type { MarketId } from '@sibyl/engine';
import { Arena, MINUTE } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { cancelAll, merge, mint, onTick, place, push, type Side, work } from './trading.ts';

interface Scene {
  readonly arena: Arena;
  readonly marketId: MarketId;
}

/** A pool whose first outcome stands at the price, and a trader with money, or with shares of it. */
function scene(outcomes: number, price: number, deposit: number, lots: number): Scene {
  const arena = new Arena();
  const marketId = arena.market({ deposit, outcomes });
  arena.open('pusher', deposit * 100);
  push(arena, 'pusher', marketId, 0, price);
  arena.open('a', lots + 10_000);
  return { arena, marketId };
}

/** What a way to the same position costs, fees included, and how many fills it took; null where it leads elsewhere. */
interface Way {
  readonly paid: bigint;
  readonly fills: number;
}

function others({ arena, marketId }: Scene): readonly number[] {
  return arena
    .get(marketId)
    .outcomes.map((_, index) => index)
    .slice(1);
}

function directly(at: Scene, side: Side, lots: number): Way | null {
  const { arena, marketId } = at;
  if (side === 'sell' && !give(at, lots)) return null;
  const before = arena.wealth('a');
  const { lots: filled, fills } = work(arena, 'a', { marketId, outcome: 0, side, lots });
  return filled === lots ? { paid: before - arena.wealth('a'), fills } : null;
}

/** A buy becomes a mint and sells of the others, a sell becomes buys of the others and a merge. */
function bySets(at: Scene, side: Side, lots: number): Way | null {
  const { arena, marketId } = at;
  if (side === 'sell' && !give(at, lots)) return null;
  const before = arena.wealth('a');
  let fills = 0;
  if (side === 'buy' && !mint(arena, 'a', marketId, lots)) return null;
  for (const outcome of others(at)) {
    const opposite = side === 'buy' ? 'sell' : 'buy';
    const filled = work(arena, 'a', { marketId, outcome, side: opposite, lots });
    if (filled.lots !== lots) return null;
    fills += filled.fills;
  }
  if (side === 'sell' && !merge(arena, 'a', marketId, lots)) return null;
  return { paid: before - arena.wealth('a'), fills };
}

/** The shares to be sold are bought first, alike for both ways. */
function give({ arena, marketId }: Scene, lots: number): boolean {
  return work(arena, 'a', { marketId, outcome: 0, side: 'buy', lots }).lots === lots;
}

/** What the detour saves; the rule leaves it a µ for each fill, because each fee is rounded up. */
function compare(
  side: Side,
  outcomes: number,
  price: number,
  deposit: number,
  lots: number,
): Report {
  const here = scene(outcomes, price, deposit, lots);
  const there = scene(outcomes, price, deposit, lots);
  const direct = directly(here, side, lots);
  const detour = bySets(there, side, lots);
  const known = direct !== null && detour !== null;
  const putIn = known ? detour.paid : 0n;
  const tookOut = known ? direct.paid : 0n;
  const notional = tookOut < 0n ? -tookOut : tookOut;
  const saved = tookOut - putIn;
  return there.arena.report({
    putIn,
    tookOut,
    measure: {
      saved,
      savedBps: notional === 0n ? 0 : Number((saved * 1_000_000n) / notional) / 100,
      price: here.arena.price(here.marketId, 0),
    },
    unit: 'usdt',
    value: saved,
    bound: BigInt(known ? direct.fills + detour.fills : 0),
  });
}

const knobs = {
  price: knob(9_900, 200, 9_900),
  lots: knob(10_000, 100, 100_000),
  deposit: knob(100_000, 1_000, 1_000_000),
};

export const mintDetour: Attack = attack({
  rule: 'FE9',
  name: 'mint and sell the other side',
  knobs,
  run: ({ price, lots, deposit }) => compare('buy', 2, price, deposit, lots),
});

export const mergeDetour: Attack = attack({
  rule: 'FE9',
  name: 'buy the other side and merge',
  knobs,
  run: ({ price, lots, deposit }) => compare('sell', 2, price, deposit, lots),
});

const manyKnobs = { ...knobs, price: knob(9_000, 200, 9_000), outcomes: knob(64, 3, 64) };

export const manySided: Attack = attack({
  rule: 'FE9',
  name: 'mint and sell all other outcomes',
  knobs: manyKnobs,
  run: ({ price, lots, deposit, outcomes }) => compare('buy', outcomes, price, deposit, lots),
});

export const manySidedMerge: Attack = attack({
  rule: 'FE9',
  name: 'buy all other outcomes and merge',
  knobs: manyKnobs,
  run: ({ price, lots, deposit, outcomes }) => compare('sell', outcomes, price, deposit, lots),
});

/**
 * Two quotes held for some time give a maker quality, and quality a discount on conversions; hardly any order trades with
 * quotes so wide. What the detour saves should be bounded by what was filled.
 */
export const quotedDetour: Attack = attack({
  rule: 'FE9',
  name: 'mint and sell the other side, after quoting for quality',
  knobs: {
    price: knob(9_000, 5_500, 9_700),
    lots: knob(10_000, 100, 100_000),
    minutes: knob(75, 30, 300),
  },
  run: ({ price, lots, minutes }) => {
    const [here, there] = [scene(2, price, 100_000, lots), scene(2, price, 100_000, lots)];
    for (const { arena, marketId } of [here, there]) quote(arena, marketId, minutes);
    const direct = directly(here, 'buy', lots);
    const detour = bySets(there, 'buy', lots);
    const known = direct !== null && detour !== null;
    const [putIn, tookOut] = known ? [detour.paid, direct.paid] : [0n, 0n];
    return there.arena.report({
      putIn,
      tookOut,
      measure: { saved: tookOut - putIn },
      unit: 'usdt',
      value: tookOut - putIn,
      bound: BigInt(known ? direct.fills + detour.fills : 0),
    });
  },
});

/** Both sides of the first outcome, behind the pool on either. */
function quote(arena: Arena, marketId: MarketId, minutes: number): void {
  mint(arena, 'a', marketId, QUOTE_LOTS);
  const mid = arena.price(marketId, 0);
  const wish = { marketId, outcome: 0, lots: QUOTE_LOTS } as const;
  place(arena, 'a', { ...wish, side: 'buy', price: onTick(mid - 20) });
  place(arena, 'a', { ...wish, side: 'sell', price: onTick(mid + 20) });
  for (let minute = 0; minute < minutes; minute += 1) arena.advance(MINUTE);
  cancelAll(arena, 'a', marketId);
}

const QUOTE_LOTS = 60_000;
