// Accounts and their money: opening, freezing, transfers, faucet, reset, closing.
import { checkAccount, checkOperator } from './authority.ts';
import { bondName } from './bonds.ts';
import { openOf } from './cancel.ts';
import { Entry } from './entry.ts';
import { byId, cancelAll, checkRoom, disarm, enter, hold, isForOwner } from './family.ts';
import { checkFree, checkPositive } from './funds.ts';
import { beginOwnLimits } from './own-limits.ts';
import type { CommandOf, PlainAnswer } from './plain.ts';
import { at } from './pool.ts';
import { accepted, DONE, Refusals } from './refusal.ts';
import {
  balance,
  contraName,
  familyAccounts,
  familyOf,
  findAccount,
  freeName,
  freeShares,
  freeSharesName,
  HOUSE,
  holderOf,
  isFinal,
  isFrozen,
  type NaiveMarket,
  PLATFORM,
  type World,
} from './world.ts';

function openAccount(world: World, command: CommandOf<'open_account'>): PlainAnswer {
  const { accountId, mode, parentId, referrerId } = command;
  const refusals = new Refusals(world);
  const parent = parentId === null ? null : findAccount(world, parentId);
  if (!/^(acc|sub)_[A-Za-z0-9_]+$/.test(accountId)) refusals.field('account_id', 'acc_… or sub_…');
  if (
    !['live', 'sandbox', 'demo', 'bot'].includes(mode) ||
    (mode === 'live') !== (world.lane === 'live')
  ) {
    refusals.field('mode', 'a mode of the lane');
  }
  if (command.actor.kind === 'account' || parent === undefined) refusals.add('NOT_FOUND');
  else if (parent !== null && parent.parentId !== null) refusals.field('parent_id', 'an owner');
  const known = findAccount(world, accountId);
  if (known !== undefined) {
    const same =
      known.mode === mode && known.parentId === parentId && known.referrerId === referrerId;
    if (!same) refusals.add('CONFLICT');
  }
  if (known === undefined && world.closedAccounts.some((each) => each.id === accountId))
    refusals.add('CONFLICT');
  if (known === undefined && parentId !== null) checkRoom(world, parentId, accountId, 32, refusals);
  if (refusals.any) return refusals.answer();
  if (known === undefined) {
    const label = parentId === null ? null : accountId;
    enter(world, { id: accountId, mode, parentId, referrerId, label });
  }
  return accepted({ kind: 'account', accountId });
}

function freezeAccount(world: World, command: CommandOf<'freeze_account'>): PlainAnswer {
  const { reason = null } = command;
  const refusals = new Refusals(world);
  if (reason !== null && (reason.length < 1 || reason.length > 256))
    refusals.field('reason', '1 to 256 characters');
  checkOperator(command.actor, refusals);
  const account = findAccount(world, command.accountId);
  if (account === undefined) refusals.add('NOT_FOUND');
  if (refusals.any || account === undefined) return refusals.answer();
  hold(world, account, 'operator', command.frozen, reason);
  return DONE;
}

function transfer(world: World, command: CommandOf<'transfer'>): PlainAnswer {
  const { fromId, toId, amount } = command;
  const refusals = new Refusals(world);
  checkPositive(amount, refusals);
  const from = checkAccount(world, command.actor, fromId, refusals);
  const to = findAccount(world, toId);
  if (to === undefined || fromId === toId || familyOf(world, fromId) !== familyOf(world, toId))
    refusals.add('NOT_FOUND');
  else if (isFrozen(world, to)) refusals.add('SUBACCOUNT_FROZEN');
  if (!isForOwner(world, command.actor, fromId)) refusals.add('NOT_FOUND');
  if (from !== undefined) checkFree(world, fromId, amount, refusals);
  if (refusals.any) return refusals.answer();
  new Entry(world)
    .move(freeName(fromId), freeName(toId), amount)
    .commit('transfer', `account:${toId}`);
  return accepted({ kind: 'amount', accountId: toId, amount });
}

