// Notices of money in and out: every step of a deposit and of a withdrawal, and shares of fees, to whom they belong.
import type { StreamData, WebhookData } from '@sibyl/contract';
import {
  CORRECTION,
  type DepositUpdated,
  type FeesCredited,
  type WithdrawalUpdated,
} from '@sibyl/engine';
import { amountText } from '../wire/amounts.ts';
import { depositMessage, withdrawalMessage } from '../wire/funds.ts';
import { isoTime } from '../wire/times.ts';
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

export function tellRevenue(
  { say, outcome }: Teller<'owner', 'revenue.credited'>,
  { accountId, actor, id, amount }: FeesCredited,
  index: number,
): void {
  const data = (): WebhookData<'revenue.credited'> => ({
    asset: 'USDT',
    amount: amountText(amount),
    role: actor,
    app_id: actor === 'builder' ? id : null,
    day: isoTime(outcome.atMs).slice(0, DAY_LENGTH),
  });
  say('revenue.credited', { accountId, id: accountId, index, data });
}

/** Of a day in the text of a time. */
const DAY_LENGTH = 10;
