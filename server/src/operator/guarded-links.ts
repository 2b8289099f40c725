// Links to set a password of an account that is worth much: one operator alone must not get into it.
import { asAccountId } from '@sibyl/engine';
import { worthOf } from '../modules/portfolio/worth.ts';
import type { OperatorParts } from './parts.ts';

/** True while the live lane is stopped: what the account is worth is unknown then. */
export async function isAboveLinkLimit(
  { platform, opened, depositApprovalAbove: most }: OperatorParts,
  userId: string,
): Promise<boolean> {
  const lane = opened.live?.lane;
  const user = await platform.userById(userId);
  if (most === null || lane === undefined || user === null || user.isDemo) return false;
  if (lane.status().state === 'stopped') return true;
  return lane.read((state) => {
    const { members = [] } = state.accounts.get(asAccountId(user.accounts.live))?.family ?? {};
    const equity = [...members].reduce((sum, one) => sum + worthOf(state, one).equity, 0n);
    return equity > most;
  });
}
