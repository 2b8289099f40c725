// The apps of whoever is at the page.
import type { Item } from '@sibyl/sdk';
import { type List, useList } from '../../live/use-list.ts';
import { useClient, useSession } from '../../session/use-session.ts';
import { noteRate } from './rates.ts';

export type App = Item<'listApps'>;

const EVERY_MS = 15_000;

export function useApps(): List<App> {
  const client = useClient();
  const session = useSession();
  return useList({
    name: 'apps',
    keyOf: ({ app_id: id }) => id,
    read: (query) => client.apps.list(query, { onAnswer: noteRate }),
    isEnabled: session.status === 'signed_in' && !session.isDemo,
    everyMs: () => EVERY_MS,
  });
}
