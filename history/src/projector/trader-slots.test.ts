import { createState } from '@sibyl/engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraderSlots } from './trader-slots.ts';

const MARKETS = ['m_00', 'm_01'];
const ACCOUNTS = ['user:acc_a:free', 'user:acc_a:reserved', 'user:acc_b:free'];
const SHARES = MARKETS.flatMap((id) => [`user:acc_b:reserved:${id}.0`, `user:acc_a:free:${id}.12`]);
const OTHERS = ['insurance', 'market:m_00:escrow', 'sandbox:house', 'external:bank'];
const NAMES = [...ACCOUNTS, ...SHARES, ...OTHERS];

/** What each name must come to, written out by hand. */
const EXPECTED: Readonly<Record<string, readonly [string, string | null, number]>> = {
  'user:acc_a:free': ['acc_a', null, 0],
  'user:acc_a:reserved': ['acc_a', null, 1],
  'user:acc_b:free': ['acc_b', null, 0],
  'user:acc_b:reserved:m_00.0': ['acc_b', 'm_00', 3],
  'user:acc_a:free:m_00.12': ['acc_a', 'm_00', 26],
  'user:acc_b:reserved:m_01.0': ['acc_b', 'm_01', 3],
  'user:acc_a:free:m_01.12': ['acc_a', 'm_01', 26],
};

describe('slots of traders', () => {
  it('[LG4] balances follow the names, whichever slots a table gives them', () => {
    const table = fc.tuple(
      fc.shuffledSubarray(NAMES, { minLength: NAMES.length }),
      fc.nat(3000),
      fc.array(fc.tuple(fc.nat(NAMES.length - 1), fc.bigInt(-(1n << 61n), 1n << 61n))),
    );
    fc.assert(
      fc.property(fc.array(table, { minLength: 1, maxLength: 6 }), (tables) => {
        const numbers = new Map<string, number>();
        const number = (kind: string, name: string): number => {
          const key = `${kind} ${name}`;
          if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
          return numbers.get(key)!;
        };
        const slots = new TraderSlots({
          account: (name) => number('account', name),
          market: (name) => number('market', name),
          key: (name) => number('key', name),
          earner: (name) => number('earner', name),
        });
        const balances = new Map<string, bigint>();
        for (const [names, offset, moves] of tables) {
          const shifted = [...Array<undefined>(offset).fill(undefined), ...names];
          slots.turnTo(shifted);
          for (const [index, amount] of moves) {
            const name = names[index]!;
            const slot = offset + index;
            const expected = EXPECTED[name];
            expect(slots.assetOf(slot)).toBe(expected?.[2] ?? -1);
            if (expected === undefined) continue;
            const before = balances.get(name) ?? 0n;
            const change =
              BigInt.asIntN(64, before + amount) === before + amount ? amount : -before;
            balances.set(name, before + change);
            slots.add(slot, change);
            expect(slots.balanceOf(slot)).toBe(before + change);
            expect(slots.accountOf(slot)).toBe(number('account', expected[0]));
            const market = expected[1] === null ? 0 : number('market', expected[1]);
            expect(slots.marketOf(slot)).toBe(market);
          }
        }
      }),
    );
  });

  it('[LG4] balances taken from a ledger follow the names that nobody has asked for yet', () => {
    const state = createState('live');
    const { ledger } = state;
    const free = ledger.openUsdt('user:acc_a:free');
    const shares = ledger.openShares('user:acc_a:free:m_00.12', ledger.numberMarket(), 12);
    const other = ledger.openUsdt('insurance of another kind');
    ledger.restore(free, 70n);
    ledger.restore(shares, 12n);
    ledger.restore(other, 5n);
    const slots = new TraderSlots({
      account: () => 1,
      market: () => 2,
      key: () => 3,
      earner: () => 4,
    });
    slots.begin(ledger);
    expect([slots.assetOf(free), slots.balanceOf(free)]).toEqual([0, 70n]);
    // The slot of the shares is another's now, and they are elsewhere.
    const names: (string | undefined)[] = [...ledger.slotNames];
    names[shares] = 'user:acc_b:free';
    names.push('user:acc_a:free:m_00.12');
    slots.turnTo(names);
    expect([slots.assetOf(shares), slots.balanceOf(shares)]).toEqual([0, 0n]);
    const moved = names.length - 1;
    expect([slots.assetOf(moved), slots.balanceOf(moved)]).toEqual([26, 12n]);
    expect([slots.assetOf(free), slots.balanceOf(free)]).toEqual([0, 70n]);
    expect(slots.assetOf(other)).toBe(-1);
  });
});
