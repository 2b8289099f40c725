// What every fill has in common: its event, and the taker's own money and shares.
import { type Lots, usdt } from '@sibyl/money';
import type { FeeSplit, MakerFill, TradeExecuted } from '../event.ts';
import type { TradeId } from '../identity.ts';
import { micro } from '../micro.ts';
import type { Order } from '../order/order.ts';
import { freeSharesAccount, recordSold } from '../position/holdings.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import type { Step } from './plan.ts';

export function emitTrade(
  turn: Turn,
  taker: Order,
  step: Step,
  source: TradeExecuted['source'],
  matching: TradeExecuted['matching'],
  split: FeeSplit,
  makers: readonly MakerFill[],
): TradeId {
  const { state } = turn;
  const tradeId = state.nextTradeId;
  state.nextTradeId = (tradeId + 1) as TradeId;
  turn.events.push({
    type: 'trade_executed',
    tradeId,
    marketId: taker.market.id,
    outcomeId: taker.market.outcomes[taker.outcome]!.id,
    side: taker.side,
    lots: step.lots as Lots,
    cost: usdt(micro(step.cost)),
    source,
    matching,
    takerOrderId: taker.id,
    takerId: taker.account.id,
    takerKeyId: taker.keyId,
    fee: usdt(micro(step.fee)),
    builderFee: usdt(micro(step.builderFee)),
    builderAppId: taker.builder === null ? null : taker.builder.appId,
    split,
    makers,
  });
  return tradeId;
}

/** How a resting order stands once it has filled so many lots more. */
export function makerFill(maker: Order, lots: Lots, rebate: number): MakerFill {
  const filledLots = (maker.filledLots + lots) as Lots;
  return {
    orderId: maker.id,
    accountId: maker.account.id,
    outcomeId: maker.market.outcomes[maker.outcome]!.id,
    side: maker.side,
    price: maker.price,
    lots,
    rebate: usdt(micro(rebate)),
    remainingLots: (maker.lots - filledLots) as Lots,
    filledLots,
  };
}

/**
 * The taker pays cost and fees for shares, or gives shares for cost less fees. All but the rebate of what is paid
 * stays in the market and is given back if it is cancelled.
 */
export function postTaker(state: State, taker: Order, step: Step, rebate: number): void {
  const { ledger } = state;
  const { account, holding, outcome } = taker;
  const shares = step.lots * LOT;
  const paid = step.fee + step.builderFee;
  if (taker.side === 'buy') {
    holding.addPurchase(outcome, step.cost, paid - rebate);
    ledger.postMicro(account.free, -step.cost - paid);
    ledger.postMicro(freeSharesAccount(state, holding, outcome), shares);
  } else {
    recordSold(state, holding, outcome, step.lots as Lots, micro(step.cost));
    holding.addNet(micro(paid - rebate));
    ledger.postMicro(holding.free(outcome), -shares);
    ledger.postMicro(account.free, step.cost - paid);
  }
  holding.addResult(outcome, -paid);
}

/** A resting order trades at its own limit: a buy from its reserve, a sell of its reserved shares. */
export function postMaker(state: State, maker: Order, lots: Lots, rebate: number): void {
  const { ledger } = state;
  const { account, holding, outcome } = maker;
  const shares = lots * LOT;
  const cost = lots * maker.price;
  if (maker.side === 'buy') {
    holding.addPurchase(outcome, cost, 0);
    ledger.postMicro(account.reserved, -cost);
    ledger.postMicro(freeSharesAccount(state, holding, outcome), shares);
    ledger.postMicro(account.free, rebate);
  } else {
    recordSold(state, holding, outcome, lots, micro(cost));
    ledger.postMicro(holding.reserved(outcome), -shares);
    ledger.postMicro(account.free, cost + rebate);
  }
  if (rebate > 0) holding.addResult(outcome, rebate);
}

/** Micro-shares of a lot; lots times it stay within the safe integers. */
const LOT = 10_000;
