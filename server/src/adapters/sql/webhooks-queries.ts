// The queries of the webhook store, each with a name that says what it does.
import { type Kysely, sql } from 'kysely';
import type {
  AttemptRecord,
  DeliveryPage,
  DeliveryStatus,
  EndpointPage,
  Environment,
  NewDelivery,
} from '../../ports/webhooks.ts';
import {
  type DeliveryColumns,
  type DeliveryRow,
  type EndpointRow,
  type EventColumns,
  eventColumns,
} from './webhooks-rows.ts';
import type { WebhookTables } from './webhooks-schema.ts';

export type Db = Kysely<WebhookTables>;

/** Literals, not parameters: only so does SQLite see that an index of pending deliveries serves. */
const PENDING = sql.lit<DeliveryStatus>('pending');
const HEAD = sql.lit(1);

export function endpointById(db: Db, webhookId: string): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('endpoints')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();
}

/** Newest first, then by id. */
export function endpointsOf(db: Db, accountId: string, page: EndpointPage): Promise<EndpointRow[]> {
  const { limit, after } = page;
  return db
    .selectFrom('endpoints')
    .selectAll()
    .where('account_id', '=', accountId)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('created_at_ms', 'webhook_id'),
          '<',
          tuple(after!.createdAtMs, after!.webhookId),
        ),
      ),
    )
    .orderBy('created_at_ms', 'desc')
    .orderBy('webhook_id', 'desc')
    .limit(limit)
    .execute();
}

export async function countEndpoints(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('endpoints')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** False if the account has an endpoint with this URL. */
export async function addEndpoint(db: Db, row: EndpointRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('endpoints')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function isUrlTaken(db: Db, endpoint: EndpointRow): Promise<boolean> {
  const other = await db
    .selectFrom('endpoints')
    .select('webhook_id')
    .where('account_id', '=', endpoint.account_id)
    .where('environment', '=', endpoint.environment)
    .where('url', '=', endpoint.url)
    .where('webhook_id', '<>', endpoint.webhook_id)
    .executeTakeFirst();
  return other !== undefined;
}

/** All but its counters, which only deliveries move. */
export async function putEndpoint(db: Db, row: EndpointRow): Promise<void> {
  const { webhook_id, last_sequence: _last, pending_count: _pending, ...set } = row;
  await db.updateTable('endpoints').set(set).where('webhook_id', '=', webhook_id).execute();
}

export async function dropPending(db: Db, webhookId: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ status: 'dropped', is_head: 0, next_attempt_at_ms: null })
    .where('webhook_id', '=', webhookId)
    .where('status', '=', PENDING)
    .execute();
  await db
    .updateTable('endpoints')
    .set({ pending_count: 0 })
    .where('webhook_id', '=', webhookId)
    .execute();
}

/** Never back. */
export async function moveCursor(db: Db, environment: Environment, seq: number): Promise<void> {
  await db
    .insertInto('cursors')
    .values({ environment, seq })
    .onConflict((conflict) =>
      conflict.column('environment').doUpdateSet({
        seq: sql<number>`case when excluded.seq > cursors.seq then excluded.seq else cursors.seq end`,
      }),
    )
    .execute();
}

export async function countPending(db: Db, webhookId: string, by: number): Promise<void> {
  await db
    .updateTable('endpoints')
    .set((eb) => ({ pending_count: eb('pending_count', '+', by) }))
    .where('webhook_id', '=', webhookId)
    .execute();
}

