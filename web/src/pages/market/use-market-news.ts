// One market, kept current: its record is read again whenever its stream says that something became of it.
import type { Market } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useStream } from '../../live/use-live.ts';
import { marketQuery } from '../../live/use-market.ts';
import { useClient } from '../../session/use-session.ts';

export interface MarketNews {
  readonly market: Market | null;
  readonly error: unknown;
  readonly retry: () => void;
  /** Why it is halted, where that was said while the page was open. */
  readonly haltReason: string | null;
}

export function useMarketNews(marketId: string): MarketNews {
  const client = useClient();
  const queries = useQueryClient();
  const question = marketQuery(client, marketId);
  const { queryKey } = question;
  const [haltReason, setHaltReason] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({ ...question, staleTime: 0 });
  const change = (fields: Partial<Market>): void => {
    queries.setQueryData(queryKey, (before) => before && { ...before, ...fields });
  };
  const readAgain = (): void => {
    queries.invalidateQueries({ queryKey }).catch(() => undefined);
  };
  useStream(
    data === undefined ? null : `markets_snapshot:${marketId}`,
    (frame) => {
      switch (frame.type) {
        case 'market_halted':
          setHaltReason(frame.data.reason);
          change({ halted: true });
          // An answer that was on its way may be older than this.
          readAgain();
          return;
        case 'market_resumed':
          setHaltReason(null);
          change({ halted: false });
          readAgain();
          return;
        case 'market_status_changed':
          change({ status: frame.data.to });
          readAgain();
          return;
        case 'market_updated':
        case 'resolution_proposed':
        case 'resolution_disputed':
        case 'market_resolved':
          readAgain();
          return;
        default:
      }
    },
    readAgain,
  );
  useStream(data === undefined ? null : `ticker:${marketId}`, (frame) => {
    if (frame.type !== 'open_interest') return;
    const { open_interest, total_volume } = frame.data;
    change({ open_interest, total_volume });
  });
  return { market: data ?? null, error, retry: () => refetch(), haltReason };
}
