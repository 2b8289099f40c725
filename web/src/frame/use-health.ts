// Whether the exchange is well.
import type { Health } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../lane.ts';
import { useClient } from '../session/use-session.ts';

const ASK_AGAIN_MS = 60_000;

/** Null until it has said so. */
export function useHealth(): Health | null {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['health', basePath],
    queryFn: () => client.system.health(),
    refetchInterval: ASK_AGAIN_MS,
  });
  return data ?? null;
}
