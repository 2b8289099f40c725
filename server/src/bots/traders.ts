// Two kinds of trading bots: one that trades towards what an outcome is worth, and one that trades at random.

import { type AccountId, type Market, type State, shownPrices } from '@sibyl/engine';
import type { Chance } from './noise.ts';
import { type Decisions, freeLots, isTrading, onTick, orderOf } from './orders.ts';

/** Takes what is cheaper than it should be, or sells what is dearer, up to the fair price. */
export function tradeTowardsFair(
  state: State,
  accountId: AccountId,
  market: Market,
  fair: readonly number[],
  chance: Chance,
): Decisions {
  if (!isTrading(market)) return [];
  const shown = shownPips(market);
  const gaps = fair.map((price, outcome) => price - (shown[outcome] ?? price));
  const cheapest = gaps.indexOf(Math.max(...gaps));
  const dearest = gaps.indexOf(Math.min(...gaps));
  const slack = 2 * market.tickPips;
  const sizeLots = sizeIn(market, chance) * LOTS_PER_SHARE;
  const common = { accountId, market, kind: 'take', sizeLots } as const;
  if (-(gaps[dearest] ?? 0) > slack && freeLots(state, accountId, market, dearest) >= sizeLots) {
    const price = onTick(market, (fair[dearest] ?? 0) + slack);
    return [orderOf({ ...common, outcome: dearest, side: 'sell', price })];
  }
  if ((gaps[cheapest] ?? 0) <= slack) return [];
  const price = onTick(market, (fair[cheapest] ?? 0) - slack / 2);
  return [orderOf({ ...common, outcome: cheapest, side: 'buy', price })];
}

/** A market order, or now and then a limit order that waits a few hours near the price. */
export function tradeAtRandom(
  state: State,
  accountId: AccountId,
  market: Market,
  nowMs: number,
  chance: Chance,
): Decisions {
  if (!isTrading(market)) return [];
  const outcome = chance.below(market.outcomes.length);
  const sizeLots = chance.between(1, chance.percent(20) ? 250 : 25) * LOTS_PER_SHARE;
  const canSell = freeLots(state, accountId, market, outcome) >= sizeLots;
  const side = canSell && chance.percent(45) ? 'sell' : 'buy';
  const common = { accountId, market, outcome, side, sizeLots } as const;
  if (chance.percent(75)) return [orderOf({ ...common, kind: 'take', price: null })];
  const away = chance.between(1, 12) * market.tickPips;
  const shown = shownPips(market)[outcome] ?? 0;
  const price = onTick(market, side === 'buy' ? shown - away : shown + away);
  const isTooSmall =
    side === 'buy' && sizeLots * price < Number(state.parameters.risk.bidReserveMin);
  if (isTooSmall && market.outcomes.length > 2) return [];
  const expiresAtMs = nowMs + chance.between(10, 360) * MINUTE_MS;
  return [orderOf({ ...common, kind: 'rest', price, expiresAtMs })];
}

/** In shares: the deeper the pool, the more it takes to move the price. */
function sizeIn({ deposit }: Market, chance: Chance): number {
  const depth = Number(deposit / MICRO_PER_SHARE);
  return Math.max(chance.between(10, 80), Math.floor((depth * chance.between(4, 30)) / 100));
}

const MICRO_PER_SHARE = 1_000_000n;
const LOTS_PER_SHARE = 100;
const MINUTE_MS = 60_000;
const MICRO_PER_PIP = 100n;

function shownPips(market: Market): readonly number[] {
  return shownPrices(market).map((price) => Number(price / MICRO_PER_PIP));
}
