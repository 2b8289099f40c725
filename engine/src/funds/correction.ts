// What was booked wrongly is put right: a record like a deposit, which may also take.

import { checkFree } from '../account/money.ts';
import { depositIdOf } from '../kit/identity.ts';
import { actingAccount, isOperator, isRejection, unknownAccount } from '../state/authority.ts';
import type { Actor, CorrectBalance } from '../state/command.ts';
import type { Answer } from '../state/outcome.ts';
import { invalid, type Rejection, reject } from '../state/reject.ts';
import { accept, refuse, type Turn } from '../state/turn.ts';
import { CORRECTION, checkAmount, checkReference } from './checks.ts';
import { checkOutside } from './deposit.ts';
import type { DepositRecord } from './funds.ts';

/** Once for each reference, at whatever age it is asked for again. */
export function correctBalance(turn: Turn, actor: Actor, command: CorrectBalance): Answer {
  const { state } = turn;
  const { accountId, amount, reference } = command;
  const fault = checkChange(amount) ?? checkReference(reference) ?? checkOutside(state, amount);
  if (fault !== null) return refuse(fault);
  if (!isOperator(actor)) return refuse(unknownAccount(accountId));
  const account = actingAccount(state, actor, accountId);
  if (isRejection(account)) return refuse(account);
  const known = state.funds.depositBy(CORRECTION, reference);
  if (known !== undefined) {
    const isSame = known.accountId === accountId && known.amount === amount;
    const details = { field: 'reference', deposit_id: known.depositId };
    if (!isSame) return refuse(reject('ALREADY_EXISTS', details));
    return accept({ kind: 'deposit', deposit: known });
  }
  const lacking = amount < 0n ? checkFree(state, account, -amount) : null;
  if (lacking !== null) return refuse(lacking);
  const record: DepositRecord = {
    depositId: depositIdOf(state.seq),
    accountId,
    custody: CORRECTION,
    reference,
    amount,
    state: 'confirmed',
    confirmations: 0,
    reason: null,
    createdAtMs: state.nowMs,
    updatedAtMs: state.nowMs,
  };
  state.funds.putDeposit(record);
  turn.events.push({ type: 'deposit_updated', accountId, deposit: record });
  state.ledger.post(state.contra, -amount);
  state.ledger.post(account.free, amount);
  account.netDeposits += amount;
  state.ledger.commit(turn.events, 'correction', reference);
  return accept({ kind: 'deposit', deposit: record });
}

function checkChange(amount: unknown): Rejection | null {
  if (typeof amount !== 'bigint') return invalid('amount', 'an amount that is not zero');
  const fault = checkAmount(amount < 0n ? -amount : amount);
  return fault === null ? null : invalid('amount', 'an amount that is not zero');
}
