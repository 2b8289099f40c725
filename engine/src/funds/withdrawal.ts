// Money that goes out, in two phases: reserved when asked for, then paid out by a custody or given back.

import { checkFree, frozen } from '../account/money.ts';
import { assertNever, present } from '../kit/assert.ts';
import { type WithdrawalId, withdrawalIdOf } from '../kit/identity.ts';
import { moneyName } from '../ledger/chart.ts';
import { type AccountIndex, NO_ACCOUNT } from '../ledger/ledger.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isOperator, isRejection } from '../state/authority.ts';
import type { Actor, AdvanceWithdrawal, CancelWithdrawal, Withdraw } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { checkAmount, checkCustody, checkReason, checkReference, checkText } from './checks.ts';
import type { WithdrawalRecord } from './funds.ts';

const DESTINATION_LENGTH_MAX = 256;

export function withdraw(turn: Turn, actor: Actor, command: Withdraw): Answer {
  const { state } = turn;
  const { amount, custody, destination, hold } = command;
  const fault =
    checkAmount(amount) ??
    checkCustody(custody) ??
    checkText('destination', destination, DESTINATION_LENGTH_MAX) ??
    checkHold(hold);
  if (fault !== null) return refuse(fault);
  if (state.lane !== 'live') return refuse(reject('PROD_ONLY'));
  const account = actingAccount(state, actor, command.accountId);
  if (isRejection(account)) return refuse(account);
  if (account.frozen) return refuse(frozen(account));
  const lacking = checkFree(state, account, amount);
  if (lacking !== null) return refuse(lacking);
  return enter(turn, {
    withdrawalId: withdrawalIdOf(state.seq),
    accountId: account.id,
    custody,
    destination,
    amount,
    state: hold === null ? 'requested' : 'held',
    reason: hold?.reason ?? null,
    needsApproval: hold?.approval ?? false,
    heldUntilMs: hold?.untilMs ?? null,
    reference: null,
    createdAtMs: state.nowMs,
    updatedAtMs: state.nowMs,
  });
}

/** Given up by its owner or refused by an operator, as long as no custody can have heard of it. */
export function cancelWithdrawal(turn: Turn, actor: Actor, command: CancelWithdrawal): Answer {
  const { state } = turn;
  const { withdrawalId, accountId, reason } = command;
  const fault = checkReason(reason);
  if (fault !== null) return refuse(fault);
  const account = actingAccount(state, actor, accountId);
  const known = state.funds.withdrawal(withdrawalId);
  if (isRejection(account) || known === undefined || known.accountId !== account.id) {
    return refuse(unknown(withdrawalId));
  }
  if (known.state === 'failed') return accept({ kind: 'withdrawal', withdrawal: known });
  if (known.state !== 'requested' && known.state !== 'held') return refuse(conflict(known));
  return enter(turn, { ...known, state: 'failed', reason, updatedAtMs: state.nowMs });
}

/** One step further. Each may be told again at any age: what has happened already changes nothing. */
export function advanceWithdrawal(turn: Turn, actor: Actor, command: AdvanceWithdrawal): Answer {
  const { state } = turn;
  const fault = checkStep(command);
  if (fault !== null) return refuse(fault);
  const known = state.funds.withdrawal(command.withdrawalId);
  if (known === undefined || !isOperator(actor)) return refuse(unknown(command.withdrawalId));
  const next = stepped(state, known, command);
  if (isRejection(next)) return refuse(next);
  if (next === known) return accept({ kind: 'withdrawal', withdrawal: known });
  return enter(turn, { ...next, updatedAtMs: state.nowMs });
}

/** The withdrawal after the step; the same object when it had been taken before. */
function stepped(
  state: State,
  known: WithdrawalRecord,
  { step, reference, reason }: AdvanceWithdrawal,
): WithdrawalRecord | Rejection {
  switch (step) {
    case 'approve':
      if (known.state === 'failed') return conflict(known);
      return known.state === 'held' && known.needsApproval ? approved(state, known) : known;
    case 'send':
      if (known.state === 'sent' || known.state === 'completed') return known;
      return isReady(state, known) ? sent(state, known) : conflict(known);
    case 'complete':
      if (known.state === 'completed') return known;
      return known.state === 'sent' ? { ...known, state: 'completed', reference } : conflict(known);
    case 'fail':
      if (known.state === 'failed') return known;
      return known.state === 'sent' ? { ...known, state: 'failed', reason } : conflict(known);
    default:
      return assertNever(step);
  }
}

