// Positions as clients see them: one for each outcome held.
import type { Position } from '@sibyl/contract';
import {
  type Account,
  basisOf,
  freeShares,
  type Holding,
  outcomeIndex,
  realizedOf,
  reservedShares,
  type State,
} from '@sibyl/engine';
import { divide, floorDiv } from '@sibyl/money';
import { amountText } from './amounts.ts';
import { firstOf } from './first-of.ts';
import { pricesOf } from './market-view.ts';

const MICRO = 1_000_000n;

/** By market, then in the order of its outcomes. */
export function positionsOf(state: State, account: Account): Position[] {
  const holdings = [...account.holdings.values()];
  holdings.sort((a, b) => (a.market.id < b.market.id ? -1 : 1));
  return holdings.flatMap((holding) => positionsIn(state, holding));
}

/** Which positions of an account are wanted: those after a place in their order, of one market or of all. */
export interface PositionFilter {
  readonly marketId: string | null;
  readonly after: { readonly marketId: string; readonly outcomeId: string } | null;
}

/** By market, then in the order of its outcomes. At least `limit`, if there are so many. */
export function positionsAfter(
  state: State,
  account: Account,
  { marketId, after }: PositionFilter,
  limit: number,
): Position[] {
  function* wanted(): Generator<Holding> {
    for (const holding of account.holdings.values()) {
      const { id } = holding.market;
      if (marketId !== null && id !== marketId) continue;
      if ((after === null || id >= after.marketId) && isHeld(state, holding)) yield holding;
    }
  }
  // Each has a position to show, but for the one in whose middle the last page ended.
  const holdings = firstOf(wanted(), limit + 1, (a, b) => (a.market.id < b.market.id ? -1 : 1));
  return holdings.flatMap((holding) => {
    const { market } = holding;
    const isCut = after !== null && market.id === after.marketId;
    return positionsIn(state, holding, isCut ? outcomeIndex(market, after.outcomeId) + 1 : 0);
  });
}

function isHeld(state: State, holding: Holding): boolean {
  return holding.market.outcomes.some(
    (_, outcome) =>
      freeShares(state, holding, outcome) !== 0n || reservedShares(state, holding, outcome) !== 0n,
  );
}

/** From the outcome with this index on. */
export function positionsIn(state: State, holding: Holding, from = 0): Position[] {
  const { market } = holding;
  const prices = pricesOf(market);
  const positions: Position[] = [];
  for (const [outcome, { id }] of market.outcomes.entries()) {
    if (outcome < from) continue;
    const reserved = reservedShares(state, holding, outcome);
    const size = freeShares(state, holding, outcome) + reserved;
    if (size === 0n) continue;
    const cost = basisOf(holding, outcome);
    const price = prices[outcome]!;
    positions.push({
      market_id: market.id,
      outcome_id: id,
      size: amountText(size),
      reserved_size: amountText(reserved),
      avg_price: amountText(divide(cost * MICRO, size, 'half_even')),
      mark_price: amountText(price),
      unrealized_pnl: amountText(floorDiv(size * price, MICRO) - cost),
      realized_pnl: amountText(realizedOf(holding, outcome)),
      chain_data: null,
    });
  }
  return positions;
}
