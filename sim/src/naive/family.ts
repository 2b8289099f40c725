// An owner and its subaccounts: who may be there, under which name, and who holds whom.
import type { PlainActor } from './authority.ts';
import { isClosing, openOf } from './cancel.ts';
import { closeOrder } from './order-state.ts';
import type { Refusals } from './refusal.ts';
import { familyAccounts, familyOf, isFrozen, type NaiveAccount, type World } from './world.ts';

export function enter(world: World, account: Omit<NaiveAccount, 'holds'>): void {
  const { id: accountId, mode, parentId, referrerId, label } = account;
  world.accounts.push({ ...account, holds: new Set() });
  world.events.push({ type: 'account_opened', accountId, mode, parentId, referrerId, label });
}

/** Room for one more subaccount, and nobody else of its name. */
export function checkRoom(
  world: World,
  ownerId: string,
  label: string,
  max: number,
  refusals: Refusals,
): void {
  const open = world.accounts.filter(({ parentId }) => parentId === ownerId).length;
  const ever = open + world.closedAccounts.filter(({ parentId }) => parentId === ownerId).length;
  if (isTaken(world, ownerId, label, null)) refusals.add('SUBACCOUNT_LABEL_TAKEN', { label });
  if (open >= max) refusals.add('RISK_LIMIT_BREACH', { limit: 'subaccounts', open, max });
  else if (ever >= 1000)
    refusals.add('RISK_LIMIT_BREACH', { limit: 'subaccounts_ever', open: ever, max: 1000 });
}

export function isTaken(
  world: World,
  memberId: string,
  label: string,
  exceptId: string | null,
): boolean {
  return familyAccounts(world, memberId).some(
    (each) => each.id !== exceptId && each.label === label,
  );
}

/** Somebody takes hold of an account, or lets it go; an operator's hold of an owner is one of the family. */
export function hold(
  world: World,
  account: NaiveAccount,
  by: 'owner' | 'operator',
  isHeld: boolean,
  reason: string | null = null,
): void {
  const members = account.parentId === null ? byId(familyAccounts(world, account.id)) : [account];
  const before = members.map((each) => isFrozen(world, each));
  if (isHeld) account.holds.add(by);
  else account.holds.delete(by);
  for (const [index, { id: accountId, ...member }] of members.entries()) {
    const frozen = isFrozen(world, { id: accountId, ...member });
    if (frozen === before[index]) continue;
    world.events.push({ type: 'account_frozen', accountId, frozen, by, reason });
    if (frozen) cancelAll(world, accountId, 'account_frozen');
  }
}

export function cancelAll(
  world: World,
  accountId: string,
  reason: 'account_frozen' | 'reset',
): void {
  for (const order of openOf(world, accountId, null)) {
    if (!isClosing(world, order)) closeOrder(world, order, reason);
  }
}

/** Its switches go with it. */
export function disarm(world: World, accountId: string): void {
  for (const scope of [...world.heartbeats.keys()])
    if (scope.startsWith(`${accountId}|`)) world.heartbeats.delete(scope);
}

export function byId(accounts: readonly NaiveAccount[]): NaiveAccount[] {
  return [...accounts].sort((x, y) => (x.id < y.id ? -1 : 1));
}

/** Is it an owner, or somebody who acts for it, and not the subaccount itself? */
export function isForOwner(world: World, actor: PlainActor, accountId: string): boolean {
  return actor.kind !== 'account' || actor.accountId === familyOf(world, accountId);
}
