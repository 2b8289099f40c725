// Money moving between accounts of one owner, and play money.

import { checkAmount } from '../funds/checks.ts';
import { type Account, type Family, isSameFamily } from '../state/account.ts';
import { actingAccount, isOwnersAct, isRejection, unknownAccount } from '../state/authority.ts';
import { dayOf } from '../state/cap-use.ts';
import type { Actor, Faucet, Transfer } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';

export function transfer(turn: Turn, actor: Actor, command: Transfer): Answer {
  const { state, events } = turn;
  const fault = checkAmount(command.amount);
  if (fault !== null) return refuse(fault);
  const from = actingAccount(state, actor, command.fromId);
  if (isRejection(from)) return refuse(from);
  if (!isOwnersAct(actor, from)) return refuse(unknownAccount(from.id));
  const to = state.accounts.get(command.toId);
  if (to === undefined || to === from || !isSameFamily(to, from) || to.closedAtMs !== null) {
    return refuse(unknownAccount(command.toId));
  }
  if (from.frozen) return refuse(frozen(from));
  if (to.frozen) return refuse(frozen(to));
  const lacking = checkFree(state, from, command.amount);
  if (lacking !== null) return refuse(lacking);
  state.ledger.post(from.free, -command.amount);
  state.ledger.post(to.free, command.amount);
  from.netDeposits -= command.amount;
  to.netDeposits += command.amount;
  state.ledger.commit(events, 'transfer', `account:${to.id}`);
  return accept({ kind: 'amount', accountId: to.id, amount: command.amount });
}

export function faucet(turn: Turn, actor: Actor, command: Faucet): Answer {
  const { state, events } = turn;
  if (command.keyId !== null && typeof command.keyId !== 'string') {
    return refuse(invalid('key_id', 'a string or null'));
  }
  if (state.lane !== 'sandbox') return refuse(reject('SANDBOX_ONLY'));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const { keyId } = command;
  const scopes = faucetScopes(account.family, keyId);
  const waitMs = faucetWaitMs(state, scopes);
  if (waitMs > 0) return refuse(reject('RATE_LIMITED', { retry_after_ms: waitMs }));
  for (const scope of scopes) state.faucetUses.put(scope, { atMs: state.nowMs, keyId });
  const { amount } = state.parameters.faucet;
  credit(turn, account, amount);
  state.ledger.commit(events, 'faucet', `account:${account.id}`);
  return accept({ kind: 'amount', accountId: account.id, amount });
}

/** After a reset of the whole family: it and the key that used the faucet for it need not wait, so many times a day. */
export function freeFaucet(state: State, family: Family): void {
  const use = state.faucetUses.get(familyScope(family));
  if (use === undefined) return;
  const day = dayOf(state.nowMs);
  const freed = state.capUses.count(`faucet|${family.id}`);
  if (freed.usedOn(day) >= BigInt(state.parameters.faucet.freedPerDay)) return;
  freed.add(day, 1);
  for (const scope of faucetScopes(family, use.keyId)) state.faucetUses.remove(scope);
}

/** Why an account that is `frozen` may not act; one that is closed is not there any more. */
export function frozen(account: Account): Rejection {
  if (account.closedAtMs !== null) return unknownAccount(account.id);
  return reject('SUBACCOUNT_FROZEN', { account_id: account.id });
}

/** Too little free money, with what explains it. */
export function checkFree(state: State, account: Account, required: bigint): Rejection | null {
  const free = state.ledger.balance(account.free);
  if (free >= required) return null;
  const reserved = state.ledger.balance(account.reserved);
  return reject('BALANCE_INSUFFICIENT', { required, free, reserved });
}

function credit(turn: Turn, account: Account, amount: bigint): void {
  const { ledger, contra } = turn.state;
  ledger.post(contra, -amount);
  ledger.post(account.free, amount);
  account.netDeposits += amount;
}

/** Of the family, so that a subaccount has no faucet of its own, and of the key. */
function faucetScopes(family: Family, keyId: string | null): readonly string[] {
  const ofFamily = familyScope(family);
  return keyId === null ? [ofFamily] : [ofFamily, `key:${keyId}`];
}

function familyScope(family: Family): string {
  return `account:${family.id}`;
}

function faucetWaitMs(state: State, scopes: readonly string[]): number {
  let waitMs = 0;
  for (const scope of scopes) {
    const use = state.faucetUses.get(scope);
    if (use === undefined) continue;
    const leftMs = use.atMs + state.parameters.faucet.intervalMs - state.nowMs;
    if (leftMs > waitMs) waitMs = leftMs;
  }
  return waitMs;
}
