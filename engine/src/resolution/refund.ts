// A cancelled market: everyone gets back what they put in, or the market settles at fair prices.
import { assert } from '../assert.ts';
import type { ClosingGoal, Market } from '../market/market.ts';
import { shownPrices } from '../market/mid.ts';
import { averagePrices, roundToPips } from '../market/price-average.ts';
import { type Holding, netOf } from '../position/holding.ts';
import { closeHolding, recordResult } from '../position/holdings.ts';
import type { State } from '../state.ts';
import type { Turn } from '../turn.ts';
import {
  closePosition,
  collectFees,
  returnStake,
  takeInventory,
  takeShares,
  unvestedFees,
} from './settle.ts';

/**
 * Refunds are fair as long as the market can pay them all. Claims beyond that come of trades at false prices, where
 * what a holder paid measures nothing: then the market settles at the day's average prices.
 */
export function chooseRefund(turn: Turn, market: Market, reason: string): ClosingGoal {
  const { state } = turn;
  if (market.status !== 'scheduled' && market.template.definition.voidRule === 'last_price') {
    return { kind: 'prices', reason, payout: roundToPips(shownPrices(market), 1) };
  }
  if (claimsOf(market) > moneyOf(state, market)) {
    return { kind: 'prices', reason, payout: averagePrices(state, market) };
  }
  collectFees(turn, market, market.escrow);
  return { kind: 'refund', reason };
}

/** Escrow and unvested fees: what was put in and has not been taken out, by the identity of RF1. */
function moneyOf(state: State, market: Market): bigint {
  let money = state.ledger.balance(market.escrow);
  for (const { account } of unvestedFees(market)) money += state.ledger.balance(account);
  let expected = market.deposit;
  for (const holding of market.holdings.values()) expected += netOf(holding);
  assert(money === expected, `${market.id} holds ${money} where ${expected} was put in`);
  return money;
}

export function refundHolder(turn: Turn, holding: Holding): void {
  const { state, events } = turn;
  const { account, market } = holding;
  const refund = claimOf(holding);
  const held = takeShares(state, holding);
  state.ledger.post(market.escrow, -refund);
  state.ledger.post(account.free, refund);
  state.ledger.commit(events, 'refund', market.id);
  if (held.length === 0) recordResult(holding, 0, refund);
  for (const [index, { outcome, shares }] of held.entries()) {
    closePosition(turn, holding, outcome, shares, index === 0 ? refund : 0n, 0n);
  }
  closeHolding(state, holding);
}

/** What the claims left of deposit goes back to the creator: the deposit bears the profits already taken. */
export function refundCreator(turn: Turn, market: Market): bigint {
  const { state } = turn;
  takeInventory(state, market);
  const rest = state.ledger.balance(market.escrow);
  assert(rest <= market.deposit, `${market.id} returns more than its deposit`);
  state.ledger.post(market.escrow, -rest);
  state.ledger.post(market.creator.free, rest);
  state.ledger.commit(turn.events, 'refund', market.id);
  returnStake(market, rest);
  return rest;
}

function claimsOf(market: Market): bigint {
  let claims = 0n;
  for (const holding of market.holdings.values()) claims += claimOf(holding);
  return claims;
}

function claimOf(holding: Holding): bigint {
  return netOf(holding) > 0n ? netOf(holding) : 0n;
}
