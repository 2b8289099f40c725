// What commands say of the grant that they are sent under.
import type { GrantTerms } from '@sibyl/engine';
import { usdt } from '@sibyl/money';
import type { GrantRecord } from '../ports/grants.ts';

export function termsOf({ grantId, dailyCap, expiresAtMs }: GrantRecord): GrantTerms {
  const dayMax = dailyCap === null ? null : usdt(dailyCap);
  return Object.freeze({ grantId, dayMax, expiresAtMs });
}
