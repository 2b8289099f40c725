// Reads what the page shows again when the exchange tells of money that comes or goes.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { basePath } from '../../lane.ts';
import { useAccountFrames } from '../../live/account-provider.tsx';
import type { AccountFrame } from '../../live/account-view.ts';
import { useStream } from '../../live/use-live.ts';

export const queryNames = {
  balance: 'money-balance',
  deposits: 'money-deposits',
  withdrawals: 'money-withdrawals',
} as const;

export function useMoneyNews(): void {
  const queries = useQueryClient();
  const readAgain = useCallback(
    (...names: readonly string[]) => {
      for (const name of names) {
        queries.invalidateQueries({ queryKey: [name, basePath] }).catch(() => undefined);
      }
    },
    [queries],
  );
  useStream(
    'deposit',
    ({ type }) => {
      readAgain(queryNames.balance);
      readAgain(type === 'deposit' ? queryNames.deposits : queryNames.withdrawals);
    },
    () => readAgain(...Object.values(queryNames)),
  );
  const hear = useCallback(
    (frame: AccountFrame) => {
      if (frame.type === 'balance_updated') readAgain(queryNames.balance);
    },
    [readAgain],
  );
  useAccountFrames(hear);
}
