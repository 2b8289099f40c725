// VD5: a pool is held away from the fair price until the market is cancelled, pushed again after each visit.
import type { MarketId } from '@sibyl/engine';
import { Arena, DAY, HOUR, USDT } from './arena.ts';
import { type Attack, attack, knob } from './attack.ts';
import { cancelMarket, halt, lossCounted, valueAt, windowNamed, worth } from './cancelling.ts';
import { onTick, push, work } from './trading.ts';

const EVEN = 5_000;
const RICH = 1_000_000;

export interface Displacement {
  readonly deposit: number;
  readonly to: number;
  readonly heldHours: number;
  /** Between visits of arbitrageurs who bring the price back; null without any. */
  readonly visitHours: number | null;
}

export interface Displaced {
  readonly arena: Arena;
  /** What the mover spent, fees included. */
  readonly stake: bigint;
  /** With the window that attentive operators name, and by default. */
  readonly gained: bigint;
  readonly gainedByDefault: bigint;
  /** What the mover would lose if the market settled at the fair price instead. */
  readonly lossIfSettled: bigint;
}

export function displace(terms: Displacement): Displaced {
  const { deposit, to, heldHours, visitHours } = terms;
  const arena = new Arena({ lane: 'live' });
  const marketId = arena.market({ deposit });
  arena.open('mover', RICH);
  for (const visitor of VISITORS) arena.open(visitor, RICH);
  arena.advance(30 * DAY);
  hold(arena, marketId, { to, heldHours, visitHours });
  const stake = BigInt(RICH) * USDT - arena.wealth('mover');
  halt(arena, marketId);
  const fair = arena.get(marketId).outcomes.map(() => EVEN);
  const lossIfSettled = stake - worth(arena, marketId, 'mover', fair);
  const families = visitHours === null ? 1 : VISITORS.length;
  const window = windowNamed(arena, marketId, { families, fairPips: EVEN });
  const [named = 0n, byDefault = 0n] = [window, null].map((each) =>
    worth(arena, marketId, 'mover', valueAt(arena, marketId, each).payout),
  );
  cancelMarket(arena, marketId, { window, cause: 'event' });
  const gained = arena.wealth('mover') - BigInt(RICH) * USDT;
  return { arena, stake, gained, gainedByDefault: gained + byDefault - named, lossIfSettled };
}

const VISITORS = ['visitor1', 'visitor2', 'visitor3', 'visitor4', 'visitor5', 'visitor6'] as const;

function hold(
  arena: Arena,
  marketId: MarketId,
  { to, heldHours, visitHours }: Pick<Displacement, 'to' | 'heldHours' | 'visitHours'>,
): void {
  const endMs = arena.nowMs + heldHours * HOUR;
  const everyMs = (visitHours ?? heldHours) * HOUR;
  push(arena, 'mover', marketId, 0, to);
  for (let visit = 0; arena.nowMs + everyMs < endMs; visit += 1) {
    arena.advance(everyMs);
    visitPool(arena, marketId, VISITORS[visit % VISITORS.length]!, to);
    push(arena, 'mover', marketId, 0, to);
  }
  arena.advance(Math.max(0, endMs - arena.nowMs));
}

/** Brings the price back by buying the other outcome, and never pays more than the fair price. */
function visitPool(arena: Arena, marketId: MarketId, name: string, from: number): void {
  if (from > EVEN) push(arena, name, marketId, 1, EVEN);
  else push(arena, name, marketId, 0, EVEN);
}

/** With visits a day apart it costs more to hold a price than a cancellation brings. */
export const displacedPool: Attack = attack({
  rule: 'VD5',
  name: 'a pool held away from the fair price',
  knobs: {
    deposit: knob(500, 100, 5_000),
    to: knob(9_000, 5_600, 9_700),
    heldHours: knob(168, 1, 200),
    visitHours: knob(24, 4, 24),
  },
  run: ({ deposit, to, heldHours, visitHours }) => {
    const terms = { deposit, to: onTick(to), heldHours, visitHours };
    const { arena, stake, gained, lossIfSettled } = displace(terms);
    return arena.report({
      putIn: stake,
      tookOut: stake + gained,
      measure: { gained, lossIfSettled },
      unit: 'usdt',
      value: gained - lossCounted(lossIfSettled),
      bound: (BigInt(deposit) * USDT) / 50n,
    });
  },
});

/** Sold back without a visit in between, the shares bring their cost less the fees of both trades. */
export function wayBack(deposit: number, to: number): bigint {
  const arena = new Arena({ lane: 'live' });
  const marketId = arena.market({ deposit });
  arena.open('mover', RICH);
  push(arena, 'mover', marketId, 0, to);
  const lots = arena.lots('mover', marketId, 0);
  work(arena, 'mover', { marketId, outcome: 0, side: 'sell', lots });
  return BigInt(RICH) * USDT - arena.wealth('mover');
}
