// Money that comes in: reported by a custody step by step, or credited at once by an operator.

import { checkDeposit, checkExcluded, noteDeposit } from '../compliance/own-limits.ts';
import { depositIdOf } from '../kit/identity.ts';
import { BALANCE_MAX } from '../ledger/ledger.ts';
import type { Account } from '../state/account.ts';
import { actingAccount, isOperator, isRejection } from '../state/authority.ts';
import type { Actor, Deposit, ReportDeposit } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import type { State } from '../state/state.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { checkAmount, checkCustody, checkReason, checkReference } from './checks.ts';
import type { DepositRecord } from './funds.ts';

/** The custody of deposits that an operator credits by hand. */
export const OPERATOR_CUSTODY = 'operator';

/** What a deposit is reported to be now. */
type Report = Omit<ReportDeposit, 'type'>;

/** A deposit that is confirmed as soon as it is known. */
export function deposit(turn: Turn, actor: Actor, command: Deposit): Answer {
  const { accountId, amount, reference } = command;
  const report: Report = {
    accountId,
    amount,
    reference,
    custody: OPERATOR_CUSTODY,
    state: 'confirmed',
    confirmations: 0,
    reason: null,
  };
  const fault = checkAmount(amount) ?? checkReference(reference);
  return fault === null ? take(turn, actor, report) : refuse(fault);
}

/** Every report may come again, late and out of order: what is known already changes nothing. */
export function reportDeposit(turn: Turn, actor: Actor, command: ReportDeposit): Answer {
  const { type: _type, ...report } = command;
  const fault =
    checkAmount(report.amount) ??
    checkReference(report.reference) ??
    checkCustody(report.custody) ??
    checkProgress(report);
  if (fault !== null) return refuse(fault);
  if (turn.state.lane !== 'live') return refuse(reject('PROD_ONLY'));
  return take(turn, actor, report);
}

function take(turn: Turn, actor: Actor, report: Report): Answer {
  const { state } = turn;
  const { accountId, amount, custody, reference } = report;
  const unbearable = checkOutside(state, amount);
  if (unbearable !== null) return refuse(unbearable);
  if (!isOperator(actor)) return refuse(reject('NOT_FOUND', { account_id: String(accountId) }));
  const account = actingAccount(state, actor, accountId);
  if (isRejection(account)) return refuse(account);
  const known = state.funds.depositBy(custody, reference);
  const isCredit =
    report.state === 'confirmed' && (known === undefined || known.state === 'pending');
  const unwanted = isCredit ? checkExcluded(state, account) : null;
  if (unwanted !== null) return refuse(unwanted);
  const next = known === undefined ? begun(state, report) : advanced(state, known, report);
  if (isRejection(next)) return refuse(next);
  const above = isCredit ? checkDeposit(state, account, amount) : null;
  if (above !== null) return refuse(above);
  if (next !== known) enter(turn, account, next);
  return accept({ kind: 'deposit', deposit: next });
}

/** What came in altogether has its bounds. */
export function checkOutside({ ledger, contra }: State, amount: bigint): Rejection | null {
  if (ledger.balance(contra) - amount > -BALANCE_MAX) return null;
  return invalid('amount', 'less than the ledger can hold');
}

function begun(state: State, report: Report): DepositRecord {
  const { accountId, custody, reference, amount, state: reached, confirmations, reason } = report;
  return {
    depositId: depositIdOf(state.seq),
    accountId,
    custody,
    reference,
    amount,
    state: reached,
    confirmations,
    reason,
    createdAtMs: state.nowMs,
    updatedAtMs: state.nowMs,
  };
}

/** The deposit after a report; the same object when the report says nothing new. */
function advanced(state: State, known: DepositRecord, report: Report): DepositRecord | Rejection {
  if (known.accountId !== report.accountId || known.amount !== report.amount) {
    return reject('ALREADY_EXISTS', { field: 'reference', deposit_id: known.depositId });
  }
  if (known.state !== 'pending') {
    const isOld = report.state === 'pending' || report.state === known.state;
    return isOld
      ? known
      : reject('STATE_CONFLICT', { deposit_id: known.depositId, state: known.state });
  }
  const { state: reached, reason } = report;
  if (reached === 'pending' && report.confirmations <= known.confirmations) return known;
  const isMore = report.confirmations > known.confirmations;
  const confirmations = isMore ? report.confirmations : known.confirmations;
  return { ...known, state: reached, confirmations, reason, updatedAtMs: state.nowMs };
}

function enter(turn: Turn, account: Account, record: DepositRecord): void {
  const { state, events } = turn;
  state.funds.putDeposit(record);
  events.push({ type: 'deposit_updated', accountId: account.id, deposit: record });
  if (record.state !== 'confirmed') return;
  state.ledger.post(state.contra, -record.amount);
  state.ledger.post(account.free, record.amount);
  account.netDeposits += record.amount;
  noteDeposit(account, record.amount);
  state.ledger.commit(events, 'deposit', record.reference);
}

function checkProgress({ state, confirmations, reason }: Report): Rejection | null {
  if (!['pending', 'confirmed', 'failed'].includes(state)) {
    return invalid('state', 'pending, confirmed or failed');
  }
  if (!Number.isSafeInteger(confirmations) || confirmations < 0) {
    return invalid('confirmations', 'a whole number from 0');
  }
  if (state === 'failed') return checkReason(reason);
  return reason === null ? null : invalid('reason', 'null unless the deposit failed');
}