function approved(state: State, known: WithdrawalRecord): WithdrawalRecord {
  const isOver = isPast(state, known);
  return {
    ...known,
    needsApproval: false,
    state: isOver ? 'requested' : 'held',
    reason: isOver ? null : known.reason,
  };
}

/** From here on only the custody knows whether it is paid. */
function sent(state: State, known: WithdrawalRecord): WithdrawalRecord | Rejection {
  const account = accountOf(state, known);
  return account.frozen ? frozen(account) : { ...known, state: 'sent', reason: null };
}

function isReady(state: State, known: WithdrawalRecord): boolean {
  if (known.state === 'requested') return true;
  return known.state === 'held' && !known.needsApproval && isPast(state, known);
}

function isPast({ nowMs }: State, { heldUntilMs }: WithdrawalRecord): boolean {
  return heldUntilMs === null || nowMs >= heldUntilMs;
}

/** Notes where a withdrawal is now, and moves its money if that is elsewhere than before. */
function enter(turn: Turn, record: WithdrawalRecord): Answer {
  const { state, events } = turn;
  const isNew = state.funds.withdrawal(record.withdrawalId) === undefined;
  const account = accountOf(state, record);
  state.funds.putWithdrawal(record);
  events.push({ type: 'withdrawal_updated', accountId: account.id, withdrawal: record });
  const { amount, withdrawalId } = record;
  if (isNew) {
    state.ledger.post(account.free, -amount);
    state.ledger.post(withdrawingAccount(state, account), amount);
  } else if (record.state === 'completed') {
    state.ledger.post(account.withdrawing, -amount);
    state.ledger.post(state.contra, amount);
    account.netDeposits -= amount;
  } else if (record.state === 'failed') {
    state.ledger.post(account.withdrawing, -amount);
    state.ledger.post(account.free, amount);
  }
  state.ledger.commit(events, 'withdrawal', withdrawalId);
  return accept({ kind: 'withdrawal', withdrawal: record });
}

/** Most accounts never withdraw, so theirs is opened with the first. */
export function withdrawingAccount(state: State, account: Account): AccountIndex {
  if (account.withdrawing === NO_ACCOUNT) {
    account.withdrawing = state.ledger.openUsdt(moneyName(account.id, 'withdrawals'));
  }
  return account.withdrawing;
}

function accountOf(state: State, { accountId, withdrawalId }: WithdrawalRecord): Account {
  return present(state.accounts.get(accountId), `account of ${withdrawalId}`);
}

function unknown(withdrawalId: WithdrawalId): Rejection {
  return reject('NOT_FOUND', { withdrawal_id: String(withdrawalId) });
}

function conflict({ withdrawalId, state }: WithdrawalRecord): Rejection {
  return reject('STATE_CONFLICT', { withdrawal_id: withdrawalId, state });
}

function checkHold(hold: Withdraw['hold'] | undefined): Rejection | null {
  if (hold === null) return null;
  const isHold =
    typeof hold === 'object' &&
    typeof hold.approval === 'boolean' &&
    (hold.untilMs === null || (Number.isSafeInteger(hold.untilMs) && hold.untilMs >= 0)) &&
    (hold.approval || hold.untilMs !== null);
  return isHold
    ? checkReason(hold.reason)
    : invalid('hold', 'null, or an approval or a time that is waited for');
}

function checkStep({ step, reference, reason }: AdvanceWithdrawal): Rejection | null {
  if (!['approve', 'send', 'complete', 'fail'].includes(step)) {
    return invalid('step', 'approve, send, complete or fail');
  }
  const fault = step === 'complete' ? checkReference(reference) : checkNull('reference', reference);
  if (fault !== null) return fault;
  return step === 'fail' ? checkReason(reason) : checkNull('reason', reason);
}

function checkNull(field: string, value: unknown): Rejection | null {
  return value === null ? null : invalid(field, 'null for this step');
}
