// MK15: accounts that make markets as if they were the house, or more of them than a family may keep open.
import { asTemplateId } from '@sibyl/engine';
import { Arena, accountId, USDT } from './arena.ts';
import { type Attack, attack, knob, type Report } from './attack.ts';
import type { MarketTerms } from './template.ts';

/** What a family may keep open in live. */
const OPEN_MAX = 20n;

const numbered: MarketTerms['properties'] = { number: { type: 'integer' } };

/** Has each account make so many markets from the template; gives how many are active in the end. */
function make(arena: Arena, names: readonly string[], templateId: string, each: number): number {
  let number = 0;
  for (const name of names) {
    for (let index = 0; index < each; index += 1) {
      number += 1;
      arena.send(name, {
        type: 'create_market',
        accountId: accountId(name),
        templateId: asTemplateId(templateId),
        params: { number },
        displayTitle: null,
        displayImageUrl: null,
      });
    }
  }
  return [...arena.state.markets.values()].filter(({ status }) => status === 'active').length;
}

function report(arena: Arena, made: number, deposit: number, bound: bigint): Report {
  const putIn = BigInt(made * deposit) * USDT;
  const measure = { made };
  return arena.report({ putIn, tookOut: 0n, measure, unit: 'markets', value: BigInt(made), bound });
}

/** The house's templates ask for no deposit: without a balance nobody should get a market from them. */
export const pennilessMarkets: Attack = attack({
  rule: 'MK15',
  name: 'house markets with an empty balance',
  knobs: { markets: knob(201, 1, 400) },
  run: ({ markets }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', 0);
    const templateId = arena.publish({ type: 'normal', properties: numbered });
    return report(arena, make(arena, ['a'], templateId, markets), 0, 0n);
  },
});

/** A creator's template without a deposit is as free as the house's. */
export const freeCreatorMarkets: Attack = attack({
  rule: 'MK15',
  name: 'creator markets without a deposit',
  knobs: { markets: knob(15, 1, 20) },
  run: ({ markets }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', 1000);
    const templateId = arena.publish({ type: 'creator', properties: numbered });
    return report(arena, make(arena, ['a'], templateId, markets), 0, 0n);
  },
});

/** Paying for it does not make a market of the house's template the house's. */
export const fundedHouseMarkets: Attack = attack({
  rule: 'MK15',
  name: 'house markets with a deposit',
  knobs: { markets: knob(10, 1, 20), deposit: knob(10, 2, 1000) },
  run: ({ markets, deposit }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', markets * deposit);
    const templateId = arena.publish({ type: 'normal', deposit, properties: numbered });
    return report(arena, make(arena, ['a'], templateId, markets), deposit, 0n);
  },
});

/** Subaccounts must not multiply what a family may keep open. */
export const manyOpenMarkets: Attack = attack({
  rule: 'MK15',
  name: 'more open markets than a family may have',
  knobs: { each: knob(20, 1, 40), subaccounts: knob(2, 0, 5), deposit: knob(10, 2, 100) },
  run: ({ each, subaccounts, deposit }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', each * deposit);
    const names = ['a'];
    for (let index = 1; index <= subaccounts; index += 1) {
      names.push(`sub_a${index}`);
      arena.open(`sub_a${index}`, each * deposit, 'a');
    }
    const templateId = arena.publish({ type: 'creator', deposit, properties: numbered });
    return report(arena, make(arena, names, templateId, each), deposit, OPEN_MAX);
  },
});
