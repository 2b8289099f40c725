// What a page keeps in its address: the record that is open, and how its list is filtered.
import { useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';

type Filter = Readonly<Record<string, string>>;

export function useAddress() {
  const { record } = useParams({ strict: false }) as { readonly record?: string };
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const navigate = useNavigate();
  const page = path.split('/').slice(0, 3).join('/');
  const go = (to: string, next: Filter): void => {
    navigate({ to, search: next as never, resetScroll: false }).catch(() => undefined);
  };
  const filter: Filter = Object.fromEntries(
    Object.entries(search).map(([name, value]) => [name, String(value)]),
  );
  return {
    record: record ?? null,
    filter,
    open: (id: string | null) =>
      go(id === null ? page : `${page}/${encodeURIComponent(id)}`, filter),
    /** Empty values leave the address; the record closes. */
    narrow: (changes: Filter) => go(page, said({ ...filter, ...changes })),
    /** The record stays open. */
    narrowRecord: (changes: Filter) => go(path, said({ ...filter, ...changes })),
  };
}

function said(filter: Filter): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}
