// The webhooks of the account in this lane.
import type { Item } from '@sibyl/sdk';
import { type List, useList } from '../../../live/use-list.ts';
import { useClient, useSession } from '../../../session/use-session.ts';
import { noteRate } from '../rates.ts';

export type Webhook = Item<'listWebhooks'>;
export type Delivery = Item<'listWebhookDeliveries'>;

const EVERY_MS = 15_000;

export function useWebhooks(): List<Webhook> {
  const client = useClient();
  const session = useSession();
  return useList({
    name: 'webhooks',
    keyOf: ({ webhook_id: id }) => id,
    read: (query) => client.webhooks.list(query, { onAnswer: noteRate }),
    isEnabled: session.status === 'signed_in' && !session.isDemo,
    everyMs: () => EVERY_MS,
  });
}
