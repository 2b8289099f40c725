// The filters in the address, and the way to change them.
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Filters, filtersOf } from './filters.ts';

export function useFilters(): [Filters, (filters: Filters) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (filters: Filters): void => {
    // The router types the search of each address; these addresses come from a table.
    navigate({ to: '.', search: filters as never, replace: true }).catch(() => undefined);
  };
  return [filtersOf(search), choose];
}
