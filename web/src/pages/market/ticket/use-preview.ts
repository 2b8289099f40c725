// What an order would do, asked of the exchange itself and asked again while somebody looks at it.
import type { OrderInput, PlacedOrder } from '@sibyl/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { basePath } from '../../../lane.ts';
import { useAccount } from '../../../live/account-provider.tsx';
import { useClient, useSession, useWho } from '../../../session/use-session.ts';

/** Somebody who types is not asked for after every key. */
const QUIET_MS = 200;
/** Previews count as orders: this is a tenth of what a session may ask. */
const ASK_AGAIN_MS = 5_000;

export interface Preview {
  /** What the exchange said last about this order; null if nothing. */
  readonly placed: PlacedOrder | null;
  readonly error: unknown;
  /** The figures belong to the order as it was a moment ago. */
  readonly isOld: boolean;
}

export function usePreview(input: OrderInput | null): Preview {
  const client = useClient();
  const session = useSession();
  const who = useWho();
  const account = useAccount();
  // Another balance is another answer: what stays free, and whether it is enough.
  const wanted = input === null ? '' : JSON.stringify({ input, free: account?.free });
  const settled = useQuiet(wanted);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['preview', basePath, who, settled],
    queryFn: ({ signal }) => {
      const asked: { readonly input: OrderInput } = JSON.parse(settled);
      return client.orders.place(asked.input, { dry_run: true }, { signal, retriesMax: 0 });
    },
    enabled: wanted !== '' && settled !== '' && session.status === 'signed_in',
    placeholderData: (before) => before,
    refetchInterval: ASK_AGAIN_MS,
    staleTime: 0,
    gcTime: 0,
  });
  const isOld = settled !== wanted || isPlaceholderData;
  if (wanted === '') return { placed: null, error: null, isOld: false };
  return { placed: error === null ? (data ?? null) : null, error: isOld ? null : error, isOld };
}

/** The value once it has stayed the same for a moment. */
function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}
