// Subaccounts that their owner opens, names, freezes and closes.
import { cannotClear } from './accounts.ts';
import { actingOn, checkAccount } from './authority.ts';
import { bondName } from './bonds.ts';
import { openOf } from './cancel.ts';
import { checkRoom, disarm, enter, hold, isForOwner, isTaken } from './family.ts';
import { withdrawalsName } from './funds.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { accepted, DONE, Refusals } from './refusal.ts';
import {
  balance,
  findAccount,
  freeName,
  heldShares,
  holderOf,
  isFinal,
  type NaiveAccount,
  type World,
} from './world.ts';

function openSubaccount(world: World, command: CommandOf<'open_subaccount'>): PlainAnswer {
  const { accountId, subaccountId, label } = command;
  const refusals = new Refusals(world);
  if (!/^sub_[A-Za-z0-9_-]{1,60}$/.test(subaccountId)) refusals.field('subaccount_id', 'sub_…');
  if (!isLabel(label)) refusals.field('label', 'a label');
  const owner = checkAccount(world, command.actor, accountId, refusals);
  if (owner !== undefined && owner.parentId !== null) refusals.add('NOT_FOUND');
  const taken = [...world.accounts, ...world.closedAccounts];
  if (taken.some(({ id }) => id === subaccountId)) refusals.add('CONFLICT');
  checkRoom(world, accountId, label, owner?.mode === 'demo' ? 0 : 32, refusals);
  if (refusals.any || owner === undefined) return refusals.answer();
  const { mode, referrerId } = owner;
  enter(world, { id: subaccountId, mode, parentId: accountId, referrerId, label });
  return accepted({ kind: 'account', accountId: subaccountId });
}

function changeSubaccount(world: World, command: CommandOf<'change_subaccount'>): PlainAnswer {
  const { accountId, label, status } = command;
  const refusals = new Refusals(world);
  if (status !== null && !['active', 'frozen', 'closed'].includes(status))
    refusals.field('status', 'active, frozen or closed');
  if (label === null ? status === null : status === 'closed' || !isLabel(label))
    refusals.field('label', 'a label');
  const account = actingOn(world, command.actor, accountId);
  const isTheirs = account !== undefined && account.parentId !== null;
  if (!isTheirs || !isForOwner(world, command.actor, accountId)) refusals.add('NOT_FOUND');
  if (account !== undefined && isHeldByOperator(world, account)) refusals.add('SUBACCOUNT_FROZEN');
  if (account !== undefined && label !== null && isTaken(world, accountId, label, accountId))
    refusals.add('SUBACCOUNT_LABEL_TAKEN', { label });
  if (status === 'closed') checkEmpty(world, accountId, refusals);
  if (refusals.any || account === undefined) return refusals.answer();
  if (label !== null && label !== account.label) {
    account.label = label;
    world.events.push({ type: 'subaccount_renamed', accountId, label });
  }
  if (status === 'closed') close(world, account);
  else if (status !== null) hold(world, account, 'owner', status === 'frozen');
  return DONE;
}

function isLabel(label: string): boolean {
  const units = [...Array(label.length).keys()].map((index) => label.charCodeAt(index));
  const isControl = (unit: number): boolean => unit < 32 || (unit >= 127 && unit < 160);
  return label.trim() === label && label !== '' && label.length <= 64 && !units.some(isControl);
}

function isHeldByOperator(world: World, account: NaiveAccount): boolean {
  const owner = findAccount(world, account.parentId ?? account.id);
  return account.holds.has('operator') || owner?.holds.has('operator') === true;
}

function checkEmpty(world: World, id: string, refusals: Refusals): void {
  const open = openOf(world, id, null).length;
  if (open > 0) refusals.add('SUBACCOUNT_HAS_OPEN_ORDERS', { account_id: id, open });
  const free = balance(world, freeName(id));
  const markets = world.markets.filter(({ id: marketId, outcomes }) =>
    outcomes.some((_, index) => heldShares(world, id, marketId, index) > 0n),
  ).length;
  if (markets > 0) refusals.add('SUBACCOUNT_HAS_POSITIONS', { account_id: id, markets });
  const isUnderWay =
    balance(world, withdrawalsName(id)) > 0n ||
    world.deposits.some(({ accountId, state }) => accountId === id && state === 'pending');
  if (free > 0n || isUnderWay) refusals.add('SUBACCOUNT_HAS_BALANCE', { account_id: id, free });
  if (isOwed(world, id) || cannotClear(world, [id])) refusals.add('STATE_CONFLICT');
}

/** By a pool that it seeded, or as a bond. */
function isOwed(world: World, accountId: string): boolean {
  return world.markets.some(
    (market) =>
      (market.creatorId === accountId && !isFinal(market)) ||
      (market.proposal?.proposerId === accountId &&
        balance(world, bondName(market.id, 'proposer')) > 0n) ||
      (market.proposal?.challengerId === accountId &&
        balance(world, bondName(market.id, 'challenger')) > 0n),
  );
}

/** The fees kept of it in markets are its owner's. */
function close(world: World, account: NaiveAccount): void {
  const { id, parentId } = account;
  for (const market of world.markets) {
    market.makers.delete(id);
    const holder = market.holders.find((each) => each.accountId === id);
    if (holder === undefined || isFinal(market)) continue;
    holderOf(market, parentId ?? id).kept += holder.kept;
    market.holders = market.holders.filter((each) => each !== holder);
  }
  disarm(world, id);
  world.accounts = world.accounts.filter((each) => each !== account);
  world.closedAccounts.push(account);
  world.events.push({ type: 'subaccount_closed', accountId: id });
}

export const SUBACCOUNT_COMMANDS = {
  open_subaccount: openSubaccount,
  change_subaccount: changeSubaccount,
};
