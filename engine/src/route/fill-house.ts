// A simulated fill at the mid: the house sells what it mints, or buys what the user sells (SF2).
import type { Lots } from '@sibyl/money';
import { rebateOfSafe } from '../fee/rebate.ts';
import { evenPart } from '../position/convert.ts';
import { freeSharesAccount, holdingOf, recordResult, recordSold } from '../position/holdings.ts';
import { addCost } from '../state/holding.ts';
import type { Order } from '../state/order.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import { postFees, splitOf } from './charge.ts';
import type { Step } from './plan.ts';
import { emitTrade, postTaker } from './trade.ts';

export function fillHouse(turn: Turn, taker: Order, step: Step): void {
  const { state } = turn;
  const { makerBps } = taker.holding.market.template.definition.feeSchedule;
  const rebate = rebateOfSafe(step.cost, 0, makerBps, state.parameters.fee);
  const split = splitOf(state, taker, step, rebate);
  topUp(turn, taker, step);
  const tradeId = emitTrade(turn, taker, step, 'house', null, split, null);
  postTaker(state, taker, step, rebate);
  if (taker.side === 'buy') mintAndSell(state, taker, step);
  else buyShares(state, taker, step);
  state.ledger.post(state.house.free, BigInt(rebate));
  recordResult(holdingOf(state, state.house, taker.holding.market), taker.outcome, BigInt(rebate));
  postFees(state, taker, split, step.builderFee);
  state.ledger.commitTrade(turn.events, 'fill', tradeId);
}

/** What the house lacks comes from the faucet, to the µ. */
function topUp(turn: Turn, taker: Order, step: Step): void {
  const { state } = turn;
  const { house, ledger } = state;
  const needed = BigInt(taker.side === 'buy' ? step.lots * 10_000 - step.cost : step.cost);
  const lacking = needed - ledger.balance(house.free);
  if (lacking <= 0n) return;
  ledger.post(state.contra, -lacking);
  ledger.post(house.free, lacking);
  house.netDeposits += lacking;
  ledger.commitTrade(turn.events, 'house_top_up', state.nextTradeId);
}

function mintAndSell(state: State, taker: Order, step: Step): void {
  const { ledger, house } = state;
  const { outcome } = taker;
  const { market } = taker.holding;
  const holding = holdingOf(state, house, market);
  const shares = BigInt(step.lots * 10_000);
  const outcomes = market.outcomes.length;
  ledger.post(house.free, BigInt(step.cost) - shares);
  ledger.post(market.escrow, shares);
  for (let index = 0; index < outcomes; index += 1) {
    ledger.post(market.issue[index]!, -shares);
    ledger.post(freeSharesAccount(state, holding, index), shares);
    addCost(holding, index, evenPart(shares, outcomes, index));
  }
  recordSold(state, holding, outcome, step.lots as Lots, BigInt(step.cost));
  ledger.post(freeSharesAccount(state, holding, outcome), -shares);
}

function buyShares(state: State, taker: Order, step: Step): void {
  const { ledger, house } = state;
  const holding = holdingOf(state, house, taker.holding.market);
  addCost(holding, taker.outcome, BigInt(step.cost));
  ledger.post(house.free, BigInt(-step.cost));
  ledger.post(freeSharesAccount(state, holding, taker.outcome), BigInt(step.lots * 10_000));
}
