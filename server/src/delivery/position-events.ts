// Events of positions: changed by a fill or a conversion, or paid at the end of their market.
import type { Position } from '@sibyl/contract';
import {
  type AccountId,
  findHolding,
  type MarketId,
  type PositionSettled,
  realizedOf,
  type State,
} from '@sibyl/engine';
import { amountText, lotsText } from '../wire/amounts.ts';
import { resolutionIdText } from '../wire/ids.ts';
import { pricesOf } from '../wire/market-view.ts';
import { positionsIn } from '../wire/position-view.ts';
import type { Draft } from './draft.ts';

export interface TouchedPosition {
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly outcomeId: string;
  readonly reason: 'fill' | 'mint' | 'merge';
  readonly index: number;
}

/** The position is shown as it is when the event is written down; later events may already be in it. */
export function positionDraft(touched: TouchedPosition): Draft {
  const { accountId, marketId, outcomeId, reason, index } = touched;
  return {
    type: 'position.updated',
    accountId,
    aggregate: `account:${accountId}`,
    marketId,
    index,
    part: outcomeId,
    data: (state) => ({ position: positionNow(state, accountId, marketId, outcomeId), reason }),
  };
}

export function settledDraft(event: PositionSettled, index: number): Draft {
  const { accountId, marketId, outcomeId } = event;
  return {
    type: 'position.settled',
    accountId,
    aggregate: `account:${accountId}`,
    marketId,
    index,
    data: (state) => {
      const isResolved = state.markets.get(marketId)?.status !== 'cancelled';
      return {
        market_id: marketId,
        outcome_id: outcomeId,
        size: lotsText(event.lots),
        payout: amountText(event.payout),
        realized_pnl: amountText(event.realizedPnl),
        resolution_id: isResolved ? resolutionIdText(marketId) : null,
      };
    },
  };
}

function positionNow(
  state: State,
  accountId: AccountId,
  marketId: MarketId,
  outcomeId: string,
): Position {
  const holding = findHolding(state, accountId, marketId);
  const positions = holding === undefined ? [] : positionsIn(state, holding);
  const found = positions.find((position) => position.outcome_id === outcomeId);
  if (found !== undefined) return found;
  const market = state.markets.get(marketId);
  const outcome = market?.outcomes.findIndex(({ id }) => id === outcomeId) ?? -1;
  const price = market === undefined ? undefined : pricesOf(market)[outcome];
  return {
    market_id: marketId,
    outcome_id: outcomeId,
    size: NOTHING,
    reserved_size: NOTHING,
    avg_price: NOTHING,
    mark_price: amountText(price ?? 0n),
    unrealized_pnl: NOTHING,
    realized_pnl: amountText(holding === undefined ? 0n : realizedOf(holding, outcome)),
    chain_data: null,
  };
}

const NOTHING = amountText(0n);
