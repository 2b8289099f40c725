// Notices of money in and out: every step of a deposit and of a withdrawal, to whom it belongs.
import type { StreamData } from '@sibyl/contract';
import { CORRECTION, type DepositUpdated, type WithdrawalUpdated } from '@sibyl/engine';
import { depositMessage, withdrawalMessage } from '../wire/funds.ts';
import type { Teller } from './teller.ts';

export function tellDeposit(
  { say }: Teller<'owner', 'deposit' | 'deposit.confirmed' | 'deposit.failed'>,
  { accountId, deposit }: DepositUpdated,
  index: number,
): void {
  // Nothing came in: its owner hears of it by the balance.
  if (deposit.custody === CORRECTION) return;
  const { state } = deposit;
  const data = (): StreamData<'deposit'> => depositMessage(deposit);
  if (state === 'pending') say('deposit', { accountId, index, data });
  else say(`deposit.${state}`, { accountId, id: accountId, index, data });
}

export function tellWithdrawal(
  { say }: Teller<'owner', 'withdrawal_updated' | 'withdrawal.completed' | 'withdrawal.failed'>,
  { accountId, withdrawal }: WithdrawalUpdated,
  index: number,
): void {
  const { state } = withdrawal;
  const data = (): StreamData<'withdrawal_updated'> => withdrawalMessage(withdrawal);
  if (state === 'completed' || state === 'failed') {
    say(`withdrawal.${state}`, { accountId, id: accountId, index, data });
  } else {
    say('withdrawal_updated', { accountId, index, data });
  }
}
