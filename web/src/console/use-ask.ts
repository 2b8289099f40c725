// A read of the operator plane for components: asked again by itself while somebody is there, and after every act.
import type { InputOf, OperatorOperations } from '@sibyl/contract/console';
import { useQuery } from '@tanstack/react-query';
import { isIdle } from './activity.ts';
import { call, type OperationId } from './plane.ts';

interface Options {
  /** How often; once if it is left out. */
  readonly everyMs?: number;
  readonly isWanted?: boolean;
}

export function useAsk<Id extends OperationId>(
  id: Id,
  input: InputOf<OperatorOperations[Id]>,
  { everyMs, isWanted = true }: Options = {},
) {
  return useQuery({
    queryKey: [id, input],
    // Whoever goes on before the answer has come leaves nothing behind that is refused later.
    queryFn: ({ signal }) => call(id, input, signal),
    enabled: isWanted,
    refetchInterval: () => (everyMs === undefined || isIdle() ? false : everyMs),
  });
}
