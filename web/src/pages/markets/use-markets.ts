// The list of markets as the filters ask for it, page by page; the watched ones each by itself.
import type { Market } from '@sibyl/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { basePath } from '../../lane.ts';
import { useClient } from '../../session/use-session.ts';
import { useWatched } from '../../session/watch-list.ts';
import type { Filters } from './filters.ts';

const PAGE_SIZE = 48;
/** Markets come and go; prices of those that are shown come by their streams. */
const ASK_AGAIN_MS = 60_000;

export interface MarketList {
  /** Null until the exchange has answered. */
  readonly markets: readonly Market[] | null;
  readonly error: unknown;
  readonly retry: () => void;
  /** Null when everything is there. */
  readonly more: (() => void) | null;
  readonly isMoreComing: boolean;
}

export function useMarkets(filters: Filters): MarketList {
  const client = useClient();
  const { category, state, type, sort, isWatched } = filters;
  const query = useInfiniteQuery({
    queryKey: ['markets', basePath, category, state, type, sort],
    queryFn: ({ pageParam, signal }) =>
      client.markets.list(
        {
          limit: PAGE_SIZE,
          history: '1d',
          sort,
          ...(category !== null && { category }),
          ...(state !== 'all' && { state }),
          ...(type !== 'all' && { market_type: type }),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ASK_AGAIN_MS,
    enabled: !isWatched,
  });
  const watched = useWatchedMarkets(isWatched);
  if (isWatched) {
    return {
      markets: watched.data ?? null,
      error: watched.error,
      retry: () => watched.refetch(),
      more: null,
      isMoreComing: false,
    };
  }
  return {
    markets: query.data?.pages.flatMap(({ items }) => items) ?? null,
    error: query.error,
    retry: () => query.refetch(),
    more: query.hasNextPage ? () => query.fetchNextPage() : null,
    isMoreComing: query.isFetchingNextPage,
  };
}

function useWatchedMarkets(isWatched: boolean) {
  const client = useClient();
  const ids = useWatched();
  return useQuery({
    queryKey: ['watched-markets', basePath, ids],
    queryFn: async () => {
      const found = await Promise.allSettled(ids.map((id) => client.markets.get(id)));
      // One that is gone is no reason to hide the others.
      return found.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    },
    enabled: isWatched,
    placeholderData: (before) => before,
  });
}
