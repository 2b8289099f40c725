// Balances from the engine's state, and lines of a statement as clients see them.
import type { Balance, LedgerEntry } from '@sibyl/contract';
import type { AccountId, State } from '@sibyl/engine';
import type { StatementEntry } from '@sibyl/history';
import { ASSET, accountMode } from '../../wire/account-mode.ts';
import { amountText } from '../../wire/amounts.ts';
import { bondsOf } from '../../wire/bonds.ts';
import { entryIdText, referenceText } from '../../wire/ids.ts';
import { isoTime } from '../../wire/times.ts';

const NOTHING = amountText(0n);

const FAUCET = 'POST /v1/sandbox/faucet credits 10000 test USDT.';

/** Null for an account that is not open in this lane; how money gets in is told for live. */
export function balanceView(
  state: State,
  accountId: AccountId,
  instructions: string | null,
): Balance | null {
  const account = state.accounts.get(accountId);
  if (account === undefined) return null;
  const orders = state.ledger.balance(account.reserved);
  const withdrawals = state.ledger.balance(account.withdrawing);
  const bonds = bondsOf(state, account);
  return {
    account_id: account.id,
    mode: accountMode(account),
    balances: [
      {
        asset: ASSET,
        free: amountText(state.ledger.balance(account.free)),
        reserved: amountText(orders + bonds + withdrawals),
        reserved_by: {
          orders: amountText(orders),
          quotes: NOTHING,
          bonds: amountText(bonds),
          withdrawals: amountText(withdrawals),
        },
        pending: amountText(pendingOf(state, accountId)),
      },
    ],
    deposit_instructions:
      state.lane === 'sandbox'
        ? FAUCET
        : (instructions?.replaceAll('{account_id}', account.id) ?? null),
  };
}

/** Deposits that are on their way. */
function pendingOf(state: State, accountId: AccountId): bigint {
  let sum = 0n;
  for (const { state: reached, amount } of state.funds.depositsOf(accountId)) {
    if (reached === 'pending') sum += amount;
  }
  return sum;
}

export function entryView(entry: StatementEntry): LedgerEntry {
  const { seq, number, shares, atMs } = entry;
  return {
    entry_id: entryIdText(seq, number),
    seq,
    asset: shares === null ? ASSET : null,
    market_id: shares?.marketId ?? null,
    outcome_id: shares?.outcomeId ?? null,
    bucket: entry.bucket,
    amount: amountText(entry.amount),
    balance_after: amountText(entry.balanceAfter),
    reason: entry.reason,
    ref_id: referenceText(entry.reference),
    created_at: isoTime(atMs),
    created_at_ms: atMs,
  };
}
