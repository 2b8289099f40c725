// The list of destinations, as the exchange has it.
import type { Destination } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWho } from '../../session/use-session.ts';

export interface KnownDestinations {
  /** Null until they were read. */
  readonly list: readonly Destination[] | null;
  /** How long a new one is not usable. */
  readonly delayMs: number;
  /** The least that can be withdrawn; null until it was read. */
  readonly least: string | null;
  /** Whether people pay withdrawals out, rather than a service. */
  readonly isPaidByHand: boolean;
  readonly error: unknown;
  readonly reload: () => Promise<unknown>;
}

/** How soon it is asked whether one that waits has become usable. */
const ASK_AGAIN_MS = 30_000;

export function useDestinations(): KnownDestinations {
  const client = useClient();
  const who = useWho();
  const { data, error, refetch } = useQuery({
    queryKey: ['destinations', who],
    queryFn: () => client.destinations.list(),
    refetchInterval: ({ state }) => {
      const waits = state.data?.destinations.some(({ is_usable: isUsable }) => !isUsable);
      return waits === true && ASK_AGAIN_MS;
    },
  });
  return {
    list: data?.destinations ?? null,
    delayMs: data?.delay_ms ?? 0,
    least: data?.min_withdrawal ?? null,
    isPaidByHand: data?.paid_by_hand ?? false,
    error,
    reload: refetch,
  };
}
