// Accounts and their money: opening, freezing, deposits, withdrawals, transfers, faucet, reset, closing.
import { checkAccount, checkOperator } from './authority.ts';
import { bondName } from './bonds.ts';
import { isClosing, openOf } from './cancel.ts';
import { Entry } from './entry.ts';
import { closeOrder } from './order-state.ts';
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
  type NaiveMarket,
  reservedName,
  type World,
} from './world.ts';

const AMOUNT_MAX = 1n << 58n;

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
  if (refusals.any) return refusals.answer();
  if (known === undefined) {
    world.accounts.push({ id: accountId, mode, parentId, referrerId, frozen: false });
    world.events.push({ type: 'account_opened', accountId, mode, parentId, referrerId });
  }
  return accepted({ kind: 'account', accountId });
}

function freezeAccount(world: World, command: CommandOf<'freeze_account'>): PlainAnswer {
  const refusals = new Refusals(world);
  checkOperator(command.actor, refusals);
  const account = findAccount(world, command.accountId);
  if (account === undefined) refusals.add('NOT_FOUND');
  if (refusals.any || account === undefined) return refusals.answer();
  if (account.frozen !== command.frozen) {
    account.frozen = command.frozen;
    world.events.push({ type: 'account_frozen', accountId: account.id, frozen: account.frozen });
    if (account.frozen) cancelAll(world, account.id, 'account_frozen');
  }
  return DONE;
}

function deposit(world: World, command: CommandOf<'deposit'>): PlainAnswer {
  const { accountId, amount } = command;
  const refusals = new Refusals(world);
  if (amount <= 0n || amount > AMOUNT_MAX) refusals.field('amount', 'more than zero');
  checkOperator(command.actor, refusals);
  if (findAccount(world, accountId) === undefined) refusals.add('NOT_FOUND');
  if (refusals.any) return refusals.answer();
  new Entry(world)
    .move(contraName(world), freeName(accountId), amount)
    .commit('deposit', command.reference);
  return accepted({ kind: 'amount', accountId, amount });
}

function withdraw(world: World, command: CommandOf<'withdraw'>): PlainAnswer {
  const { accountId, amount } = command;
  const refusals = new Refusals(world);
  if (amount <= 0n || amount > AMOUNT_MAX) refusals.field('amount', 'more than zero');
  if (world.lane !== 'live') refusals.add('PROD_ONLY');
  const account = checkAccount(world, command.actor, accountId, refusals);
  if (account !== undefined) checkFree(world, accountId, amount, refusals);
  if (refusals.any) return refusals.answer();
  new Entry(world)
    .move(freeName(accountId), contraName(world), amount)
    .commit('withdrawal', command.reference);
  return accepted({ kind: 'amount', accountId, amount });
}

function transfer(world: World, command: CommandOf<'transfer'>): PlainAnswer {
  const { fromId, toId, amount } = command;
  const refusals = new Refusals(world);
  if (amount <= 0n || amount > AMOUNT_MAX) refusals.field('amount', 'more than zero');
  const from = checkAccount(world, command.actor, fromId, refusals);
  const to = findAccount(world, toId);
  if (to === undefined || fromId === toId || familyOf(world, fromId) !== familyOf(world, toId))
    refusals.add('NOT_FOUND');
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
  const scopes = keyId === null ? [accountId] : [accountId, `key:${keyId}`];
  const wait = scopes.map(
    (scope) => (world.faucetUses.get(scope) ?? -intervalMs) + intervalMs - world.nowMs,
  );
  const longest = Math.max(...wait);
  if (longest > 0) refusals.add('RATE_LIMITED', { retry_after_ms: longest });
  if (refusals.any) return refusals.answer();
  for (const scope of scopes) world.faucetUses.set(scope, world.nowMs);
  new Entry(world)
    .move(contraName(world), freeName(accountId), amount)
    .commit('faucet', `account:${accountId}`);
  return accepted({ kind: 'amount', accountId, amount });
}

function resetAccount(world: World, command: CommandOf<'reset_account'>): PlainAnswer {
  const { accountId } = command;
  const refusals = new Refusals(world);
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkAccount(world, command.actor, accountId, refusals);
  if (cannotClear(world, accountId)) refusals.add('STATE_CONFLICT');
  if (refusals.any) return refusals.answer();
  world.events.push({ type: 'account_reset', accountId });
  clear(world, accountId);
  return DONE;
}

function closeAccount(world: World, command: CommandOf<'close_account'>): PlainAnswer {
  const { accountId } = command;
  const refusals = new Refusals(world);
  if (world.lane === 'live') refusals.add('SANDBOX_ONLY');
  checkOperator(command.actor, refusals);
  const account = findAccount(world, accountId);
  if (account === undefined) refusals.add('NOT_FOUND');
  else if (account.mode !== 'demo' || isNeeded(world, accountId)) refusals.add('STATE_CONFLICT');
  if (cannotClear(world, accountId)) refusals.add('STATE_CONFLICT');
  if (refusals.any) return refusals.answer();
  world.events.push({ type: 'account_closed', accountId });
  clear(world, accountId);
  world.accounts = world.accounts.filter((each) => each.id !== accountId);
  for (const scope of [...world.heartbeats.keys()])
    if (scope.startsWith(`${accountId}|`)) world.heartbeats.delete(scope);
  for (const name of [...world.clientOrders.keys()])
    if (name.startsWith(`${accountId}|`)) world.clientOrders.delete(name);
  // They keep their places among the latest, but are nobody's.
  for (const [id, order] of world.closed)
    if (order.accountId === accountId) world.closed.set(id, { ...order, accountId: HOUSE });
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
  return hasTies || familyAccounts(world, accountId).length > 1;
}

function cannotClear(world: World, accountId: string): boolean {
  return (
    resetWork(world, accountId) > world.parameters.chunkMax ||
    world.markets.some((market) => market.closing !== null && isInvolved(world, market, accountId))
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
  house.net += holder.net;
  market.holders = market.holders.filter((each) => each !== holder);
  entry.commit('reset', market.id);
}

function checkFree(world: World, accountId: string, required: bigint, refusals: Refusals): void {
  const free = balance(world, freeName(accountId));
  const reserved = balance(world, reservedName(accountId));
  if (free < required) refusals.add('BALANCE_INSUFFICIENT', { required, free, reserved });
}

function cancelAll(world: World, accountId: string, reason: 'account_frozen' | 'reset'): void {
  for (const order of openOf(world, accountId, null)) {
    if (!isClosing(world, order)) closeOrder(world, order, reason);
  }
}

export const ACCOUNT_COMMANDS = {
  open_account: openAccount,
  freeze_account: freezeAccount,
  deposit,
  withdraw,
  transfer,
  faucet,
  reset_account: resetAccount,
  close_account: closeAccount,
};
