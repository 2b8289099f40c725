// Puts stored balances back: opens whatever account a balance needs, then sets it.

import { unvestedAccount } from '../fee/unvested.ts';
import { withdrawingAccount } from '../funds/withdrawal.ts';
import { assert, present } from '../kit/assert.ts';
import type { AccountId, MarketId } from '../kit/identity.ts';
import { HOUSE_NAME, type VestedActor, vestedAccount } from '../ledger/chart.ts';
import type { AccountIndex } from '../ledger/ledger.ts';
import { freeSharesAccount, holdingOf, reservedSharesAccount } from '../position/holdings.ts';
import { type BondParty, openBond } from '../resolution/bonds.ts';
import type { State } from '../state/state.ts';

export function restoreBalances(state: State, balances: ReadonlyMap<string, bigint>): void {
  for (const name of balances.keys()) openNamed(state, name);
  const accounts = new Map<string, AccountIndex>();
  for (const { name, index } of state.ledger.accounts()) accounts.set(name, index);
  for (const [name, balance] of balances) {
    state.ledger.restore(present(accounts.get(name), `ledger account ${name}`), balance);
  }
}

/** Accounts that are opened on first use; the others were opened with their owners. */
function openNamed(state: State, name: string): void {
  const [room, first, second, ...rest] = name.split(':');
  if (room === 'user' && rest.length === 1) {
    openShares(state, first as AccountId, second === 'free', rest[0]!);
  } else if (room === 'user' && second === 'withdrawals') {
    const account = present(state.accounts.get(first as AccountId), `account of ${name}`);
    withdrawingAccount(state, account);
  } else if (name.startsWith(`${HOUSE_NAME}:`)) {
    openShares(state, state.house.id, true, second!);
  } else if (room === 'fees') {
    vestedAccount(state, first as VestedActor, [second, ...rest].filter(isText).join(':'));
  } else if (room === 'oracle') {
    restoreBond(state, first as MarketId, rest[0] as BondParty);
  } else if (room === 'market' && second === 'fees') {
    const market = present(state.markets.get(first as MarketId), `market of ${name}`);
    const [actor, ...id] = rest;
    unvestedAccount(state, market, actor as VestedActor, id.join(':'));
  }
}

function openShares(state: State, accountId: AccountId, isFree: boolean, asset: string): void {
  const point = asset.lastIndexOf('.');
  assert(point > 0, `no share account: ${asset}`);
  const market = present(state.markets.get(asset.slice(0, point) as MarketId), `market ${asset}`);
  const account = accountId === state.house.id ? state.house : state.accounts.get(accountId);
  const holding = holdingOf(state, present(account, `account ${accountId}`), market);
  const outcome = Number.parseInt(asset.slice(point + 1), 10);
  if (isFree) freeSharesAccount(state, holding, outcome);
  else reservedSharesAccount(state, holding, outcome);
}

function restoreBond(state: State, marketId: MarketId, party: BondParty): void {
  const market = present(state.markets.get(marketId), `market ${marketId}`);
  const proposal = present(market.proposal, `proposal of ${marketId}`);
  const bond =
    party === 'proposer' ? proposal : present(proposal.dispute, `dispute of ${marketId}`);
  bond.bondAccount = openBond(state, market, party);
}

function isText(part: string | undefined): part is string {
  return part !== undefined;
}
