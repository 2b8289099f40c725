// A fill against one resting order: shares change hands, or both sides mint or merge complete sets (OB3).
import type { Lots } from '@sibyl/money';
import { rebateOfSafe } from '../fee/rebate.ts';
import { noteBookFill } from '../market/book-price.ts';
import type { Order } from '../state/order.ts';
import { fillResting } from '../state/orders/close.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { postFees, splitOf } from './charge.ts';
import type { Step } from './plan.ts';
import { emitTrade, postMaker, postTaker } from './trade.ts';
import { MakerFill } from './trade-executed.ts';

export function fillBook(turn: Turn, taker: Order, step: Step): void {
  const { state } = turn;
  const maker = step.order!;
  const size = step.lots as Lots;
  const { makerBps } = taker.holding.market.template.definition.feeSchedule;
  const rebate = rebateOfSafe(step.cost, maker.holding.quality, makerBps, state.parameters.fee);
  const split = splitOf(state, taker, step, rebate);
  const matching = matchingOf(taker, maker);
  const { market } = taker.holding;
  if (market.pool === null) noteBookFill(state, market, maker, size);
  const fill = new MakerFill(maker, size, rebate, null);
  const tradeId = emitTrade(turn, taker, step, 'book', matching, split, fill);
  postTaker(state, taker, step, rebate);
  postMaker(state, maker, size, rebate);
  if (matching !== 'transfer') postSets(state, taker, size, matching);
  postFees(state, taker, split, step.builderFee);
  state.ledger.commitTrade(turn.events, 'fill', tradeId);
  fillResting(state, maker, size);
}

function matchingOf(taker: Order, maker: Order): 'transfer' | 'mint' | 'merge' {
  if (taker.outcome === maker.outcome) return 'transfer';
  return taker.side === 'buy' ? 'mint' : 'merge';
}

/** Both money legs go into escrow against new sets, or both come out of it for sets given up. */
function postSets(state: State, taker: Order, size: Lots, matching: 'mint' | 'merge'): void {
  const { ledger } = state;
  const { escrow, issue } = taker.holding.market;
  const shares = size * 10_000;
  const minted = matching === 'mint' ? shares : -shares;
  ledger.postMicro(escrow, minted);
  ledger.postMicro(issue[0]!, -minted);
  ledger.postMicro(issue[1]!, -minted);
}
