// Deposits and withdrawals as messages tell them.
import type { StreamData } from '@sibyl/contract';
import type { DepositRecord, WithdrawalRecord } from '@sibyl/engine';
import { amountText } from './amounts.ts';

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
