// RF4: colluders make profits out of each other, so that a cancellation pays their losses from the creator's deposit.
import type { MarketId } from '@sibyl/engine';
import { Prng } from '../prng.ts';
import { Arena, DAY, MINUTE, SECOND, USDT } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { cancelMarket, merge, mint, onTick, place, push, work } from './trading.ts';

const GANG = ['winner', 'loser', 'issuer'] as const;
const DEPOSIT = 1_000;
/** What the rule leaves unprotected of the deposit. */
const BOUND = (BigInt(DEPOSIT) * USDT) / 50n;

interface Scene {
  readonly arena: Arena;
  readonly marketId: MarketId;
}

function scene(): Scene {
  const arena = new Arena();
  const marketId = arena.market({ deposit: DEPOSIT });
  for (const name of GANG) arena.open(name, 1_000_000);
  return { arena, marketId };
}

/** What the gang has more after the market is cancelled than before it traded, rebates apart. */
function cancelled({ arena, marketId }: Scene, before: bigint): Report {
  const paid = before - arena.wealth(...GANG);
  cancelMarket(arena, marketId);
  const gain = arena.wealth(...GANG) - before;
  let rebates = 0n;
  for (const name of GANG) rebates += arena.rebates(name);
  return arena.report({
    putIn: paid,
    tookOut: gain + paid,
    measure: { gain, rebates },
    unit: 'usdt',
    value: gain,
    bound: BOUND,
  });
}

/** One buys, the other drives the price up, the first sells: what the other lost is refunded, the profit is kept. */
export const poolLoop: Attack = attack({
  rule: 'RF4',
  name: 'a profit driven up through the pool',
  knobs: {
    first: knob(650_000, 100, 2_000_000),
    driven: knob(1_600_000, 100, 2_000_000),
    loops: knob(1, 1, 5),
    sellsBack: knob(0, 0, 1),
    waitMs: knob(0, 0, 2 * DAY),
  },
  run: ({ first, driven, loops, sellsBack, waitMs }) => {
    const at = scene();
    const { arena, marketId } = at;
    const before = arena.wealth(...GANG);
    for (let loop = 0; loop < loops; loop += 1) {
      const bought = work(arena, 'winner', { marketId, outcome: 0, side: 'buy', lots: first });
      const driving = work(arena, 'loser', { marketId, outcome: 0, side: 'buy', lots: driven });
      work(arena, 'winner', { marketId, outcome: 0, side: 'sell', lots: bought.lots });
      if (sellsBack === 0) continue;
      work(arena, 'loser', { marketId, outcome: 0, side: 'sell', lots: driving.lots });
    }
    arena.advance(waitMs);
    return cancelled(at, before);
  },
});

/** With the pool pushed out of the way, shares change hands for nearly nothing and back for nearly everything. */
export const bookLoop: Attack = attack({
  rule: 'RF4',
  name: 'a profit at false prices in the book',
  knobs: {
    lots: knob(101_500, 100, 2_000_000),
    low: knob(10, 10, 4_900),
    high: knob(9_860, 5_100, 9_990),
    waitMs: knob(0, 0, 2 * DAY),
  },
  run: ({ lots, low, high, waitMs }) => {
    const at = scene();
    const { arena, marketId } = at;
    const before = arena.wealth(...GANG);
    mint(arena, 'issuer', marketId, lots);
    push(arena, 'issuer', marketId, 1, 10_000 - onTick(low) + 10);
    const cheap = { marketId, outcome: 0, lots, price: onTick(low) } as const;
    place(arena, 'issuer', { ...cheap, side: 'sell' });
    work(arena, 'winner', { ...cheap, side: 'buy' });
    push(arena, 'loser', marketId, 0, onTick(high) - 10);
    const held = arena.lots('winner', marketId, 0);
    if (held > 0) {
      const dear = { marketId, outcome: 0, lots: held, price: onTick(high) } as const;
      place(arena, 'loser', { ...dear, side: 'buy' });
      work(arena, 'winner', { ...dear, price: 10, side: 'sell' });
    }
    arena.advance(waitMs);
    return cancelled(at, before);
  },
});

/** Whatever comes to mind: loops that nobody has thought of are found by trying. */
export const randomLoops: Attack = attack({
  rule: 'RF4',
  name: 'whatever colluders can think of',
  knobs: {
    seed: knob(912_812_997, 1, 1_000_000_000),
    steps: knob(60, 1, 200),
    lotsMax: knob(225_358, 100, 2_000_000),
    waitMs: knob(75 * MINUTE, 0, 2 * DAY),
  },
  run: ({ seed, steps, lotsMax, waitMs }) => {
    const at = scene();
    const { arena } = at;
    const before = arena.wealth(...GANG);
    const prng = new Prng(seed);
    for (let step = 0; step < steps; step += 1) act(at, prng, lotsMax);
    arena.advance(waitMs);
    return cancelled(at, before);
  },
});

function act({ arena, marketId }: Scene, prng: Prng, lotsMax: number): void {
  const name = prng.pick(GANG);
  const outcome = prng.between(0, 1);
  const lots = prng.between(1, lotsMax);
  const price = onTick(prng.between(10, 9_990));
  const side = prng.pick(['buy', 'sell'] as const);
  const held = arena.lots(name, marketId, outcome);
  const size = side === 'sell' && held > 0 ? Math.min(lots, held) : lots;
  const kind = prng.pick(['market', 'market', 'limit', 'limit', 'mint', 'merge', 'push', 'wait']);
  if (kind === 'market') place(arena, name, { marketId, outcome, side, lots: size });
  else if (kind === 'limit') place(arena, name, { marketId, outcome, side, lots: size, price });
  else if (kind === 'mint') mint(arena, name, marketId, lots);
  else if (kind === 'merge') {
    merge(arena, name, marketId, Math.min(held, arena.lots(name, marketId, 1 - outcome)));
  } else if (kind === 'push') push(arena, name, marketId, outcome, price);
  else arena.advance(prng.between(1, 11) * SECOND);
}
