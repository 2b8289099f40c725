// Reads the lists again when the account stream tells of something that stands in them.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { basePath } from '../../lane.ts';
import { useAccountFrames } from '../../live/account-provider.tsx';
import type { AccountFrame } from '../../live/account-view.ts';

/** A busy account is read at most so often. */
const PAUSE_MS = 1_000;

export function useFreshLists(): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const names = useRef(new Set<string>());
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  const hear = useCallback(
    (frame: AccountFrame) => {
      for (const name of listsOf(frame)) names.current.add(name);
      if (names.current.size === 0 || timer.current !== null) return;
      timer.current = setTimeout(() => {
        timer.current = null;
        for (const name of names.current) {
          queries.invalidateQueries({ queryKey: [name, basePath] }).catch(() => undefined);
        }
        names.current.clear();
      }, PAUSE_MS);
    },
    [queries],
  );
  useAccountFrames(hear);
}

function listsOf(frame: AccountFrame): readonly string[] {
  switch (frame.type) {
    case 'order_updated':
      return frame.data.last_fill === null ? [] : ['fills'];
    case 'balance_updated':
      return ['statement', 'summary'];
    case 'position_updated':
      return ['statement', 'summary'];
    case 'position_settled':
      return ['statement', 'summary', 'payouts', 'market-money', 'market'];
    case 'account':
      return ['fills', 'statement', 'summary', 'payouts'];
    default:
      return [];
  }
}
