// A list of the operator plane, read page by page.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';
import { operatorOperations } from '@sibyl/contract/console';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AnyInput, type OperationId, send } from './plane.ts';

const PAGE_ROWS = 50;

type RowOf<Id extends OperationId> =
  OutputOf<OperatorOperations[Id]> extends readonly (infer Row)[] ? Row : never;

export function usePages<Id extends OperationId>(id: Id, { params, query }: AnyInput) {
  const found = useInfiniteQuery({
    queryKey: [id, { params, query }],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam: cursor }) => {
      const page = { ...query, limit: PAGE_ROWS, ...(cursor !== null && { cursor }) };
      const { data, nextCursor } = await send(operatorOperations[id], {
        ...(params !== undefined && { params }),
        query: page,
      });
      // The exchange answers as the contract says, and its tests compare the two.
      return { rows: data as readonly RowOf<Id>[], nextCursor };
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  return { ...found, rows: found.data?.pages.flatMap(({ rows }) => rows) };
}
