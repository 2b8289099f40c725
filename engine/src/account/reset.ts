// A sandbox account starts again: orders gone, shares to the house, money back to the faucet.

import { NO_ROW } from '../kit/tallies.ts';
import {
  closeHolding,
  freeShares,
  freeSharesAccount,
  holdingOf,
  isBlank,
} from '../position/holdings.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isRejection } from '../state/authority.ts';
import type { Actor, ResetAccount } from '../state/command.ts';
import { addCost, addKept, basisOf, freeSlot, type Holding, keptOf } from '../state/holding.ts';
import { type Answer, DONE } from '../state/outcome.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { freeFaucet, frozen } from './money.ts';
import { cancelAll } from './open.ts';

export function resetAccount(turn: Turn, actor: Actor, command: ResetAccount): Answer {
  const { state, events } = turn;
  if (state.lane !== 'sandbox') return refuse(reject('SANDBOX_ONLY'));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  // An owner starts again with all that it has; otherwise its subaccounts would keep what it gives up.
  const members = account.parentId === null ? account.family.sorted() : [account];
  const held = members.find((member) => member.frozen);
  if (held !== undefined) return refuse(frozen(held));
  const obstacle = checkClearing(state, members);
  if (obstacle !== null) return refuse(obstacle);
  for (const member of members) {
    events.push({ type: 'account_reset', accountId: member.id });
    clearAccount(turn, member);
  }
  // Not for a subaccount alone: the rest of the family keeps its money.
  if (account.parentId === null) freeFaucet(state, account.family);
  return accept(DONE);
}

/** Why accounts cannot be emptied now, in one command. */
export function checkClearing(state: State, accounts: readonly Account[]): Rejection | null {
  let work = 0;
  for (const account of accounts) {
    const holdings = holdingsOf(account);
    for (const { market } of holdings) {
      if (market.closing !== null) return reject('STATE_CONFLICT', { market_id: market.id });
    }
    work += workOf(account, holdings);
  }
  return work > state.parameters.chunkMax
    ? reject('STATE_CONFLICT', { reason: 'too_many_positions' })
    : null;
}

/** Orders, shares and money go; only what is staked stays. */
export function clearAccount(turn: Turn, account: Account): void {
  const { state, events } = turn;
  cancelAll(turn, account, 'reset');
  for (const holding of holdingsOf(account)) surrender(turn, holding);
  const free = state.ledger.balance(account.free);
  state.ledger.post(account.free, -free);
  state.ledger.post(state.contra, free);
  state.ledger.commit(events, 'reset', `account:${account.id}`);
  // What is still staked was paid from before the reset: it stays explained by net deposits.
  account.netDeposits = account.staked;
  account.realized = 0n;
  account.family.limits?.begin(state, account.family);
}

/** What a reset comes to: its orders, and every outcome of the markets that it has traded in. */
function workOf(account: Account, holdings: readonly Holding[]): number {
  let work = account.openOrders;
  for (const { row, market } of holdings) if (row !== NO_ROW) work += market.outcomes.length;
  return work;
}

/** Those that say something, by market id: a blank one is not stored, so it must not decide anything. */
function holdingsOf(account: Account): readonly Holding[] {
  const holdings: Holding[] = [];
  for (const holding of account.holdings.values()) {
    if (!isBlank(holding)) holdings.push(holding);
  }
  return holdings.sort((a, b) => (a.market.id < b.market.id ? -1 : 1));
}

/** The house takes over shares, their basis and the kept fees, so that the market's books still add up. */
function surrender(turn: Turn, holding: Holding): void {
  const { state, events } = turn;
  if (holding.row !== NO_ROW) {
    const house = holdingOf(state, state.house, holding.market);
    for (let outcome = 0; outcome < holding.market.outcomes.length; outcome += 1) {
      const shares = freeShares(state, holding, outcome);
      if (shares > 0n) takeOver(state, holding, house, outcome, shares);
    }
    state.ledger.commit(events, 'reset', holding.market.id);
    addKept(house, keptOf(holding));
  }
  closeHolding(state, holding);
}

function takeOver(
  state: State,
  from: Holding,
  house: Holding,
  outcome: number,
  shares: bigint,
): void {
  state.ledger.post(freeSlot(from, outcome), -shares);
  state.ledger.post(freeSharesAccount(state, house, outcome), shares);
  const basis = basisOf(from, outcome);
  addCost(house, outcome, basis);
  state.house.netDeposits += basis;
}
