// QS4: a full quality score for makers who are there only when they are checked.
import { findHolding, type MarketId } from '@sibyl/engine';
import { Arena, accountId, MINUTE, SECOND } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { cancelAll, place } from './trading.ts';

const PRICE = 4_990;
const FULL = 10_000;

/** A bid and an ask, the latter as a bid for the other outcome: it needs no shares. */
function quote(arena: Arena, marketId: MarketId, lots: number): void {
  place(arena, 'a', { marketId, outcome: 0, side: 'buy', lots, price: PRICE, postOnly: true });
  place(arena, 'a', { marketId, outcome: 1, side: 'buy', lots, price: PRICE, postOnly: true });
}

/** The second that used to follow from the id, as anybody could compute it. */
function secondOf(marketId: MarketId): number {
  let hash = 0;
  for (let index = 0; index < marketId.length; index += 1) {
    hash = (hash * 16_807 + marketId.charCodeAt(index)) % 2_147_483_647;
  }
  return hash % 60;
}

function scene() {
  const arena = new Arena();
  const marketId = arena.market({ deposit: 10_000 });
  arena.open('a', 100_000);
  arena.advance(MINUTE - (arena.nowMs % MINUTE));
  return { arena, marketId };
}

interface Presence {
  readonly arena: Arena;
  readonly marketId: MarketId;
  readonly presentMs: number;
  readonly minutes: number;
}

/** Chance alone may give a little more than was earned: four deviations of so many checks. */
function report({ arena, marketId, presentMs, minutes }: Presence): Report {
  const quality = findHolding(arena.state, accountId('a'), marketId)?.quality ?? 0;
  const part = presentMs / (minutes * MINUTE);
  const chance = 4 * Math.sqrt((part * (1 - part)) / minutes);
  return arena.report({
    putIn: 0n,
    tookOut: 0n,
    measure: { presencePercent: Math.round(1000 * part) / 10, quality },
    unit: 'quality',
    value: BigInt(quality),
    bound: BigInt(Math.min(FULL - 1, Math.ceil(FULL * (part + chance)))),
  });
}

export const briefPresence: Attack = attack({
  rule: 'QS4',
  name: 'present only around the second of the look',
  knobs: {
    minutes: knob(120, 90, 240),
    beforeMs: knob(5_000, 5_000, 20_000),
    lots: knob(60_000, 1_000, 100_000),
  },
  run: ({ minutes, beforeMs, lots }) => {
    const { arena, marketId } = scene();
    const checkMs = secondOf(marketId) * SECOND + MINUTE;
    for (let minute = 0; minute < minutes; minute += 1) {
      arena.advance(checkMs - beforeMs - (minute === 0 ? 0 : checkMs - MINUTE + 1));
      quote(arena, marketId, lots);
      arena.advance(beforeMs);
      arena.advance(1);
      cancelAll(arena, 'a', marketId);
    }
    return report({ arena, marketId, presentMs: minutes * (beforeMs + 1), minutes });
  },
});
