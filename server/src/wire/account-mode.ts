// The kind of an account as its owner is shown it.
import type { Account } from '@sibyl/engine';

/** What its money is called; the ledger has one unit for all. */
export function accountAsset({ mode }: Account): 'USDT' | 'CROWN' {
  return mode === 'demo' ? 'CROWN' : 'USDT';
}

/** The exchange's own accounts are shown as the sandbox accounts that they are. */
export function accountMode({ mode }: Account): 'live' | 'sandbox' | 'demo' {
  return mode === 'bot' ? 'sandbox' : mode;
}
