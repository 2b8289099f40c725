// The kind of an account as its owner is shown it.
import type { Account } from '@sibyl/engine';

/** What all money is called: real in the live lane, play money in the sandbox. */
export const ASSET = 'USDT' as const;

/** The exchange's own accounts are shown as the sandbox accounts that they are. */
export function accountMode({ mode }: Account): 'live' | 'sandbox' | 'demo' {
  return mode === 'bot' ? 'sandbox' : mode;
}
