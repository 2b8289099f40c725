// A long list that grows at both ends: what is new is put in front, and older pages follow when they are wanted.
import type { Page } from '@sibyl/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { basePath } from '../lane.ts';
import { useSession, useWho } from '../session/use-session.ts';

const PAGE_ROWS = 100;

type Part<Row> = Pick<Page<Row>, 'items' | 'nextCursor'>;

interface Kept<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | null;
}

export interface List<Row> {
  /** Null until the first page is here. */
  readonly rows: readonly Row[] | null;
  readonly error: unknown;
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  readonly more: () => void;
  /** Reads the newest rows, also after a fault. */
  readonly reload: () => Promise<unknown>;
}

interface Source<Row> {
  /** Begins the key of the query; whoever invalidates it gets the newest rows in front. */
  readonly name: string;
  readonly filter?: string;
  readonly keyOf: (row: Row) => string;
  readonly read: (query: {
    readonly limit: number;
    readonly cursor?: string;
  }) => PromiseLike<Part<Row>>;
  /** How many rows to read at once. */
  readonly pageRows?: number;
  readonly isEnabled?: boolean;
  /** How soon to read again, with what was read last; else only when somebody invalidates it. */
  readonly everyMs?: (rows: readonly Row[]) => number;
}

export function useList<Row>(source: Source<Row>): List<Row> {
  const {
    name,
    filter = '',
    keyOf,
    read,
    pageRows = PAGE_ROWS,
    isEnabled = true,
    everyMs,
  } = source;
  const queries = useQueryClient();
  const who = useWho();
  const session = useSession();
  const queryKey = [name, basePath, who, filter];
  const [fault, setFault] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey,
    // These lists are somebody's own: nobody asks for them before it is known who is here.
    enabled: isEnabled && session.status === 'signed_in',
    queryFn: async () => {
      const page = await read({ limit: pageRows });
      return joined(page, queries.getQueryData<Kept<Row>>(queryKey), keyOf);
    },
    // What another filter found stays until this one has found something, so that nothing jumps.
    placeholderData: (before, query) => (query?.queryKey[2] === who ? before : undefined),
    refetchInterval: ({ state }) => everyMs?.(state.data?.rows ?? []) ?? false,
  });
  const more = async (): Promise<void> => {
    const cursor = isPlaceholderData ? null : data?.nextCursor;
    if (cursor === undefined || cursor === null || isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      const page = await read({ limit: pageRows, cursor });
      queries.setQueryData<Kept<Row>>(queryKey, (kept) => ({
        rows: [...(kept?.rows ?? []), ...page.items],
        nextCursor: page.nextCursor,
      }));
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  return {
    rows: data?.rows ?? null,
    error: error ?? fault,
    hasMore: !isPlaceholderData && data !== undefined && data.nextCursor !== null,
    isBusy,
    more: () => {
      more().catch(() => undefined);
    },
    reload: () => {
      setFault(null);
      return refetch();
    },
  };
}

/** The newest page before what is known of it; alone where it is all, or more happened in between than a page holds. */
function joined<Row>(
  page: Part<Row>,
  kept: Kept<Row> | undefined,
  keyOf: (row: Row) => string,
): Kept<Row> {
  const oldest = page.nextCursor === null ? undefined : page.items.at(-1);
  const at =
    kept === undefined || oldest === undefined
      ? -1
      : kept.rows.findIndex((row) => keyOf(row) === keyOf(oldest));
  if (kept === undefined || at < 0) return { rows: page.items, nextCursor: page.nextCursor };
  return { rows: [...page.items, ...kept.rows.slice(at + 1)], nextCursor: kept.nextCursor };
}
