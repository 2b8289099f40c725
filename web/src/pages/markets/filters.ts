// What of the list somebody wants to see. The address holds it, so that a link shows the same to others.
import { useNavigate, useRouterState } from '@tanstack/react-router';

export const states = [
  'active',
  'scheduled',
  'locked',
  'settling',
  'resolved',
  'cancelled',
  'all',
] as const;
export const types = ['all', 'normal', 'creator', 'fast'] as const;
export const sorts = ['volume', 'closes_at', 'created_at'] as const;

export interface Filters {
  readonly category: string | null;
  readonly state: (typeof states)[number];
  readonly type: (typeof types)[number];
  readonly sort: (typeof sorts)[number];
  /** Only what somebody watches, in whatever state. */
  readonly isWatched: boolean;
}

export function readFilters(search: string): Filters {
  const asked = new URLSearchParams(search);
  return {
    category: asked.get('category'),
    state: oneOf(states, asked.get('state')),
    type: oneOf(types, asked.get('type')),
    sort: oneOf(sorts, asked.get('sort')),
    isWatched: asked.get('watched') === 'yes',
  };
}

/** What differs from the usual; the address says no more than it must. */
function writeFilters({ category, state, type, sort, isWatched }: Filters) {
  return {
    ...(category !== null && { category }),
    ...(state !== states[0] && { state }),
    ...(type !== types[0] && { type }),
    ...(sort !== sorts[0] && { sort }),
    ...(isWatched && { watched: 'yes' }),
  };
}

/** Whether everything that is open would be shown, in whatever order. */
export function isUsual(filters: Filters): boolean {
  return Object.keys(writeFilters({ ...filters, sort: sorts[0] })).length === 0;
}

export function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const navigate = useNavigate();
  const search = useRouterState({ select: ({ location }) => location.searchStr });
  const filters = readFilters(search);
  const change = (next: Partial<Filters>): void => {
    const search = writeFilters({ ...filters, ...next });
    navigate({ to: '/', search: search as never, replace: true }).catch(() => undefined);
  };
  return [filters, change];
}

function oneOf<const Word extends string>(
  words: readonly [Word, ...Word[]],
  asked: string | null,
): Word {
  return words.find((word) => word === asked) ?? words[0];
}
