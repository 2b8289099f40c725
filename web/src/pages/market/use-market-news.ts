// One market, kept current: its record is read again whenever its stream says that something became of it, or knows more than it.
import type { FrameOn, Market } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { basePath } from '../../lane.ts';
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

/** What no stream tells, such as a word on how it is decided that came while the page loaded, is a minute late at most. */
const ASK_AGAIN_MS = 60_000;

type Snapshot = Extract<FrameOn<'markets_snapshot'>, { type: 'markets_snapshot' }>['data'];

export function useMarketNews(marketId: string): MarketNews {
  const client = useClient();
  const queries = useQueryClient();
  const question = marketQuery(client, marketId);
  const { queryKey } = question;
  const [haltReason, setHaltReason] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    ...question,
    staleTime: 0,
    refetchInterval: ASK_AGAIN_MS,
  });
  const change = (fields: Partial<Market>): void => {
    queries.setQueryData(queryKey, (before) => before && { ...before, ...fields });
  };
  const readAgain = (): void => {
    queries.invalidateQueries({ queryKey }).catch(() => undefined);
  };
  /** Figures of the stream count from its snapshot on: what was read before must have been whole until then. */
  const isWhole = useRef(false);
  const compare = ({ markets }: Snapshot): void => {
    isWhole.current = true;
    const row = markets.find(({ market_id: id }) => id === marketId);
    if (data === undefined || row === undefined) return;
    const { status, halted, open_interest, total_volume } = row;
    if (status !== data.status || halted !== data.halted) readAgain();
    if (total_volume === data.total_volume) return;
    change({ open_interest, total_volume });
    // Something was traded between the reads and the stream.
    for (const name of ['tape', 'bars']) {
      const traded = [name, basePath, marketId];
      queries.invalidateQueries({ queryKey: traded }).catch(() => undefined);
    }
  };
  useStream(
    data === undefined ? null : `markets_snapshot:${marketId}`,
    (frame) => {
      switch (frame.type) {
        case 'markets_snapshot':
          compare(frame.data);
          return;
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
    (isAfterGap) => {
      if (isAfterGap) readAgain();
    },
  );
  useStream(data === undefined ? null : `ticker:${marketId}`, (frame) => {
    if (frame.type !== 'open_interest' || !isWhole.current) return;
    const { open_interest, total_volume } = frame.data;
    change({ open_interest, total_volume });
  });
  return { market: data ?? null, error, retry: () => refetch(), haltReason };
}
