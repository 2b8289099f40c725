// Keeps holdings: opens their share accounts when first needed and books what trades do to cost and result.
import { floorDiv, type Lots, sharesOf } from '@sibyl/money';
import { assert, Defect } from '../kit/assert.ts';
import type { AccountId, MarketId } from '../kit/identity.ts';
import { NO_ROW } from '../kit/tallies.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Account } from '../state/account.ts';
import {
  addCost,
  addRealized,
  basisOf,
  freeSlot,
  type Holding,
  isRated,
  reservedSlot,
} from '../state/holding.ts';
import type { Market } from '../state/market.ts';
import type { State } from '../state/state.ts';

/** For readers: what an account has in a market, if both are known and it has anything. */
export function findHolding(
  state: State,
  accountId: AccountId,
  marketId: MarketId,
): Holding | undefined {
  const account = accountId === state.house.id ? state.house : state.accounts.get(accountId);
  const market = state.markets.get(marketId);
  if (account === undefined || market === undefined) return undefined;
  return state.holdings.find(account, market);
}

export function holdingOf(state: State, account: Account, market: Market): Holding {
  return state.holdings.find(account, market) ?? state.holdings.open(account, market);
}

export function freeShares(state: State, holding: Holding, outcome: number): bigint {
  return state.ledger.balance(freeSlot(holding, outcome));
}

export function reservedShares(state: State, holding: Holding, outcome: number): bigint {
  return state.ledger.balance(reservedSlot(holding, outcome));
}

export function holdsShares(state: State, holding: Holding): boolean {
  for (let outcome = 0; outcome < holding.market.outcomes.length; outcome += 1) {
    if (freeShares(state, holding, outcome) > 0n) return true;
  }
  return false;
}

/** Opened when first used. */
export function freeSharesAccount(state: State, holding: Holding, outcome: number): AccountIndex {
  const slot = freeSlot(holding, outcome);
  return slot !== NO_ACCOUNT && state.ledger.isOpen(slot)
    ? slot
    : openShares(state, holding, outcome, 'free');
}

export function reservedSharesAccount(
  state: State,
  holding: Holding,
  outcome: number,
): AccountIndex {
  const slot = reservedSlot(holding, outcome);
  return slot !== NO_ACCOUNT && state.ledger.isOpen(slot)
    ? slot
    : openShares(state, holding, outcome, 'reserved');
}

/** Must run before the shares are posted out: the basis taken is the sold part of what is still held. */
export function recordSold(
  state: State,
  holding: Holding,
  outcome: number,
  lots: Lots,
  proceeds: bigint,
): void {
  const held = freeShares(state, holding, outcome) + reservedShares(state, holding, outcome);
  const sold = sharesOf(lots);
  if (sold > held) throw new Defect(`${holding.account.id} sells more than it holds`);
  const basis = basisOf(holding, outcome);
  const taken = sold === held ? basis : floorDiv(basis * sold, held);
  addCost(holding, outcome, -taken);
  recordResult(holding, outcome, proceeds - taken);
}

export function recordResult(holding: Holding, outcome: number, amount: bigint): void {
  addRealized(holding, outcome, amount);
  holding.account.addRealized(amount);
}

/** Says nothing: it never traded, has no order and no score. Such a holding is not stored, and must not matter. */
export function isBlank(holding: Holding): boolean {
  if (holding.openOrders > 0 || holding.row !== NO_ROW) return false;
  return holding.quality === 0 && !isRated(holding);
}

/** Forgets an empty holding of a market that has ended. */
export function closeHolding(state: State, holding: Holding): void {
  assert(holding.openOrders === 0, `closing a holding of ${holding.account.id} with open orders`);
  const { market, shares, row, rank } = holding;
  if (shares !== NO_ACCOUNT) state.ledger.releaseSlots(shares, 2 * market.outcomes.length);
  if (row !== NO_ROW) {
    market.tallies.close(row);
    market.holders[rank] = null;
  }
  // Whoever still lists it among the rated finds nothing that counts.
  holding.samples = null;
  holding.quality = 0;
  holding.made = null;
  state.holdings.close(holding);
}

function openShares(
  state: State,
  holding: Holding,
  outcome: number,
  part: 'free' | 'reserved',
): AccountIndex {
  const { account, market } = holding;
  const { ledger } = state;
  if (holding.shares === NO_ACCOUNT) {
    holding.shares = ledger.reserveSlots(2 * market.outcomes.length);
  }
  const slot = part === 'free' ? freeSlot(holding, outcome) : reservedSlot(holding, outcome);
  const money = part === 'free' ? account.free : account.reserved;
  // Of two parts: each more would leave another object in memory for good.
  const name = `${ledger.name(money)}${market.shareSuffixes[outcome]}`;
  return ledger.openSharesAt(slot, name, ledger.marketNumber(market.issue[0]!), outcome);
}
