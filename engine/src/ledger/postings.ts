// The postings of a ledger entry one by one, for readers that do not mind an object for each.
import type { LedgerPosted } from '../event.ts';

export interface Posting {
  readonly account: string;
  readonly amount: bigint;
}

export function postingsOf({ accounts, amounts }: LedgerPosted): readonly Posting[] {
  return accounts.map((account, index) => ({ account, amount: amounts[index]! }));
}
