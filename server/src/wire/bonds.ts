// Bonds that an account has posted: reserved money that lies with its market until the market is decided.
import type { Account, State } from '@sibyl/engine';

export function bondsOf(state: State, account: Account): bigint {
  // Most accounts have nothing at stake, and need no look at every market.
  if (account.staked === 0n) return 0n;
  let sum = 0n;
  for (const { proposal } of state.markets.values()) {
    if (proposal === null) continue;
    if (proposal.proposerId === account.id) sum += state.ledger.balance(proposal.bondAccount);
    const { dispute } = proposal;
    if (dispute?.accountId === account.id) sum += state.ledger.balance(dispute.bondAccount);
  }
  return sum;
}

/** What the interface calls reserved: for orders and withdrawals, and by bonds. */
export function reservedOf(state: State, account: Account): bigint {
  const { ledger } = state;
  const kept = ledger.balance(account.reserved) + ledger.balance(account.withdrawing);
  return kept + bondsOf(state, account);
}
