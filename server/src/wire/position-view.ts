// Positions as clients see them: one for each outcome held.
import type { Position } from '@sibyl/contract';
import {
  type Account,
  basisOf,
  freeShares,
  type Holding,
  realizedOf,
  reservedShares,
  type State,
} from '@sibyl/engine';
import { divide, floorDiv } from '@sibyl/money';
import { amountText } from './amounts.ts';
import { pricesOf } from './market-view.ts';

const MICRO = 1_000_000n;

/** By market, then in the order of its outcomes. */
export function positionsOf(state: State, account: Account): Position[] {
  const holdings = [...account.holdings.values()];
  holdings.sort((a, b) => (a.market.id < b.market.id ? -1 : 1));
  return holdings.flatMap((holding) => positionsIn(state, holding));
}

export function positionsIn(state: State, holding: Holding): Position[] {
  const { market } = holding;
  const prices = pricesOf(market);
  const positions: Position[] = [];
  for (const [outcome, { id }] of market.outcomes.entries()) {
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