function faucet(world: World, command: CommandOf<'faucet'>): PlainAnswer {
  const { accountId, keyId } = command;
  const { amount, intervalMs } = world.parameters.faucet;
  const refusals = new Refusals(world);
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkAccount(world, command.actor, accountId, refusals);
  const family = familyOf(world, accountId);
  const scopes = keyId === null ? [family] : [family, `key:${keyId}`];
  const wait = scopes.map(
    (scope) => (world.faucetUses.get(scope)?.atMs ?? -intervalMs) + intervalMs - world.nowMs,
  );
  const longest = Math.max(...wait);
  if (longest > 0) refusals.add('RATE_LIMITED', { retry_after_ms: longest });
  if (refusals.any) return refusals.answer();
  for (const scope of scopes) world.faucetUses.set(scope, { atMs: world.nowMs, family });
  new Entry(world)
    .move(contraName(world), freeName(accountId), amount)
    .commit('faucet', `account:${accountId}`);
  return accepted({ kind: 'amount', accountId, amount });
}

function resetAccount(world: World, command: CommandOf<'reset_account'>): PlainAnswer {
  const { accountId } = command;
  const refusals = new Refusals(world);
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  const account = checkAccount(world, command.actor, accountId, refusals);
  const isOwner = account !== undefined && account.parentId === null;
  const members = isOwner ? byId(familyAccounts(world, accountId)) : [account];
  const known = members.filter((each) => each !== undefined);
  if (known.some((each) => isFrozen(world, each))) refusals.add('SUBACCOUNT_FROZEN');
  const ids = known.map(({ id }) => id);
  if (cannotClear(world, ids)) refusals.add('STATE_CONFLICT');
  if (refusals.any) return refusals.answer();
  for (const id of ids) {
    world.events.push({ type: 'account_reset', accountId: id });
    clear(world, id);
  }
  if (isOwner) freeFaucet(world, accountId);
  return DONE;
}

/** Ends the waits that uses of the faucet for the family began, so many times a day. */
function freeFaucet(world: World, family: string): void {
  const { intervalMs, freedPerDay } = world.parameters.faucet;
  const waits = [...world.faucetUses].filter(
    ([, use]) => use.family === family && use.atMs + intervalMs > world.nowMs,
  );
  const day = `${Math.floor(world.nowMs / 86_400_000)}|${family}`;
  const freed = world.faucetFreed.get(day) ?? 0;
  if (waits.length === 0 || freed >= freedPerDay) return;
  world.faucetFreed.set(day, freed + 1);
  for (const [scope] of waits) world.faucetUses.delete(scope);
}

function closeAccount(world: World, command: CommandOf<'close_account'>): PlainAnswer {
  const { accountId } = command;
  const refusals = new Refusals(world);
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkOperator(command.actor, refusals);
  const account = findAccount(world, accountId);
  if (account === undefined) refusals.add('NOT_FOUND');
  else if (account.mode === 'bot' || accountId === PLATFORM || isNeeded(world, accountId))
    refusals.add('STATE_CONFLICT');
  if (cannotClear(world, [accountId])) refusals.add('STATE_CONFLICT');
  if (refusals.any) return refusals.answer();
  world.events.push({ type: 'account_closed', accountId });
  clear(world, accountId);
  world.accounts = world.accounts.filter((each) => each.id !== accountId);
  world.ownLimits.delete(accountId);
  disarm(world, accountId);
  world.deposits = world.deposits.filter((each) => each.accountId !== accountId);
  for (const name of [...world.clientOrders.keys()])
    if (name.startsWith(`${accountId}|`)) world.clientOrders.delete(name);
  // They keep their places among the latest, but are nobody's.
  for (const [id, order] of world.closed)
    if (order.accountId === accountId) world.closed.set(id, { ...order, accountId: HOUSE });
  return DONE;
}

