// Whether the exchange is well.
import type { Health } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { basePath } from '../lane.ts';
import { useClient } from '../session/use-session.ts';

const ASK_AGAIN_MS = 60_000;

export interface HealthView {
  /** Null until it has said so. */
  readonly health: Health | null;
  /** It was asked, and has never answered. */
  readonly isUnanswered: boolean;
}

export function useHealth(): HealthView {
  const client = useClient();
  const { data, failureCount } = useQuery({
    queryKey: ['health', basePath],
    queryFn: () => client.system.health(),
    refetchInterval: ASK_AGAIN_MS,
  });
  return { health: data ?? null, isUnanswered: data === undefined && failureCount > 0 };
}
