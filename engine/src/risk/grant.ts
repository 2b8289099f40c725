// What the giver of a grant allows: until when, and how much of a day (RK4, RK5).

import { type Credential, dayEndMs, grantUseOf } from '../state/cap-use.ts';
import type { GrantTerms } from '../state/command.ts';
import { type Order, ownRest } from '../state/order.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { type CapDemand, givenOf } from './tier.ts';

export function checkExpiry(state: State, grant: GrantTerms | null): Rejection | null {
  if (grant === null || state.nowMs < grant.expiresAtMs) return null;
  const { grantId, expiresAtMs } = grant;
  return reject('DELEGATION_EXPIRED', { grant_id: grantId, expires_at_ms: expiresAtMs });
}

/**
 * Sells count and are refused too: an app has no position of its own to get out of. `amended` is the order itself when it
 * already rests.
 */
export function checkGrantCap(
  state: State,
  grant: GrantTerms | null,
  credential: Credential | null,
  { more, given }: CapDemand,
  amended: Order | null = null,
): Rejection | null {
  if (grant === null || grant.dayMax === null || credential === null) return null;
  const { grantId, dayMax: cap } = grant;
  const used = grantUseOf(state, credential, ownRest(amended));
  if (used + more <= cap) return null;
  const resetsAtMs = dayEndMs(state.nowMs);
  const resets = { resets_at_ms: resetsAtMs, ...givenOf(given) };
  const details = { grant_id: grantId, cap, used, ...resets };
  return reject('DELEGATION_DAILY_CAP_EXCEEDED', details);
}
