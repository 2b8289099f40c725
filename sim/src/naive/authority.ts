// Who may act on which account.
import type { PlainCommand } from './plain.ts';
import type { Refusals } from './refusal.ts';
import { findAccount, isFrozen, type NaiveAccount, type World } from './world.ts';

export type PlainActor = PlainCommand['actor'];

/** The account when it exists and the actor may act on it. */
export function actingOn(
  world: World,
  actor: PlainActor,
  accountId: string,
): NaiveAccount | undefined {
  const account = findAccount(world, accountId);
  if (account === undefined || actor.kind !== 'account') return account;
  return account.id === actor.accountId || account.parentId === actor.accountId
    ? account
    : undefined;
}

/** Adds NOT_FOUND or SUBACCOUNT_FROZEN as they apply. */
export function checkAccount(
  world: World,
  actor: PlainActor,
  accountId: string,
  refusals: Refusals,
): NaiveAccount | undefined {
  const account = actingOn(world, actor, accountId);
  if (account === undefined) refusals.add('NOT_FOUND');
  else if (isFrozen(world, account)) refusals.add('SUBACCOUNT_FROZEN');
  return account;
}

/** Commands of the operator or the system alone look like nothing to anybody else. */
export function checkOperator(actor: PlainActor, refusals: Refusals): void {
  if (actor.kind === 'account') refusals.add('NOT_FOUND');
}

export const isWhole = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value);
const LOTS_MAX = 100_000_000_000;
export const isLots = (value: unknown): value is number =>
  isWhole(value) && value >= 1 && value <= LOTS_MAX;
