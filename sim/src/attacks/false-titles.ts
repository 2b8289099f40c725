// MK5: markets that say something else than their template, and markets that end when nobody is there any more.
import { asTemplateId, renderText } from '@sibyl/engine';
import { Arena, accountId, DAY, USDT } from './arena.ts';
import { type Attack, attack, knob } from './attack.ts';
import type { MarketTerms } from './template.ts';

const DEPOSIT = 10;
const TITLE = 'Bitcoin above {strike}';
/** Five years with as many leap days as there can be. */
const AHEAD_MAX_MS = BigInt((5 * 365 + 2) * DAY);

/** A reader trusts the title; in live nobody may trade under one that no operator has seen. */
export const falseTitle: Attack = attack({
  rule: 'MK5',
  name: 'a title that contradicts the market',
  knobs: { markets: knob(5, 1, 20) },
  run: ({ markets }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', markets * DEPOSIT);
    const properties: MarketTerms['properties'] = { strike: { type: 'integer' } };
    const templateId = asTemplateId(arena.publish({ deposit: DEPOSIT, title: TITLE, properties }));
    for (let strike = 1; strike <= markets; strike += 1) {
      arena.send('a', {
        type: 'create_market',
        accountId: accountId('a'),
        templateId,
        params: { strike },
        displayTitle: `Bitcoin below ${strike}`,
        displayImageUrl: null,
      });
    }
    const misleading = [...arena.state.markets.values()].filter(
      ({ status, title, params }) => status === 'active' && title !== renderText(TITLE, params),
    ).length;
    return arena.report({
      putIn: BigInt(misleading * DEPOSIT) * USDT,
      tookOut: 0n,
      measure: { misleading },
      unit: 'markets',
      value: BigInt(misleading),
      bound: 0n,
    });
  },
});

/** Money in such a market is tied up for longer than anybody lives. */
export const distantClose: Attack = attack({
  rule: 'MK5',
  name: 'a market that closes in a century',
  knobs: { days: knob(36_525, 1828, 2_900_000) },
  run: ({ days }) => {
    const arena = new Arena({ lane: 'live' });
    arena.open('a', DEPOSIT);
    const properties: MarketTerms['properties'] = { closes_at_ms: { type: 'integer' } };
    const templateId = asTemplateId(arena.publish({ deposit: DEPOSIT, properties }));
    arena.send('a', {
      type: 'create_market',
      accountId: accountId('a'),
      templateId,
      params: { closes_at_ms: arena.nowMs + days * DAY },
      displayTitle: null,
      displayImageUrl: null,
    });
    const [market] = arena.state.markets.values();
    const aheadMs = market === undefined ? 0 : market.closesAtMs - arena.nowMs;
    return arena.report({
      putIn: BigInt(market === undefined ? 0 : DEPOSIT) * USDT,
      tookOut: 0n,
      measure: { daysAhead: aheadMs / DAY },
      unit: 'ms',
      value: BigInt(aheadMs),
      bound: AHEAD_MAX_MS,
    });
  },
});
