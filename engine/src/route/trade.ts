// What every fill has in common: its event, and the taker's own money and shares.

import type { Lots } from '@sibyl/money';
import type { FeeSplit } from '../fee/split.ts';
import type { TradeId } from '../kit/identity.ts';
import { micro } from '../kit/micro.ts';
import { freeSharesAccount, recordSold } from '../position/holdings.ts';
import { addKeptMicro, addPurchase, addResult, freeSlot, reservedSlot } from '../state/holding.ts';
import type { Order } from '../state/order.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';
import type { Step } from './plan.ts';
import { type MakerFill, TradeExecuted } from './trade-executed.ts';

export function emitTrade(
  turn: Turn,
  taker: Order,
  step: Step,
  source: TradeExecuted['source'],
  matching: TradeExecuted['matching'],
  split: FeeSplit,
  firstMaker: MakerFill | null,
): TradeId {
  const { state } = turn;
  const tradeId = state.nextTradeId;
  state.nextTradeId = (tradeId + 1) as TradeId;
  turn.events.push(new TradeExecuted(tradeId, taker, step, source, matching, split, firstMaker));
  return tradeId;
}

/**
 * The taker pays cost and fees for shares, or gives shares for cost less fees. All but the rebate of what is paid
 * stays in the market and is given back if it is cancelled.
 */
export function postTaker(state: State, taker: Order, step: Step, rebate: number): void {
  const { ledger } = state;
  const { holding, outcome } = taker;
  const { account } = holding;
  const shares = step.lots * LOT;
  const paid = step.fee + step.builderFee;
  if (taker.side === 'buy') {
    addPurchase(holding, outcome, step.cost);
    ledger.postMicro(account.free, -step.cost - paid);
    ledger.postMicro(freeSharesAccount(state, holding, outcome), shares);
  } else {
    recordSold(state, holding, outcome, step.lots as Lots, micro(step.cost));
    ledger.postMicro(freeSlot(holding, outcome), -shares);
    ledger.postMicro(account.free, step.cost - paid);
  }
  addKeptMicro(holding, paid - rebate);
  addResult(holding, outcome, -paid);
}

/** A resting order trades at its own limit: a buy from its reserve, a sell of its reserved shares. */
export function postMaker(state: State, maker: Order, lots: Lots, rebate: number): void {
  const { ledger } = state;
  const { holding, outcome } = maker;
  const { account } = holding;
  const shares = lots * LOT;
  const cost = lots * maker.price;
  if (maker.side === 'buy') {
    addPurchase(holding, outcome, cost);
    ledger.postMicro(account.reserved, -cost);
    ledger.postMicro(freeSharesAccount(state, holding, outcome), shares);
    ledger.postMicro(account.free, rebate);
  } else {
    recordSold(state, holding, outcome, lots, micro(cost));
    ledger.postMicro(reservedSlot(holding, outcome), -shares);
    ledger.postMicro(account.free, cost + rebate);
  }
  if (rebate > 0) addResult(holding, outcome, rebate);
}

/** Micro-shares of a lot; lots times it stay within the safe integers. */
const LOT = 10_000;
