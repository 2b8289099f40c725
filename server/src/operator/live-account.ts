// A tier above self_serve leads to the live lane: the account must be open there before.
import { asAccountId } from '@sibyl/engine';
import type { OperatorParts } from './parts.ts';

/** Nothing where it is open already, or where the live lane is not run. */
export async function openLiveAccount(
  { opened }: Pick<OperatorParts, 'opened'>,
  liveAccount: string,
  requestId: string,
): Promise<void> {
  const lane = opened.live?.lane;
  if (lane === undefined) return;
  const accountId = asAccountId(liveAccount);
  if (await lane.read((state) => state.accounts.has(accountId))) return;
  await lane.submit({
    body: { type: 'open_account', accountId, mode: 'live', parentId: null, referrerId: null },
    actor: { kind: 'system' },
    requestId,
  });
}
