// The ceilings of the credential that sends a command (RK1).
import type { TierCaps } from '../command.ts';
import { type Order, ownRest } from '../order/order.ts';
import { type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { type Credential, dayEndMs, useOf } from './cap-use.ts';

/**
 * `notional` is what the order cap is held against; `day` what would be added to the use of the day, null for what may
 * always be done, which is to get out. `amended` is the order itself when it already rests.
 */
export function checkTier(
  state: State,
  caps: TierCaps | null,
  credential: Credential | null,
  notional: bigint,
  day: bigint | null,
  amended: Order | null = null,
): Rejection | null {
  if (caps === null || credential === null) return null;
  const { tier, orderMax, dayMax } = caps;
  if (orderMax !== null && notional > orderMax) {
    return reject('TIER_LIMIT_EXCEEDED', { tier, cap: orderMax });
  }
  if (dayMax === null || day === null) return null;
  const used = useOf(state, credential, ownRest(amended));
  if (used + day <= dayMax) return null;
  const resetsAtMs = dayEndMs(state.nowMs);
  return reject('TIER_LIMIT_EXCEEDED', { tier, cap: dayMax, used, resets_at_ms: resetsAtMs });
}
