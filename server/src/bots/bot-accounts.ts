// Who trades in the sandbox besides its users: the accounts of the bots and of a few creators.

import {
  type AccountId,
  asAccountId,
  type CommandBody,
  PLATFORM_ACCOUNT,
  type State,
} from '@sibyl/engine';
import { type Usdt, usdt } from '@sibyl/money';
import type { Decisions } from './orders.ts';

export const maker: AccountId = asAccountId('acc_botmaker');
export const arbitrageur: AccountId = asAccountId('acc_botfair');
export const noiseTraders: readonly [AccountId, ...AccountId[]] = [
  asAccountId('acc_botnoise1'),
  asAccountId('acc_botnoise2'),
  asAccountId('acc_botnoise3'),
  asAccountId('acc_botnoise4'),
];
export const platform: AccountId = asAccountId(PLATFORM_ACCOUNT);
export const creators = {
  ada: asAccountId('acc_ada'),
  grace: asAccountId('acc_grace'),
  alan: asAccountId('acc_alan'),
} as const;

/** Opens every bot account that is not there yet, with money. */
export function openBotAccounts(state: State): Decisions {
  const missing = allAccounts.filter((accountId) => !state.accounts.has(accountId));
  return missing.map((accountId) => ({
    type: 'open_account',
    accountId,
    mode: CAST_MODE,
    parentId: null,
    referrerId: null,
  }));
}

/** Fake money for bot accounts that run low. */
export function fundBotAccounts(state: State): Decisions {
  const decisions: CommandBody[] = [];
  for (const accountId of [platform, ...allAccounts]) {
    const account = state.accounts.get(accountId);
    if (account === undefined || state.ledger.balance(account.free) >= LOW) continue;
    const reference = `sandbox-cast:${state.seq}:${accountId}`;
    decisions.push({ type: 'deposit', accountId, amount: GRANT, reference });
  }
  return decisions;
}

/** How bot accounts are opened. */
const CAST_MODE = 'bot';
const LOW = 50_000n * 1_000_000n;
const GRANT: Usdt = usdt(500_000n * 1_000_000n);
const allAccounts: readonly AccountId[] = [
  maker,
  arbitrageur,
  ...noiseTraders,
  ...Object.values(creators),
];
