// The chart of accounts: how every ledger account is named and when it is opened.
import type { AccountId, MarketId } from '../kit/identity.ts';
import type { State } from '../state/state.ts';
import type { AccountIndex, Ledger } from './ledger.ts';

/** Where fees go once they have vested; `insurance` has its own account. */
export type VestedActor = 'creator' | 'builder' | 'referrer' | 'oracle' | 'insurance' | 'treasury';

export const CONTRA_NAMES = { live: 'external:bank', sandbox: 'external:faucet' } as const;
export const INSURANCE_NAME = 'insurance';
export const HOUSE_NAME = 'sandbox:house';

export function moneyName(accountId: AccountId, part: 'free' | 'reserved' | 'withdrawals'): string {
  if (accountId === HOUSE_NAME) return part === 'free' ? HOUSE_NAME : `${HOUSE_NAME}:reserved`;
  return `user:${accountId}:${part}`;
}

/** What the name of a share account says after the name of its owner's money: made once for a market. */
export function sharesSuffix(marketId: MarketId, outcome: number): string {
  return `:${marketId}.${outcome}`;
}

export interface MarketAccounts {
  readonly number: number;
  readonly escrow: AccountIndex;
  readonly issue: readonly AccountIndex[];
  readonly inventory: readonly AccountIndex[];
}

export function openMarketAccounts(
  ledger: Ledger,
  marketId: MarketId,
  outcomes: number,
): MarketAccounts {
  const number = ledger.numberMarket();
  const issue: AccountIndex[] = [];
  const inventory: AccountIndex[] = [];
  for (let index = 0; index < outcomes; index += 1) {
    const asset = `${marketId}.${index}`;
    issue.push(ledger.openShares(`market:${marketId}:issue:${asset}`, number, index, 'contra'));
    inventory.push(ledger.openShares(`amm:${marketId}:${asset}`, number, index));
  }
  return { number, escrow: ledger.openUsdt(`market:${marketId}:escrow`), issue, inventory };
}

/** `actor` or `actor:id`: the key of unvested and vested fee accounts. */
export function feeKey(actor: VestedActor, id: string): string {
  return id === '' ? actor : `${actor}:${id}`;
}

export function vestedAccount(state: State, actor: VestedActor, id: string): AccountIndex {
  if (actor === 'insurance') return state.insurance;
  const key = feeKey(actor, id);
  const known = state.vested.get(key);
  if (known !== undefined) return known;
  const opened = state.ledger.openUsdt(`fees:${key}`);
  state.vested.set(key, opened);
  return opened;
}
