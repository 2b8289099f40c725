// Withdrawals of an account and of its subaccounts, read from the engine's state.
import { type AccountId, asWithdrawalId, type State, type WithdrawalRecord } from '@sibyl/engine';

/** The newest first; null for an account that is not open in this lane. */
export function familyWithdrawals(
  state: State,
  accountId: AccountId,
  before: string | null,
  limit: number,
): readonly WithdrawalRecord[] | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return null;
  const { members, closed } = account.family;
  const all = [...members, ...closed].flatMap(({ id }) => [...state.funds.withdrawalsOf(id)]);
  // Ids sort as they were made.
  all.sort((one, other) => (one.withdrawalId < other.withdrawalId ? 1 : -1));
  const rest = before === null ? all : all.filter(({ withdrawalId }) => withdrawalId < before);
  return rest.slice(0, limit);
}

/** What an account and its whole family have asked for since, and was not given back. */
export function withdrawnSince(state: State, accountId: AccountId, sinceMs: number): bigint {
  const { members = [], closed = [] } = state.accounts.get(accountId)?.family ?? {};
  let sum = 0n;
  for (const { id } of [...members, ...closed]) {
    for (const { state: reached, createdAtMs, amount } of state.funds.withdrawalsOf(id)) {
      if (reached !== 'failed' && createdAtMs > sinceMs) sum += amount;
    }
  }
  return sum;
}

/** Undefined if there is none, or if it is somebody else's. */
export function ownWithdrawal(
  { funds, accounts }: State,
  accountId: AccountId,
  withdrawalId: string,
): WithdrawalRecord | undefined {
  const found = funds.withdrawal(asWithdrawalId(withdrawalId));
  const isOwn =
    found !== undefined &&
    (found.accountId === accountId || accounts.get(found.accountId)?.parentId === accountId);
  return isOwn ? found : undefined;
}
