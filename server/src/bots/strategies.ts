// What each kind of bot does in one market at one moment.

import type { Actor, CommandBody, Market, State } from '@sibyl/engine';
import { arbitrageur, maker, noiseTraders } from './bot-accounts.ts';
import { fairPips } from './fair-prices.ts';
import { requote } from './market-maker.ts';
import type { Chance } from './noise.ts';
import type { Decisions } from './orders.ts';
import type { ReferencePrices } from './reference-price.ts';
import { tradeAtRandom, tradeTowardsFair } from './traders.ts';

export type Strategy = (state: State, market: Market, nowMs: number, chance: Chance) => Decisions;

/** Informed traders first, then fresh quotes around the new price, then everybody else. */
export function strategiesOf(prices: ReferencePrices): readonly Strategy[] {
  return [
    (state, market, nowMs, chance) =>
      tradeTowardsFair(state, arbitrageur, market, fairPips(market, nowMs, prices), chance),
    (state, market, nowMs) => requote(state, maker, market, fairPips(market, nowMs, prices)),
    (state, market, nowMs, chance) =>
      tradeAtRandom(state, chance.pick(noiseTraders), market, nowMs, chance),
  ];
}

/** Traders act as themselves, so that the engine checks them like everybody else. */
export function actorOf(body: CommandBody, otherwise: Actor): Actor {
  const isTrade = body.type === 'place_order' || body.type === 'batch';
  if (isTrade) return { kind: 'account', accountId: body.accountId, keyId: null };
  return otherwise;
}
