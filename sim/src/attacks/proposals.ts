// RS1: proposals that take a market from its traders, or that pay because nobody could object in time.
import type { MarketId } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import { Arena, accountId, DAY, HOUR, MINUTE, USDT } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import { work } from './trading.ts';

const BOND = 10n * USDT;

function propose(arena: Arena, marketId: MarketId, bond: bigint): void {
  const outcomeId = arena.get(marketId).outcomes[0]!.id;
  arena.send('a', {
    type: 'propose_resolution',
    marketId,
    proposerId: accountId('a'),
    result: { kind: 'outcome', outcomeId },
    evidence: ['https://example.org/evidence'],
    bond: usdt(bond),
  });
}

/** Nobody can trade in a market with a proposal: whoever may make one can close any market. */
export const lockByBond: Attack = attack({
  rule: 'RS1',
  name: 'active markets locked for a bond of 10',
  knobs: {
    markets: knob(10, 1, 50),
    deposit: knob(1_000, 10, 1_000_000),
    bond: knob(10, 10, 1_000),
  },
  run: ({ markets, deposit, bond }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', bond * markets);
    let locked = 0;
    for (let index = 0; index < markets; index += 1) {
      const marketId = arena.market({ deposit });
      propose(arena, marketId, BigInt(bond) * USDT);
      if (arena.get(marketId).status !== 'active') locked += 1;
    }
    return arena.report({
      putIn: BigInt(locked * bond) * USDT,
      tookOut: 0n,
      measure: { locked },
      unit: 'markets',
      value: BigInt(locked),
      bound: 0n,
    });
  },
});

interface Case {
  readonly stake: number;
  readonly challengeSec: number | null;
  /** What happens between the proposal and the first moment at which somebody could object. */
  readonly meanwhile: (arena: Arena) => void;
}

const LIFE_SEC = 86_400;

/** Buys what will not win, and when trading has ended says that it won; the bond is as high as any rule asks for. */
function falseResult({ stake, challengeSec, meanwhile }: Case): Report {
  const arena = new Arena({ lane: 'live' });
  const marketId = arena.market({ deposit: 1_000, durationSec: LIFE_SEC, challengeSec });
  arena.open('a', 1_000_000);
  arena.open('bystander', 1_000_000);
  const before = arena.wealth('a');
  work(arena, 'bystander', { marketId, outcome: 1, side: 'buy', lots: stake });
  work(arena, 'a', { marketId, outcome: 0, side: 'buy', lots: stake });
  const putIn = before - arena.wealth('a');
  arena.advance(LIFE_SEC * 1000);
  const escrow = arena.state.ledger.balance(arena.get(marketId).escrow);
  propose(arena, marketId, BOND + escrow / 100n);
  meanwhile(arena);
  const paid = arena.get(marketId).status === 'resolved';
  const gain = paid ? arena.wealth('a') - before : 0n;
  return arena.report({
    putIn,
    tookOut: paid ? gain + putIn : 0n,
    measure: { paid: paid ? 1 : 0, gain },
    unit: 'usdt',
    value: gain,
    bound: 0n,
  });
}

const stake = knob(150_000, 100, 500_000);

/** While the lane is down nobody can object, nor in the moment in which it is back. */
export const windowWhileDown: Attack = attack({
  rule: 'RS1',
  name: 'a window that passes while the lane is down',
  knobs: { stake, downMs: knob(30 * HOUR, MINUTE, 30 * DAY), afterMs: knob(1, 0, HOUR - 1) },
  run: ({ stake, downMs, afterMs }) =>
    falseResult({
      stake,
      challengeSec: null,
      meanwhile: (arena) => {
        arena.passDown(downMs);
        arena.advance(afterMs);
      },
    }),
});

/** In read-only mode an objection is refused like everything else. */
export const windowWhileReadOnly: Attack = attack({
  rule: 'RS1',
  name: 'a window that passes in read-only mode',
  knobs: { stake, readOnlyMs: knob(30 * HOUR, MINUTE, 30 * DAY) },
  run: ({ stake, readOnlyMs }) =>
    falseResult({
      stake,
      challengeSec: null,
      meanwhile: (arena) => {
        arena.operate({ type: 'set_read_only', readOnly: true, reason: 'arena' });
        for (let passed = 0; passed < readOnlyMs; passed += HOUR) arena.advance(HOUR);
        arena.operate({ type: 'set_read_only', readOnly: false, reason: 'arena' });
      },
    }),
});

/** A template's window may be so short that nobody looks in time. */
export const shortWindow: Attack = attack({
  rule: 'RS1',
  name: 'a window too short for anybody to object',
  knobs: { stake, challengeSec: knob(60, 1, 86_400), passedMs: knob(23 * HOUR, MINUTE, DAY - 1) },
  run: ({ stake, challengeSec, passedMs }) =>
    falseResult({ stake, challengeSec, meanwhile: (arena) => arena.advance(passedMs) }),
});
