import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Account } from './account.ts';
import type { Holding } from './holding.ts';
import { HoldingList, HoldingTable } from './holding-table.ts';
import type { Market } from './market.ts';

/** Enough pairs for the table to grow several times, few enough for them to come back. */
const SIDE = 24;

test('[PO2] holdings are found and listed as in a plain map, whatever was opened and closed', () => {
  const step = fc.record({
    account: fc.nat({ max: SIDE - 1 }),
    market: fc.nat({ max: SIDE - 1 }),
    isClosing: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const table = new HoldingTable();
      const accounts = numbered('account') as Account[];
      const markets = numbered('market') as Market[];
      const open = new Map<string, Holding>();
      for (const { account, market, isClosing } of steps) {
        const key = `${account}|${market}`;
        const known = open.get(key);
        expect(table.find(accounts[account]!, markets[market]!)).toBe(known);
        if (known === undefined) {
          open.set(key, table.open(accounts[account]!, markets[market]!));
        } else if (isClosing) {
          table.close(known);
          open.delete(key);
          expect(() => table.close(known)).toThrow(/no such holding/);
        } else {
          expect(() => table.open(accounts[account]!, markets[market]!)).toThrow(/already/);
        }
      }
      for (let index = 0; index < SIDE; index += 1) {
        const all = [...open.values()];
        const ofAccount = all.filter(({ account }) => account === accounts[index]);
        const ofMarket = all.filter(({ market }) => market === markets[index]);
        expect(new Set(accounts[index]!.holdings.values())).toEqual(new Set(ofAccount));
        expect(new Set(markets[index]!.holdings.values())).toEqual(new Set(ofMarket));
        expect(accounts[index]!.holdings.size).toBe(ofAccount.length);
        expect(markets[index]!.holdings.size).toBe(ofMarket.length);
      }
    }),
    { numRuns: 60 },
  );
});

function numbered(of: 'account' | 'market'): unknown[] {
  return Array.from({ length: SIDE }, (_, number) => ({ number, holdings: new HoldingList(of) }));
}
