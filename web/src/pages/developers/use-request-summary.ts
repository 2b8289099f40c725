// The numbers of one's own requests in this lane.
import type { Answer } from '@sibyl/sdk';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { basePath, lane } from '../../lane.ts';
import { useClient, useSession, useWho } from '../../session/use-session.ts';
import { noteRate } from './rates.ts';

/** As often as the list of requests, which stands beside it. */
const EVERY_MS = 5_000;

export function useRequestSummary(): UseQueryResult<Answer<'getRequestSummary'>> {
  const client = useClient();
  const who = useWho();
  const session = useSession();
  return useQuery({
    queryKey: ['request-summary', basePath, who],
    queryFn: () => client.requests.summary({ environment: lane }, { onAnswer: noteRate }),
    enabled: session.status === 'signed_in',
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
}