/** The visitor of a demo account has registered. */
function registerDemo(world: World, command: CommandOf<'register_demo'>): PlainAnswer {
  const { accountId, referrerId } = command;
  const refusals = new Refusals(world);
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkOperator(command.actor, refusals);
  const account = findAccount(world, accountId);
  const hasReferrer = referrerId !== null && findAccount(world, referrerId) !== undefined;
  if (account === undefined) refusals.add('NOT_FOUND');
  if (referrerId === accountId || (referrerId !== null && !hasReferrer)) refusals.add('NOT_FOUND');
  const isDone =
    account?.mode === 'sandbox' && account.parentId === null && account.referrerId === referrerId;
  if (account !== undefined && !isDone) {
    if (account.mode !== 'demo' || hasRelatives(world, accountId)) refusals.add('STATE_CONFLICT');
  }
  if (refusals.any) return refusals.answer();
  if (isDone) return DONE;
  world.accounts = world.accounts.map((each) =>
    each.id === accountId ? { ...each, mode: 'sandbox', referrerId } : each,
  );
  world.events.push({ type: 'demo_registered', accountId, referrerId });
  return DONE;
}

/** Has it a bond, or ever made a market, or relatives? */
function isNeeded(world: World, accountId: string): boolean {
  const hasTies = world.markets.some(
    ({ id, creatorId, proposal }) =>
      creatorId === accountId ||
      (proposal?.proposerId === accountId && balance(world, bondName(id, 'proposer')) > 0n) ||
      (proposal?.challengerId === accountId && balance(world, bondName(id, 'challenger')) > 0n),
  );
  return hasTies || hasRelatives(world, accountId);
}

function hasRelatives(world: World, accountId: string): boolean {
  const hadFamily = world.closedAccounts.some(({ parentId }) => parentId === accountId);
  return hadFamily || familyAccounts(world, accountId).length > 1;
}

export function cannotClear(world: World, accountIds: readonly string[]): boolean {
  const work = accountIds.reduce((sum, accountId) => sum + resetWork(world, accountId), 0);
  const closing = world.markets.filter((market) => market.closing !== null);
  return (
    work > world.parameters.chunkMax ||
    closing.some((market) => accountIds.some((id) => isInvolved(world, market, id)))
  );
}

/** Orders, shares and money of the account go. */
function clear(world: World, accountId: string): void {
  cancelAll(world, accountId, 'reset');
  const markets = [...world.markets].sort((x, y) => (x.id < y.id ? -1 : 1));
  for (const market of markets) if (!isFinal(market)) giveToHouse(world, market, accountId);
  const free = balance(world, freeName(accountId));
  new Entry(world)
    .move(freeName(accountId), contraName(world), free)
    .commit('reset', `account:${accountId}`);
  beginOwnLimits(world, accountId);
}

/** Its orders, and every outcome of the markets in which it is a holder. */
function resetWork(world: World, accountId: string): number {
  const held = world.markets.filter(
    (market) => !isFinal(market) && market.holders.some((holder) => holder.accountId === accountId),
  );
  const outcomes = held.reduce((sum, market) => sum + market.outcomes.length, 0);
  return openOf(world, accountId, null).length + outcomes;
}

/** Has the account an order, shares, a claim or quality in the market? */
function isInvolved(world: World, market: NaiveMarket, accountId: string): boolean {
  return (
    openOf(world, accountId, market.id).length > 0 ||
    market.makers.has(accountId) ||
    market.holders.some((holder) => holder.accountId === accountId)
  );
}

/** Nothing of the account stays in the market, its quality neither. */
function giveToHouse(world: World, market: NaiveMarket, accountId: string): void {
  market.makers.delete(accountId);
  market.made = market.made.filter((each) => each.accountId !== accountId);
  const holder = market.holders.find((each) => each.accountId === accountId);
  if (holder === undefined) return;
  const entry = new Entry(world);
  const house = holderOf(market, HOUSE);
  for (let index = 0; index < market.outcomes.length; index += 1) {
    const held = freeShares(world, accountId, market.id, index);
    entry.move(
      freeSharesName(accountId, market.id, index),
      freeSharesName(HOUSE, market.id, index),
      held,
    );
    house.cost[index] = at(house.cost, index) + at(holder.cost, index);
  }
  house.kept += holder.kept;
  market.holders = market.holders.filter((each) => each !== holder);
  entry.commit('reset', market.id);
}

export const ACCOUNT_COMMANDS = {
  open_account: openAccount,
  freeze_account: freezeAccount,
  transfer,
  faucet,
  reset_account: resetAccount,
  close_account: closeAccount,
  register_demo: registerDemo,
};
