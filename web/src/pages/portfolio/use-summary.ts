// What the portfolio comes to, as the exchange reckons it.
import type { Answer, Query } from '@sibyl/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { basePath } from '../../lane.ts';
import { useClient, useSession, useWho } from '../../session/use-session.ts';

export const ranges = ['1d', '1w', '1m', 'all'] as const;
export type Range = (typeof ranges)[number];
export type Summary = Answer<'getPortfolioSummary'>;

/** Prices move also when nothing happens to the account. */
const ASK_AGAIN_MS = 30_000;

export function useSummary(range: Range) {
  const client = useClient();
  const session = useSession();
  const who = useWho();
  const query: Query<'getPortfolioSummary'> = { range };
  const { data, error, refetch } = useQuery({
    queryKey: ['summary', basePath, who, range],
    queryFn: () => client.portfolio.summary(query),
    enabled: session.status === 'signed_in',
    refetchInterval: ASK_AGAIN_MS,
    // The figures of another range are the same but for the line: no reason to blank them.
    placeholderData: keepPreviousData,
  });
  return {
    summary: data ?? null,
    error,
    retry: () => {
      refetch().catch(() => undefined);
    },
  };
}
