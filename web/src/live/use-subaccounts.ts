// The subaccounts of whoever is at the page, read again when something happens to one of them.
import type { Subaccount } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { basePath } from '../lane.ts';
import { useClient, useSession } from '../session/use-session.ts';
import { useAccountFrames } from './account-provider.tsx';
import { type AccountFrame, subaccountOf } from './account-view.ts';

export interface Subaccounts {
  /** Null until they were read. */
  readonly list: readonly Subaccount[] | null;
  readonly error: unknown;
  readonly reload: () => Promise<unknown>;
}

const NAME = 'subaccounts';

export function useSubaccounts(): Subaccounts {
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const isHere = session.status === 'signed_in' && !session.isDemo;
  const who = session.status === 'signed_in' ? session.userId : '';
  const { data, error, refetch } = useQuery({
    queryKey: [NAME, basePath, who],
    queryFn: async () => (await client.subaccounts.list()).items,
    enabled: isHere,
  });
  const hear = useCallback(
    (frame: AccountFrame) => {
      if (subaccountOf(frame) === null) return;
      queries.invalidateQueries({ queryKey: [NAME, basePath] }).catch(() => undefined);
    },
    [queries],
  );
  useAccountFrames(hear);
  return { list: data ?? null, error, reload: refetch };
}
