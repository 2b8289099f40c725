// Deposits and withdrawals as messages and answers tell them.
import type { Deposit, ReportedDeposit, StreamData, Withdrawal } from '@sibyl/contract';
import type { DepositRecord, WithdrawalRecord } from '@sibyl/engine';
import { amountText } from './amounts.ts';
import { isoTime, isoTimeOrNull } from './times.ts';

export function depositMessage(record: DepositRecord): StreamData<'deposit'> {
  const { depositId, amount, state, confirmations, reference } = record;
  return {
    deposit_id: depositId,
    asset: 'USDT',
    amount: amountText(amount),
    state,
    confirmations,
    tx_ref: reference,
  };
}

export function depositView(record: DepositRecord): Deposit {
  const { account_id: accountId, ...view } = reportedDepositView(record);
  return { ...view, subaccount_id: accountId.startsWith('sub_') ? accountId : null };
}

export function reportedDepositView(record: DepositRecord): ReportedDeposit {
  const { accountId, reason, reference, createdAtMs, updatedAtMs } = record;
  return {
    ...depositMessage(record),
    asset: 'USDT',
    tx_ref: reference,
    account_id: accountId,
    reason,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    updated_at: isoTime(updatedAtMs),
    updated_at_ms: updatedAtMs,
  };
}

export function withdrawalMessage(record: WithdrawalRecord): StreamData<'withdrawal_updated'> {
  const { withdrawalId, amount, state, reason } = record;
  return {
    withdrawal_id: withdrawalId,
    asset: 'USDT',
    amount: amountText(amount),
    state,
    reason,
  };
}

/**
 * As it stands while withdrawals of its owner are held until then: one that the lane would let go waits as well. The same
 * record where nothing is held any more, or not as long.
 */
export function whileHeld(record: WithdrawalRecord, untilMs: number | null): WithdrawalRecord {
  const { state, reason, heldUntilMs } = record;
  if (untilMs === null || (state !== 'requested' && state !== 'held')) return record;
  if (heldUntilMs !== null && heldUntilMs >= untilMs) return record;
  return {
    ...record,
    state: 'held',
    reason: reason ?? 'credentials_changed',
    heldUntilMs: untilMs,
  };
}

export function withdrawalView(record: WithdrawalRecord): Withdrawal {
  const { accountId, heldUntilMs, createdAtMs, updatedAtMs } = record;
  return {
    ...withdrawalMessage(record),
    asset: 'USDT',
    subaccount_id: accountId.startsWith('sub_') ? accountId : null,
    destination: record.destination,
    needs_approval: record.needsApproval,
    held_until_at: isoTimeOrNull(heldUntilMs),
    held_until_at_ms: heldUntilMs,
    reference: record.reference,
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    updated_at: isoTime(updatedAtMs),
    updated_at_ms: updatedAtMs,
  };
}
