// What a withdrawal or a deposit waits for, or came to, in words.
import type { Deposit, Withdrawal } from '@sibyl/sdk';
import { useCallback } from 'react';
import { dateTime } from '../../format/times.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';

/** `isPaidByHand` says whether people pay withdrawals out, rather than a service. */
export function useStateWords(isPaidByHand: boolean): (withdrawal: Withdrawal) => string {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  return useCallback(
    ({ state, reason, needs_approval: waitsForOperator, held_until_at_ms: untilMs }) => {
      switch (state) {
        case 'requested':
          return t(isPaidByHand ? 'requestedByHand' : 'requested');
        case 'held': {
          if (waitsForOperator) return t('heldForApproval');
          const until = untilMs === null ? '' : dateTime(locale, untilMs);
          if (until === '') return t('held');
          return t(reason === 'credentials_changed' ? 'heldForChange' : 'heldUntil', { until });
        }
        case 'sent':
          return t(isPaidByHand ? 'sentByHand' : 'sent');
        case 'completed':
          return t('completed');
        case 'failed':
          if (reason === 'cancelled' || reason === 'rejected') return t(reason);
          return t('failed', { reason: reason ?? '' });
        default:
          // A later exchange may have states that this page has no words for.
          return state;
      }
    },
    [t, locale, isPaidByHand],
  );
}

export function useDepositWords(): (deposit: Deposit) => string {
  const t = useTexts(moneyTexts);
  return useCallback(
    ({ state, confirmations, reason }) => {
      switch (state) {
        case 'pending':
          return t('depositPending', { count: confirmations });
        case 'confirmed':
          return t('depositConfirmed');
        case 'failed':
          return t('depositFailed', { reason: reason ?? '' });
        default:
          return state;
      }
    },
    [t],
  );
}

/** Until it was sent it can be taken back. */
export function isCancellable({ state }: Withdrawal): boolean {
  return state === 'requested' || state === 'held';
}
