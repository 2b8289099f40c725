// Money entering, leaving and moving between accounts of one owner.
import type { Actor, Deposit, Faucet, Transfer, Withdraw } from '../command.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';
import type { Answer } from '../outcome.ts';
import { invalid, type Rejection, reject } from '../reject.ts';
import type { State } from '../state.ts';
import { accept, refuse, type Turn } from '../turn.ts';
import { type Account, isSameFamily } from './account.ts';
import { actingAccount, isOperator, isRejection } from './authority.ts';

const AMOUNT_MAX = BALANCE_MAX >> 4n;
const REFERENCE_LENGTH_MAX = 128;

export function deposit(turn: Turn, actor: Actor, command: Deposit): Answer {
  const { state, events } = turn;
  const fault = checkAmount(command.amount) ?? checkReference(command.reference);
  if (fault !== null) return refuse(fault);
  if (state.ledger.balance(state.contra) - command.amount <= -BALANCE_MAX) {
    return refuse(invalid('amount', 'less than the ledger can hold'));
  }
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND', { account_id: command.accountId }));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  credit(turn, account, command.amount);
  state.ledger.commit(events, 'deposit', command.reference);
  return accept({ kind: 'amount', accountId: account.id, amount: command.amount });
}

export function withdraw(turn: Turn, actor: Actor, command: Withdraw): Answer {
  const { state, events } = turn;
  const fault = checkAmount(command.amount) ?? checkReference(command.reference);
  if (fault !== null) return refuse(fault);
  if (state.lane !== 'live') return refuse(reject('PROD_ONLY'));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const lacking = checkFree(state, account, command.amount);
  if (lacking !== null) return refuse(lacking);
  state.ledger.post(account.free, -command.amount);
  state.ledger.post(state.contra, command.amount);
  account.netDeposits -= command.amount;
  state.ledger.commit(events, 'withdrawal', command.reference);
  return accept({ kind: 'amount', accountId: account.id, amount: command.amount });
}

export function transfer(turn: Turn, actor: Actor, command: Transfer): Answer {
  const { state, events } = turn;
  const fault = checkAmount(command.amount);
  if (fault !== null) return refuse(fault);
  const from = actingAccount(state, actor, command.fromId);
  if (isRejection(from)) return refuse(from);
  const to = state.accounts.get(command.toId);
  if (to === undefined || to === from || !isSameFamily(to, from)) {
    return refuse(reject('NOT_FOUND', { account_id: String(command.toId) }));
  }
  if (from.frozen) return refuse(frozen(from));
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
  const scopes = [`account:${account.id}`];
  if (command.keyId !== null) scopes.push(`key:${command.keyId}`);
  const waitMs = faucetWaitMs(state, scopes);
  if (waitMs > 0) return refuse(reject('RATE_LIMITED', { retry_after_ms: waitMs }));
  for (const scope of scopes) state.faucetUses.put(scope, { atMs: state.nowMs });
  const { amount } = state.parameters.faucet;
  credit(turn, account, amount);
  state.ledger.commit(events, 'faucet', `account:${account.id}`);
  return accept({ kind: 'amount', accountId: account.id, amount });
}

export function frozen(account: Account): Rejection {
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

function checkAmount(amount: unknown): Rejection | null {
  if (typeof amount === 'bigint' && amount > 0n && amount <= AMOUNT_MAX) return null;
  return invalid('amount', 'a positive amount');
}

function checkReference(reference: unknown): Rejection | null {
  if (typeof reference === 'string' && reference.length > 0) {
    if (reference.length <= REFERENCE_LENGTH_MAX) return null;
  }
  return invalid('reference', `1 to ${REFERENCE_LENGTH_MAX} characters`);
}
