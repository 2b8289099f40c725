// How many subaccounts a family has, and under which labels (AC9).

import type { Account } from '../state/account.ts';
import { type Rejection, reject } from '../state/reject.ts';

export const SUBACCOUNTS_MAX = 32;
/** Closed ones keep their ids, so that without a bound an owner could fill the lane with them. */
const SUBACCOUNTS_EVER_MAX = 1_000;

/** Why the family takes no further subaccount of this name. */
export function checkFamily(
  owner: Account,
  label: string,
  max = SUBACCOUNTS_MAX,
): Rejection | null {
  const { members, closed } = owner.family;
  if (isTaken(owner, label, null)) return reject('SUBACCOUNT_LABEL_TAKEN', { label });
  const open = members.length - 1;
  if (open >= max) return reject('RISK_LIMIT_BREACH', { limit: 'subaccounts', open, max });
  const ever = open + closed.length;
  if (ever < SUBACCOUNTS_EVER_MAX) return null;
  return reject('RISK_LIMIT_BREACH', {
    limit: 'subaccounts_ever',
    open: ever,
    max: SUBACCOUNTS_EVER_MAX,
  });
}

export function isTaken({ family }: Account, label: string, except: Account | null): boolean {
  return family.members.some((member) => member !== except && member.label === label);
}