/** What is there already of what is to be recorded: deliveries of these events, and chains with something pending. */
export async function knownOf(
  db: Db,
  deliveries: readonly NewDelivery[],
): Promise<{ readonly events: Set<string>; readonly chains: Set<string> }> {
  const webhookIds = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const aggregates = [...new Set(deliveries.map(({ event }) => event.aggregate))];
  const events = await db
    .selectFrom('deliveries')
    .select(['webhook_id', 'event_id'])
    .where('webhook_id', 'in', webhookIds)
    .where(
      'event_id',
      'in',
      deliveries.map(({ event }) => event.eventId),
    )
    .where('replay_of', 'is', null)
    .execute();
  const chains = await db
    .selectFrom('deliveries')
    .select(['webhook_id', 'chain'])
    .where('webhook_id', 'in', webhookIds)
    .where('chain', 'in', aggregates)
    .where('status', '=', PENDING)
    .where('is_head', '=', HEAD)
    .execute();
  return {
    events: new Set(events.map((row) => `${row.webhook_id} ${row.event_id}`)),
    chains: new Set(chains.map((row) => `${row.webhook_id} ${row.chain}`)),
  };
}

export async function addDeliveries(
  db: Db,
  deliveries: readonly NewDelivery[],
  rows: readonly DeliveryColumns[],
): Promise<void> {
  if (rows.length === 0) return;
  const wanted = new Set(rows.map((row) => row.event_id));
  const events = new Map<string, EventColumns>();
  for (const { event } of deliveries) {
    if (wanted.has(event.eventId)) events.set(event.eventId, eventColumns(event));
  }
  await db
    .insertInto('events')
    .values([...events.values()])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.insertInto('deliveries').values(rows).execute();
}

export async function hasPendingIn(db: Db, webhookId: string, chain: string): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('position')
    .where('webhook_id', '=', webhookId)
    .where('chain', '=', chain)
    .where('status', '=', PENDING)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deliveries with their events. */
function deliveries(db: Db) {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.event_id', 'd.event_id')
    .selectAll('d')
    .select(['e.environment', 'e.type', 'e.aggregate', 'e.data', 'e.is_test'])
    .select('e.created_at_ms as event_at_ms');
}

export function deliveryById(db: Db, deliveryId: string): Promise<DeliveryRow | undefined> {
  return deliveries(db).where('d.delivery_id', '=', deliveryId).executeTakeFirst();
}

export function dueOf(
  db: Db,
  webhookId: string,
  nowMs: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return deliveries(db)
    .where('d.webhook_id', '=', webhookId)
    .where('d.status', '=', PENDING)
    .where('d.is_head', '=', HEAD)
    .where('d.next_attempt_at_ms', '<=', nowMs)
    .orderBy('d.next_attempt_at_ms')
    .orderBy('d.position')
    .limit(limit)
    .execute();
}

/** Of active endpoints that have something pending. */
export function dueTimes(db: Db): Promise<{ webhook_id: string; due_ms: number }[]> {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('endpoints as w', (join) =>
      join.onRef('w.webhook_id', '=', 'd.webhook_id').on('w.disabled_reason', 'is', null),
    )
    .where('d.status', '=', PENDING)
    .where('d.is_head', '=', HEAD)
    .groupBy('d.webhook_id')
    .select(['d.webhook_id', ({ fn }) => fn.min<number>('d.next_attempt_at_ms').as('due_ms')])
    .execute();
}

export async function dueTime(db: Db, webhookId: string): Promise<number | null> {
  const row = await db
    .selectFrom('deliveries')
    .where('webhook_id', '=', webhookId)
    .where('status', '=', PENDING)
    .where('is_head', '=', HEAD)
    .select(({ fn }) => fn.min<number | null>('next_attempt_at_ms').as('due_ms'))
    .executeTakeFirst();
  return row?.due_ms ?? null;
}

