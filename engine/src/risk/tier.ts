// The ceilings of the credential that places an order (RK1).
import type { Account } from '../account/account.ts';
import type { TierCaps } from '../command.ts';
import { type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { accountUsedToday, keyUsedToday } from './day.ts';

export function checkTier(
  state: State,
  account: Account,
  caps: TierCaps | null,
  notional: bigint,
): Rejection | null {
  if (caps === null) return null;
  const { tier, orderMax, dayMax } = caps;
  if (orderMax !== null && notional > orderMax) {
    return reject('TIER_LIMIT_EXCEEDED', { tier, cap: orderMax });
  }
  if (dayMax === null) return null;
  const byKey = keyUsedToday(state, caps.keyId);
  const byAccount = accountUsedToday(state, account);
  const used = byKey > byAccount ? byKey : byAccount;
  if (used + notional <= dayMax) return null;
  return reject('TIER_LIMIT_EXCEEDED', { tier, cap: dayMax });
}
