// A webhook with many deliveries behind it.
import {
  type EndpointRecord,
  type NewDelivery,
  UNUSED_ENDPOINT,
  type WebhookStore,
} from '../../src/ports/webhooks.ts';

export const WEBHOOK = 'wh_reads';
const AT_ONCE = 1000;

export async function addDeliveries(
  store: WebhookStore,
  accountId: string,
  count: number,
): Promise<void> {
  await store.addEndpoint(endpoint(accountId));
  for (let from = 0; from < count; from += AT_ONCE) {
    const deliveries = Array.from({ length: AT_ONCE }, (_, n) => delivery(from + n));
    await store.take({ environment: 'sandbox', seq: from + 1, deliveries, atMs: 1 }, count);
  }
}

function delivery(number: number): NewDelivery {
  return {
    deliveryId: `dlv_${number}`,
    webhookId: WEBHOOK,
    event: {
      eventId: `evt_${number}`,
      environment: 'sandbox',
      type: 'order.filled',
      aggregate: `order:${number}`,
      createdAtMs: 1,
      data: '{}',
      isTest: false,
    },
  };
}

function endpoint(accountId: string): EndpointRecord {
  return {
    ...UNUSED_ENDPOINT,
    webhookId: WEBHOOK,
    environment: 'sandbox',
    accountId,
    holderId: 'holder',
    url: 'https://example.org/hook',
    eventTypes: ['*'],
    marketIds: [],
    balanceLowThreshold: 0n,
    secret: 'sealed',
    fromSeq: 0,
    createdAtMs: 1,
    updatedAtMs: 1,
  };
}
