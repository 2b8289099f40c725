// Records events for endpoints many at a time: what is there is read once, what is new is written once.
import type { NewDelivery } from '../../ports/webhooks.ts';
import { addDeliveries, type Db, knownOf } from './webhooks-queries.ts';
import type { DeliveryColumns, EndpointRow } from './webhooks-rows.ts';

/** A statement with many more rows holds the event loop for long. */
const AT_ONCE = 100;

/**
 * In the order given. Those of an endpoint that is not active, or has `pendingMax` pending ones, are recorded as dropped;
 * those that it has already, and those of endpoints that are gone, are passed over.
 */
export async function recordDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
  atMs: number,
  pendingMax: number,
): Promise<void> {
  for (let from = 0; from < deliveries.length; from += AT_ONCE) {
    await recordSome(tx, deliveries.slice(from, from + AT_ONCE), atMs, pendingMax);
  }
}

type Counters = Pick<EndpointRow, 'disabled_reason' | 'last_sequence' | 'pending_count'>;

async function recordSome(
  tx: Db,
  deliveries: readonly NewDelivery[],
  atMs: number,
  pendingMax: number,
): Promise<void> {
  const endpoints = await countersOf(tx, deliveries);
  const { events, chains } = await knownOf(tx, deliveries);
  const rows: DeliveryColumns[] = [];
  for (const { deliveryId, webhookId, event } of deliveries) {
    const { eventId, aggregate } = event;
    const endpoint = endpoints.get(webhookId);
    if (endpoint === undefined || events.has(`${webhookId} ${eventId}`)) continue;
    events.add(`${webhookId} ${eventId}`);
    const { disabled_reason, last_sequence, pending_count } = endpoint;
    const isTaken = disabled_reason === null && pending_count < pendingMax;
    const isHead = isTaken && !chains.has(`${webhookId} ${aggregate}`);
    if (isTaken) chains.add(`${webhookId} ${aggregate}`);
    rows.push({
      delivery_id: deliveryId,
      webhook_id: webhookId,
      event_id: eventId,
      sequence: last_sequence + 1,
      chain: aggregate,
      replay_of: null,
      status: isTaken ? 'pending' : 'dropped',
      is_head: isHead ? 1 : 0,
      attempts: 0,
      next_attempt_at_ms: isTaken ? atMs : null,
      created_at_ms: atMs,
    });
    endpoints.set(webhookId, {
      disabled_reason,
      last_sequence: last_sequence + 1,
      pending_count: pending_count + (isTaken ? 1 : 0),
    });
  }
  await addDeliveries(tx, deliveries, rows);
  for (const webhookId of new Set(rows.map((row) => row.webhook_id))) {
    const { last_sequence, pending_count } = endpoints.get(webhookId)!;
    const set = { last_sequence, pending_count };
    await tx.updateTable('endpoints').set(set).where('webhook_id', '=', webhookId).execute();
  }
}

async function countersOf(
  tx: Db,
  deliveries: readonly NewDelivery[],
): Promise<Map<string, Counters>> {
  if (deliveries.length === 0) return new Map();
  const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const rows = await tx
    .selectFrom('endpoints')
    .select(['webhook_id', 'disabled_reason', 'last_sequence', 'pending_count'])
    .where('webhook_id', 'in', ids)
    .execute();
  return new Map(rows.map(({ webhook_id, ...counters }) => [webhook_id, counters]));
}
