// RF4: a holder makes claims that the market cannot pay, so that it settles at prices which pay the holder more.
import type { MarketId } from '@sibyl/engine';
import { Arena, HOUR, USDT } from './arena.ts';
import { type Attack, attack, knob, type Values } from './attack.ts';
import { cancelMarket, merge, mint, push, work } from './trading.ts';

const DEPOSIT = 1_000;
const GANG = ['holder', 'winner', 'loser'] as const;

type Names = 'held' | 'crowdTo' | 'hours' | 'low' | 'high' | 'lots' | 'loops';

/**
 * The holder bought early and a crowd came after, so that the shares are worth more than they cost; then the market is
 * cancelled, with or without the colluders having traded in circles shortly before.
 */
function play(values: Values<Names>, switches: boolean) {
  const arena = new Arena();
  const marketId = arena.market({ deposit: DEPOSIT });
  for (const name of GANG) arena.open(name, 1_000_000);
  arena.open('crowd', 1_000_000);
  const before = arena.wealth('holder');
  const others = arena.wealth('winner', 'loser');
  work(arena, 'holder', { marketId, outcome: 0, side: 'buy', lots: values.held });
  push(arena, 'crowd', marketId, 0, values.crowdTo);
  arena.advance(values.hours * HOUR);
  if (switches) for (let loop = 0; loop < values.loops; loop += 1) circle(arena, marketId, values);
  cancelMarket(arena, marketId);
  const cost = others - arena.wealth('winner', 'loser');
  return { arena, cost, gain: arena.wealth('holder') - before };
}

/** The loser sells low to the winner and buys back high from the pool that the winner sells to. */
function circle(arena: Arena, marketId: MarketId, values: Values<Names>): void {
  const { low, high, lots } = values;
  mint(arena, 'loser', marketId, lots);
  push(arena, 'loser', marketId, 0, low);
  const bought = work(arena, 'winner', { marketId, outcome: 0, side: 'buy', lots });
  push(arena, 'loser', marketId, 0, high);
  work(arena, 'winner', { marketId, outcome: 0, side: 'sell', lots: bought.lots });
  push(arena, 'loser', marketId, 0, values.crowdTo);
  const sets = Math.min(arena.lots('loser', marketId, 0), arena.lots('loser', marketId, 1));
  merge(arena, 'loser', marketId, sets);
}

export const ruleSwitch: Attack = attack<Names>({
  rule: 'RF4',
  name: 'claims that turn refunds into prices',
  knobs: {
    held: knob(300_000, 1_000, 1_000_000),
    crowdTo: knob(9_500, 5_100, 9_900),
    hours: knob(24, 1, 48),
    low: knob(500, 100, 8_000),
    high: knob(9_900, 5_000, 9_990),
    lots: knob(400_000, 1_000, 2_000_000),
    loops: knob(2, 1, 10),
  },
  run: (values) => {
    const quiet = play(values, false);
    const { arena, cost, gain } = play(values, true);
    const more = gain - quiet.gain;
    return arena.report({
      putIn: cost,
      tookOut: more,
      measure: { cost, holderGain: gain, quietGain: quiet.gain },
      unit: 'usdt',
      value: more - cost,
      bound: (BigInt(DEPOSIT) * USDT) / 50n,
    });
  },
});