export async function addAttempt(
  db: Db,
  deliveryId: string,
  attempt: AttemptRecord,
): Promise<void> {
  const { number, failure } = attempt;
  await db
    .insertInto('attempts')
    .values({
      delivery_id: deliveryId,
      number,
      at_ms: attempt.atMs,
      http_status: attempt.httpStatus,
      failure,
      latency_ms: attempt.latencyMs,
      answer_bytes: attempt.answerBytes,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** It is done or given up, and the next of its chain becomes the head. */
export async function finish(
  db: Db,
  row: Pick<DeliveryRow, 'delivery_id' | 'webhook_id' | 'chain'>,
  status: Exclude<DeliveryStatus, 'pending'>,
  attempts: number,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ status, is_head: 0, attempts, next_attempt_at_ms: null })
    .where('delivery_id', '=', row.delivery_id)
    .execute();
  await db
    .updateTable('deliveries')
    .set({ is_head: 1 })
    .where('position', '=', ({ selectFrom }) =>
      selectFrom('deliveries as next')
        .select(({ fn }) => fn.min('next.position').as('position'))
        .where('next.webhook_id', '=', row.webhook_id)
        .where('next.chain', '=', row.chain)
        .where('next.status', '=', PENDING),
    )
    .execute();
  await countPending(db, row.webhook_id, -1);
}

export async function postpone(
  db: Db,
  deliveryId: string,
  attempts: number,
  nextAttemptAtMs: number | null,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ attempts, next_attempt_at_ms: nextAttemptAtMs })
    .where('delivery_id', '=', deliveryId)
    .execute();
}

/** Sooner only. */
export async function hasten(db: Db, deliveryId: string, atMs: number): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ next_attempt_at_ms: atMs })
    .where('delivery_id', '=', deliveryId)
    .where('status', '=', PENDING)
    .where('next_attempt_at_ms', '>', atMs)
    .execute();
}

/** Newest first. */
export function deliveriesOf(
  db: Db,
  webhookId: string,
  page: DeliveryPage,
): Promise<DeliveryRow[]> {
  const { status, eventType, beforePosition, fromPosition } = page;
  return deliveries(db)
    .where('d.webhook_id', '=', webhookId)
    .$if(beforePosition !== null, (query) => query.where('d.position', '<', beforePosition!))
    .$if(fromPosition !== undefined, (query) => query.where('d.position', '>=', fromPosition!))
    .$if(eventType !== null, (query) => query.where('e.type', '=', eventType!))
    .$if(status !== null, (query) =>
      query.where(({ eb, and }) => {
        if (status === 'succeeded' || status === 'exhausted' || status === 'dropped') {
          return eb('d.status', '=', status);
        }
        const isPending = eb('d.status', '=', PENDING);
        if (status === 'waiting') return and([isPending, eb('d.is_head', '=', 0)]);
        const tries = eb('d.attempts', status === 'retrying' ? '>' : '=', 0);
        return and([isPending, eb('d.is_head', '=', HEAD), tries]);
      }),
    )
    .orderBy('d.position', 'desc')
    .limit(page.limit)
    .execute();
}

/** First deliveries that are not pending, oldest first. */
export function finishedSince(
  db: Db,
  webhookId: string,
  sinceMs: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return deliveries(db)
    .where('d.webhook_id', '=', webhookId)
    .where('d.replay_of', 'is', null)
    .where('d.status', '<>', PENDING)
    .where('e.created_at_ms', '>=', sinceMs)
    .orderBy('d.position')
    .limit(limit)
    .execute();
}

/** Pending ones that are too old, oldest first. */
export function staleDeliveries(db: Db, beforeMs: number, limit: number): Promise<DeliveryRow[]> {
  return deliveries(db)
    .where('d.status', '=', PENDING)
    .where('d.created_at_ms', '<', beforeMs)
    .orderBy('d.position')
    .limit(limit)
    .execute();
}

/** Those that are done, and events that nobody waits for. */
export async function pruneDeliveries(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('deliveries')
    .where('created_at_ms', '<', beforeMs)
    .where('status', '<>', PENDING)
    .execute();
  await db
    .deleteFrom('events')
    .where('created_at_ms', '<', beforeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as d')
            .select('d.position')
            .whereRef('d.event_id', '=', 'events.event_id'),
        ),
      ),
    )
    .execute();
}
