// Notices of positions: changed by a fill or a conversion, or paid at the end of their market.
import type { Position } from '@sibyl/contract';
import {
  type AccountId,
  findHolding,
  type MarketId,
  type PositionSettled,
  realizedOf,
  type SetsConverted,
  type State,
  type TradeExecuted,
} from '@sibyl/engine';
import { amountText, lotsText } from '../wire/amounts.ts';
import { resolutionIdText } from '../wire/ids.ts';
import { pricesOf } from '../wire/market-view.ts';
import { positionsIn } from '../wire/position-view.ts';
import type { LaneMemory } from './lane-memory.ts';
import type { Facts, Say } from './notice.ts';
import type { Teller, Watch } from './teller.ts';

type Reason = 'fill' | 'mint' | 'merge' | 'reset' | 'transfer';

/** One outcome of one account that an event changed. */
export interface TouchedPosition {
  readonly accountId: AccountId;
  readonly marketId: MarketId;
  readonly outcomeId: string;
  readonly reason: Reason;
  readonly index: number;
}

/** One notice for each position a command touched, however many fills it had. */
export class TouchedPositions {
  readonly #touched = new Map<string, TouchedPosition>();
  readonly #memory: LaneMemory;
  readonly #isWatched: Watch;

  constructor(memory: LaneMemory, isWatched: Watch) {
    this.#memory = memory;
    this.#isWatched = isWatched;
  }

  trade({ marketId, takerId, outcomeId, makers }: TradeExecuted, index: number): void {
    this.#touch({ accountId: takerId, marketId, outcomeId, reason: 'fill', index });
    for (const maker of makers) {
      const { accountId, outcomeId: made } = maker;
      this.#touch({ accountId, marketId, outcomeId: made, reason: 'fill', index });
    }
  }

  convert({ accountId, marketId, action }: SetsConverted, index: number): void {
    for (const outcomeId of this.#memory.outcomesOf(marketId)) {
      this.#touch({ accountId, marketId, outcomeId, reason: action, index });
    }
  }

  finish(say: Say<'owner', 'position.updated'>): void {
    for (const touched of this.#touched.values()) say('position.updated', positionFacts(touched));
  }

  #touch(position: TouchedPosition): void {
    const { accountId, marketId, outcomeId } = position;
    if (!this.#isWatched(accountId)) return;
    this.#touched.set(`${accountId} ${marketId} ${outcomeId}`, position);
  }
}

/** The position is shown as it is when the notice is written down; later events may already be in it. */
export function positionFacts(touched: TouchedPosition): Facts<'owner'> {
  const { accountId, marketId, outcomeId, reason, index } = touched;
  return {
    accountId,
    id: accountId,
    marketId,
    index,
    part: outcomeId,
    data: (state) => ({ position: positionNow(state, accountId, marketId, outcomeId), reason }),
  };
}

export function tellSettled(
  { say }: Teller<'owner', 'position.settled'>,
  event: PositionSettled,
  index: number,
): void {
  const { accountId, marketId, outcomeId } = event;
  say('position.settled', {
    accountId,
    id: accountId,
    marketId,
    index,
    data: (state) => {
      const isResolved = state.markets.get(marketId)?.status !== 'cancelled';
      return {
        market_id: marketId,
        outcome_id: outcomeId,
        size: lotsText(event.lots),
        payout: amountText(event.payout),
        fees_returned: amountText(event.feesReturned),
        realized_pnl: amountText(event.realizedPnl),
        resolution_id: isResolved ? resolutionIdText(marketId) : null,
      };
    },
  });
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
