// Names of operators for what tells of them by id; two who acted together are joined by a plus.
import { useAsk } from './use-ask.ts';

export function useNames(): (id: string) => string {
  const { data } = useAsk('listOperators', {});
  const names = new Map(data?.operators.map(({ operator_id: id, name }) => [id, name]));
  return (ids) =>
    ids
      .split('+')
      .map((id) => names.get(id) ?? id)
      .join(' and ');
}
