// The ceilings of the credential that sends a command (RK1).

import { type Credential, dayEndMs, useOf } from '../state/cap-use.ts';
import type { TierCaps } from '../state/command.ts';
import { type Order, ownRest } from '../state/order.ts';
import { type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';

/** What a command comes to, as caps count it. */
export interface CapDemand {
  /** The order cap is checked against this, what the order gives away included. */
  readonly notional: bigint;
  /** What the cap of the day is checked for; null for a sell near the price, which that cap never refuses. */
  readonly day: bigint | null;
  /** What would be added to the use of a grant. */
  readonly more: bigint;
  /** What a sell gives away; 0 for anything else. */
  readonly given: bigint;
}

/** `amended` is the order itself when it already rests. */
export function checkTier(
  state: State,
  caps: TierCaps | null,
  credential: Credential | null,
  { notional, day, given }: CapDemand,
  amended: Order | null = null,
): Rejection | null {
  if (caps === null || credential === null) return null;
  const { tier, orderMax, dayMax } = caps;
  if (orderMax !== null && notional > orderMax) {
    return reject('TIER_LIMIT_EXCEEDED', { tier, cap: orderMax, ...givenOf(given) });
  }
  if (dayMax === null || day === null) return null;
  const used = useOf(state, credential, ownRest(amended));
  if (used + day <= dayMax) return null;
  const resetsAtMs = dayEndMs(state.nowMs);
  const details = { tier, cap: dayMax, used, resets_at_ms: resetsAtMs, ...givenOf(given) };
  return reject('TIER_LIMIT_EXCEEDED', details);
}

/** For the details of a refusal. */
export function givenOf(given: bigint): { readonly given?: bigint } {
  return given > 0n ? { given } : {};
}
