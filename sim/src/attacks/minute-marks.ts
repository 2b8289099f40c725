// VD1: a price displaced for a millisecond around every whole minute passes for the price of the whole time.
import type { MarketId } from '@sibyl/engine';
import { Arena, MINUTE } from './arena.ts';
import { type Attack, attack, knob, type Values } from './attack.ts';
import { cancelMarket } from './cancelling.ts';
import { mint, onTick, place, push, work } from './trading.ts';

const DEPOSIT = 1_000;
const EVEN = 5_000;
const GANG = ['holder', 'mover'] as const;

type Names = 'held' | 'to' | 'minutes' | 'displacedMs';

/**
 * A holder whose shares cost more than they are worth, in a market that is cancelled. The quiet minutes are the same with and without the displacement, which is all that differs.
 */
function play(values: Values<Names>, displaces: boolean) {
  const arena = new Arena();
  const durationSec = (values.minutes + SCENE_MINUTES) * 60;
  const marketId = arena.market({ deposit: DEPOSIT, durationSec });
  for (const name of [...GANG, 'mate']) arena.open(name, 1_000_000);
  const before = arena.wealth(...GANG);
  work(arena, 'holder', { marketId, outcome: 0, side: 'buy', lots: values.held });
  mint(arena, 'mate', marketId, 2 * values.held);
  push(arena, 'mate', marketId, 0, EVEN);
  arena.advance(MINUTE - (arena.nowMs % MINUTE) - values.displacedMs);
  for (let minute = 0; minute < values.minutes; minute += 1) {
    if (displaces) displace(arena, marketId, values);
    else arena.advance(2 * values.displacedMs - 1);
    arena.advance(MINUTE - 2 * values.displacedMs + 1);
  }
  const unpaid = arena.wealth('holder');
  cancelMarket(arena, marketId, { window: null, cause: 'event' });
  return { arena, gain: arena.wealth(...GANG) - before, paid: arena.wealth('holder') - unpaid };
}

/** Enough for the scene even where prices may only move step by step. */
const SCENE_MINUTES = 60;

/** Up just before the mark, and back just after it. */
function displace(arena: Arena, marketId: MarketId, values: Values<Names>): void {
  const { to, displacedMs } = values;
  const wish = { marketId, outcome: 0, side: 'buy', lots: 100_000_000, price: onTick(to) } as const;
  const bought = place(arena, 'mover', { ...wish, timeInForce: 'ioc' });
  arena.advance(2 * displacedMs - 1);
  place(arena, 'mover', { marketId, outcome: 0, side: 'sell', lots: bought?.filledLots ?? 0 });
}

export const minuteMarks: Attack = attack<Names>({
  rule: 'VD1',
  name: 'a price displaced at whole minutes only',
  knobs: {
    held: knob(400_000, 1_000, 1_000_000),
    to: knob(7_250, 5_010, 9_900),
    minutes: knob(60, 10, 120),
    displacedMs: knob(1, 1, 100),
  },
  run: (values) => {
    const quiet = play(values, false);
    const moved = play(values, true);
    const value = moved.gain - quiet.gain;
    const perLot = (paid: bigint): number => Number(paid) / values.held;
    return moved.arena.report({
      putIn: moved.paid - quiet.paid - value,
      tookOut: moved.paid - quiet.paid,
      measure: { pipsQuiet: perLot(quiet.paid), pipsMoved: perLot(moved.paid) },
      unit: 'usdt',
      value,
      // What the displaced time is worth, and roundings: two pips.
      bound: BigInt(2 * values.held),
    });
  },
});
