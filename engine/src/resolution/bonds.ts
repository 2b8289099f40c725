// Bonds of proposers and challengers: posted from free money, given back or awarded.
import { floorDiv, type Usdt } from '@sibyl/money';
import { present } from '../kit/assert.ts';
import type { AccountId } from '../kit/identity.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Account } from '../state/account.ts';
import type { Dispute, Market, Proposal } from '../state/market.ts';
import type { State } from '../state/state.ts';
import type { Turn } from '../state/turn.ts';

export type BondParty = 'proposer' | 'challenger';

export function openBond(state: State, market: Market, party: BondParty): AccountIndex {
  return state.ledger.openUsdt(`oracle:${market.id}:bond:${party}`);
}

export function postBond(
  turn: Turn,
  market: Market,
  account: Account,
  bondAccount: AccountIndex,
  amount: Usdt,
): void {
  const { ledger } = turn.state;
  ledger.post(account.free, -amount);
  ledger.post(bondAccount, amount);
  account.staked += amount;
  ledger.commit(turn.events, 'bond', market.id);
}

/** Gives back what is still posted: the proposer's first, then the challenger's. */
export function returnBonds(turn: Turn, market: Market): void {
  const { proposal } = market;
  if (proposal === null) return;
  returnBond(turn, market, proposal.proposerId, proposal);
  if (proposal.dispute !== null) {
    returnBond(turn, market, proposal.dispute.accountId, proposal.dispute);
  }
}

/** Half of the loser's bond goes to the winner, the rest and the odd micro to insurance. */
export function awardBond(
  turn: Turn,
  market: Market,
  loserId: AccountId | null,
  bond: Proposal | Dispute,
  winnerId: AccountId | null,
): void {
  const { state } = turn;
  if (isNothing(state, bond)) return;
  const loser = partyOf(state, loserId);
  // A winner who closed its account meanwhile had no bond of its own to lose. A closed subaccount is still known.
  const found = winnerId === null ? undefined : state.accounts.get(winnerId);
  const winner = found?.closedAtMs === null ? found : undefined;
  const award = winner === undefined ? 0n : floorDiv(bond.bond, 2n);
  state.ledger.post(bond.bondAccount, -bond.bond);
  loser.staked -= bond.bond;
  loser.realized -= bond.bond;
  if (winner !== undefined) {
    state.ledger.post(winner.free, award);
    winner.realized += award;
  }
  state.ledger.post(state.insurance, bond.bond - award);
  state.ledger.commit(turn.events, 'bond_award', market.id);
  closeBond(state, bond);
}

function returnBond(
  turn: Turn,
  market: Market,
  ownerId: AccountId | null,
  bond: Proposal | Dispute,
): void {
  const { state } = turn;
  if (isNothing(state, bond)) return;
  const owner = partyOf(state, ownerId);
  state.ledger.post(bond.bondAccount, -bond.bond);
  state.ledger.post(owner.free, bond.bond);
  owner.staked -= bond.bond;
  state.ledger.commit(turn.events, 'bond_return', market.id);
  closeBond(state, bond);
}

/** There was no bond, or one of nothing, which is closed at once. */
function isNothing(state: State, bond: Proposal | Dispute): boolean {
  if (bond.bondAccount === NO_ACCOUNT) return true;
  if (bond.bond > 0n) return false;
  closeBond(state, bond);
  return true;
}

function closeBond(state: State, bond: Proposal | Dispute): void {
  state.ledger.close(bond.bondAccount);
  bond.bondAccount = NO_ACCOUNT;
}

function partyOf(state: State, accountId: AccountId | null): Account {
  return present(accountId === null ? null : state.accounts.get(accountId), 'party of a bond');
}
