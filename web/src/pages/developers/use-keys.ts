// The keys of whoever is at the page, of both lanes.
import type { ApiKey } from '@sibyl/sdk';
import { type List, useList } from '../../live/use-list.ts';
import { useClient } from '../../session/use-session.ts';
import { noteRate } from './rates.ts';

export function useKeys(): List<ApiKey> {
  const client = useClient();
  return useList({
    name: 'keys',
    keyOf: ({ key_id: id }) => id,
    read: (query) => client.keys.list(query, { onAnswer: noteRate }),
  });
}
