// Notices of subaccounts: one was frozen, by its owner or by an operator.
import type { AccountFrozen } from '@sibyl/engine';
import type { Teller } from './teller.ts';

export function tellFrozen(
  { say, memory }: Teller<'owner', 'subaccount.frozen'>,
  { accountId, frozen, by }: AccountFrozen,
  index: number,
): void {
  if (!frozen || memory.ownerOf(accountId) === accountId) return;
  say('subaccount.frozen', {
    accountId,
    id: accountId,
    index,
    data: ({ accounts }) => ({ label: accounts.get(accountId)?.label ?? '', reason: by }),
  });
}
