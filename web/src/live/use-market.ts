// A market by its id, for lists that know ids only: read once, and kept for all of them.
import type { Market, SibylClient } from '@sibyl/sdk';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { basePath } from '../lane.ts';
import { useClient } from '../session/use-session.ts';

/** Titles do not change; states that do are asked for again where it matters. */
const KEPT_MS = 60_000;

export function useMarket(marketId: string | null): Market | null {
  const client = useClient();
  const { data } = useQuery({ ...marketQuery(client, marketId ?? ''), enabled: marketId !== null });
  return data ?? null;
}

/** The same, for whoever needs many one after another. */
export function knownMarket(
  queries: QueryClient,
  client: SibylClient,
  marketId: string,
): Promise<Market> {
  return queries.fetchQuery(marketQuery(client, marketId));
}

/** The question itself, for whoever asks several at once. */
export function marketQuery(client: SibylClient, marketId: string) {
  return queryOptions({
    queryKey: ['market', basePath, marketId],
    queryFn: () => client.markets.get(marketId),
    staleTime: KEPT_MS,
  });
}
