// Withdrawals and deposits of an account and of its subaccounts, read from the engine's state.
import {
  type AccountId,
  asWithdrawalId,
  CORRECTION,
  type DepositRecord,
  type State,
  type WithdrawalRecord,
} from '@sibyl/engine';

/** The newest first; null for an account that is not open in this lane. */
export function familyWithdrawals(
  state: State,
  accountId: AccountId,
  before: string | null,
  limit: number,
): readonly WithdrawalRecord[] | null {
  const all = ofFamily(state, accountId, (id) => state.funds.withdrawalsOf(id));
  return all && newest(all, ({ withdrawalId }) => withdrawalId, before, limit);
}

/** The same of deposits; what operators put right stands in the statement, and is none. */
export function familyDeposits(
  state: State,
  accountId: AccountId,
  before: string | null,
  limit: number,
): readonly DepositRecord[] | null {
  const all = ofFamily(state, accountId, (id) =>
    state.funds.depositsOf(id).filter(({ custody }) => custody !== CORRECTION),
  );
  return all && newest(all, ({ depositId }) => depositId, before, limit);
}

function ofFamily<Kept>(
  { accounts }: State,
  accountId: AccountId,
  read: (accountId: AccountId) => readonly Kept[],
): Kept[] | null {
  const account = accounts.get(accountId);
  if (account === undefined) return null;
  const { members, closed } = account.family;
  return [...members, ...closed].flatMap(({ id }) => read(id));
}

/** Ids sort as they were made. */
function newest<Kept>(
  all: Kept[],
  idOf: (one: Kept) => string,
  before: string | null,
  limit: number,
): readonly Kept[] {
  const rest = before === null ? all : all.filter((one) => idOf(one) < before);
  return rest.sort((one, other) => (idOf(one) < idOf(other) ? 1 : -1)).slice(0, limit);
}

/** Of an account and its whole family: parting some of it to a subaccount makes it no less. */
export function familyFree({ accounts, ledger }: State, accountId: AccountId): bigint {
  const members = accounts.get(accountId)?.family.members ?? [];
  return members.reduce((sum, { free }) => sum + ledger.balance(free), 0n);
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
