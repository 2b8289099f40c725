// The requests that fit the filters, newest first.
import type { Item } from '@sibyl/sdk';
import { type List, useList } from '../../../live/use-list.ts';
import { useClient } from '../../../session/use-session.ts';
import { noteRate } from '../rates.ts';
import { type Filters, queryOf } from './filters.ts';

const PAGE = 50;
const EVERY_MS = 5_000;

export type LoggedRequest = Item<'listRequests'>;

export function useRequests(filters: Filters): List<LoggedRequest> {
  const client = useClient();
  return useList({
    name: 'requests',
    filter: JSON.stringify(filters),
    keyOf: ({ request_id: id }) => id,
    read: (query) =>
      client.requests.list(
        { ...queryOf(filters, Date.now()), ...query, limit: PAGE },
        { onAnswer: noteRate },
      ),
    everyMs: () => EVERY_MS,
  });
}
