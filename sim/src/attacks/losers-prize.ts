// VD11, VD12: losers want a cancellation, which pays them what a settlement would not.
import type { MarketId } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { Arena, accountId, DAY, HOUR, USDT } from './arena.ts';
import { type Attack, attack, knob } from './attack.ts';
import { cancelMarket } from './cancelling.ts';
import { push, work } from './trading.ts';

const LIFE_DAYS = 30;

/** What one side paid and what a cancellation gives it, in µUSDT. */
export interface Prize {
  readonly paid: bigint;
  readonly received: bigint;
}

interface Scene {
  readonly arena: Arena;
  readonly marketId: MarketId;
}

/** A loser buys no, then others drive yes to its end some days before the lock. */
function scene(deposit: number, loserLots: number, to: number): Scene {
  const arena = new Arena({ lane: 'live' });
  const marketId = arena.market({ deposit, durationSec: (LIFE_DAYS * DAY) / 1000 });
  arena.open('loser', 10_000_000);
  arena.open('honest', 10_000_000);
  work(arena, 'loser', { marketId, outcome: 1, side: 'buy', lots: loserLots });
  push(arena, 'honest', marketId, 0, to);
  arena.advance(LIFE_DAYS * DAY);
  return { arena, marketId };
}

const START = 10_000_000n * USDT;

/** G4: two operators do cancel the market, by the default window. */
export function losersPrize(deposit: number, loserLots: number, to: number) {
  const { arena, marketId } = scene(deposit, loserLots, to);
  const spent = (name: string): bigint => START - arena.money(name);
  const paid = { loser: spent('loser'), honest: spent('honest') };
  cancelMarket(arena, marketId, { window: null, cause: 'event' });
  const prize = (name: 'loser' | 'honest'): Prize => ({
    paid: paid[name],
    received: paid[name] - spent(name),
  });
  return { loser: prize('loser'), honest: prize('honest') };
}

/** The loser proposes a cancellation again and again, and no operator takes it up. */
export const proposedByLoser: Attack = attack({
  rule: 'VD11',
  name: 'a loser who proposes to cancel',
  knobs: {
    deposit: knob(5_000, 100, 10_000),
    lots: knob(300_000, 1_000, 1_000_000),
    to: knob(9_500, 6_000, 9_900),
    days: knob(30, 1, 60),
  },
  run: ({ deposit, lots, to, days }) => {
    const at = scene(deposit, lots, to);
    const { arena, marketId } = at;
    const before = arena.money('loser');
    const bond = usdt(arena.state.ledger.balance(arena.get(marketId).escrow) / 50n + 100n * USDT);
    for (let day = 0; day < days; day += 1) {
      arena.send('loser', {
        type: 'propose_resolution',
        marketId,
        proposerId: accountId('loser'),
        result: { kind: 'void' },
        evidence: ['arena'],
        bond,
      });
      for (let hour = 0; hour < 24; hour += 6) arena.advance(6 * HOUR);
    }
    // A proposal that no operator takes up lapses, and its bond returns.
    for (let day = 0; day < 9; day += 1) arena.advance(DAY);
    const gain = arena.money('loser') - before;
    return arena.report({ putIn: 0n, tookOut: gain, unit: 'usdt', value: gain, bound: 0n });
  },
});
