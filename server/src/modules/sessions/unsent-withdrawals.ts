// Withdrawals that were asked for before their owner got the account back by a link: whoever had it may have asked for them.
import { asAccountId } from '@sibyl/engine';
import type { Lane } from '@sibyl/lane';

const REASON = 'the password was reset';

/**
 * Gives back what was not sent yet, of the subaccounts too. One that is sent in between stays so; one that a crash leaves
 * out is held, since the password has changed.
 */
export async function cancelUnsent(lane: Lane, ownerId: string, requestId: string): Promise<void> {
  const unsent = await lane.read(({ accounts, funds }) => {
    const { members = [] } = accounts.get(asAccountId(ownerId))?.family ?? {};
    return members
      .flatMap(({ id }) => funds.withdrawalsOf(id))
      .filter(({ state }) => state === 'requested' || state === 'held');
  });
  for (const { withdrawalId, accountId } of unsent) {
    const body = { type: 'cancel_withdrawal', withdrawalId, accountId, reason: REASON } as const;
    await lane.submit({ body, actor: { kind: 'system' }, requestId });
  }
}
