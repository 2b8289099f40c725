// The ceilings of the credential that places an order (RK1).
import type { Account } from '../account/account.ts';
import type { TierCaps } from '../command.ts';
import { type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { keyScope, usedToday } from './day.ts';

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
  const byKey = usedToday(state, keyScope(caps.keyId));
  const byAccount = usedToday(state, account.id);
  const used = byKey > byAccount ? byKey : byAccount;
  if (used + notional <= dayMax) return null;
  return reject('TIER_LIMIT_EXCEEDED', { tier, cap: dayMax });
}
