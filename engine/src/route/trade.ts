// What every fill has in common: its event, and the taker's own money and shares.
import { type Lots, usdt } from '@sibyl/money';
import type { FeeSplit, MakerFill, TradeExecuted } from '../event.ts';
import type { TradeId } from '../identity.ts';
import { micro } from '../micro.ts';
import type { Order } from '../order/order.ts';
import {
  freeSharesAccount,
  recordBought,
  recordFee,
  recordResult,
  recordSold,
} from '../position/holdings.ts';
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

/** The taker pays cost and fees for shares, or gives shares for cost less fees. */
export function postTaker(state: State, taker: Order, step: Step, rebate: number): void {
  const { ledger } = state;
  const { account, holding, outcome } = taker;
  const cost = micro(step.cost);
  const shares = micro(step.lots * LOT);
  const paid = step.fee + step.builderFee;
  if (taker.side === 'buy') {
    recordBought(holding, outcome, cost);
    ledger.post(account.free, micro(-step.cost - paid));
    ledger.post(freeSharesAccount(state, holding, outcome), shares);
  } else {
    recordSold(state, holding, outcome, step.lots as Lots, cost);
    ledger.post(holding.free[outcome]!, -shares);
    ledger.post(account.free, micro(step.cost - paid));
  }
  recordFee(holding, outcome, micro(paid), micro(paid - rebate));
}

/** A resting order trades at its own limit: a buy from its reserve, a sell of its reserved shares. */
export function postMaker(
  state: State,
  maker: Order,
  lots: Lots,
  cost: bigint,
  rebate: number,
): void {
  const { ledger } = state;
  const { account, holding, outcome } = maker;
  const shares = micro(lots * LOT);
  if (maker.side === 'buy') {
    recordBought(holding, outcome, cost);
    ledger.post(account.reserved, -cost);
    ledger.post(freeSharesAccount(state, holding, outcome), shares);
    if (rebate > 0) ledger.post(account.free, micro(rebate));
  } else {
    recordSold(state, holding, outcome, lots, cost);
    ledger.post(holding.reserved[outcome]!, -shares);
    ledger.post(account.free, cost + micro(rebate));
  }
  if (rebate > 0) recordResult(holding, outcome, micro(rebate));
}

/** Micro-shares of a lot; lots times it stay within the safe integers. */
const LOT = 10_000;
