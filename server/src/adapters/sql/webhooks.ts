// The webhook store in either database: what an owner was told is synced, the rest is read from the journal again if lost.
import type { SavedAnswer } from '../../ports/platform.ts';
import type {
  AttemptRecord,
  DeliveryPage,
  DeliveryRecord,
  EndpointAdded,
  EndpointChange,
  EndpointPage,
  EndpointRecord,
  Environment,
  Intake,
  NewDelivery,
  Replay,
  Settlement,
  WebhookStore,
} from '../../ports/webhooks.ts';
import { findAnswer, forgetAnswers, pruneAnswers, saveAnswer } from './answers.ts';
import type { StoreDatabase } from './store-database.ts';
import { recordDeliveries } from './webhooks-intake.ts';
import * as query from './webhooks-queries.ts';
import { attemptOf, deliveryOf, endpointOf, endpointRow } from './webhooks-rows.ts';
import type { WebhookTables } from './webhooks-schema.ts';

/** Of a transaction that gives up what is too old: the rest has its turn with the next. */
const STALE_MAX = 1000;

export class SqlWebhookStore implements WebhookStore {
  readonly #database: StoreDatabase<WebhookTables>;

  constructor(database: StoreDatabase<WebhookTables>) {
    this.#database = database;
  }

  get #reads(): query.Db {
    return this.#database.reads;
  }

  addEndpoint(
    endpoint: EndpointRecord,
    saved?: SavedAnswer,
    accountMax = Number.POSITIVE_INFINITY,
  ): Promise<EndpointAdded> {
    return this.#database.write(async (tx) => {
      if ((await query.countEndpoints(tx, endpoint.accountId)) >= accountMax) return 'full';
      if (!(await query.addEndpoint(tx, endpointRow(endpoint)))) return 'taken';
      await saveAnswer(tx, saved);
      return 'added';
    });
  }

  async endpoint(webhookId: string): Promise<EndpointRecord | null> {
    const row = await query.endpointById(this.#reads, webhookId);
    return row === undefined ? null : endpointOf(row);
  }

  async endpointsOf(accountId: string, page: EndpointPage): Promise<readonly EndpointRecord[]> {
    return (await query.endpointsOf(this.#reads, accountId, page)).map(endpointOf);
  }

  async endpointsIn(environment: Environment): Promise<readonly EndpointRecord[]> {
    const rows = await this.#reads
      .selectFrom('endpoints')
      .selectAll()
      .where('environment', '=', environment)
      .orderBy('webhook_id')
      .execute();
    return rows.map(endpointOf);
  }

  changeEndpoint(
    webhookId: string,
    change: EndpointChange,
    saved?: SavedAnswer,
  ): Promise<EndpointRecord | 'taken' | null> {
    return this.#database.write(async (tx) => {
      const old = await query.endpointById(tx, webhookId);
      if (old === undefined) return null;
      const row = endpointRow({ ...endpointOf(old), ...change });
      if (await query.isUrlTaken(tx, row)) return 'taken';
      await query.putEndpoint(tx, row);
      if (row.disabled_reason !== null) await query.dropPending(tx, webhookId);
      await saveAnswer(tx, saved);
      return endpointOf((await query.endpointById(tx, webhookId))!);
    });
  }

  removeEndpoint(webhookId: string, saved?: SavedAnswer): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('endpoints')
        .where('webhook_id', '=', webhookId)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return false;
      await saveAnswer(tx, saved);
      return true;
    });
  }

  async cursor(environment: Environment): Promise<number | null> {
    const row = await this.#reads
      .selectFrom('cursors')
      .select('seq')
      .where('environment', '=', environment)
      .executeTakeFirst();
    return row?.seq ?? null;
  }

  take({ environment, seq, deliveries, atMs }: Intake, pendingMax: number): Promise<void> {
    return this.#database.write(async (tx) => {
      await recordDeliveries(tx, deliveries, atMs, pendingMax);
      await query.moveCursor(tx, environment, seq);
    }, 'quick');
  }

  async add(deliveries: readonly NewDelivery[], atMs: number, saved?: SavedAnswer): Promise<void> {
    if (deliveries.length === 0 && saved === undefined) return;
    await this.#database.write(async (tx) => {
      await recordDeliveries(tx, deliveries, atMs, Number.POSITIVE_INFINITY);
      await saveAnswer(tx, saved);
    });
  }

  async due(webhookId: string, nowMs: number, limit: number): Promise<readonly DeliveryRecord[]> {
    return (await query.dueOf(this.#reads, webhookId, nowMs, limit)).map(deliveryOf);
  }

  async dueTimes(): Promise<ReadonlyMap<string, number>> {
    const rows = await query.dueTimes(this.#reads);
    return new Map(rows.map((row) => [row.webhook_id, row.due_ms]));
  }

  dueTime(webhookId: string): Promise<number | null> {
    return query.dueTime(this.#reads, webhookId);
  }

  settle(settlement: Settlement): Promise<EndpointRecord | null> {
    const { deliveryId, attempt, status, nextAttemptAtMs } = settlement;
    return this.#database.write(async (tx) => {
      const row = await query.deliveryById(tx, deliveryId);
      if (row === undefined) return null;
      const endpoint = endpointOf((await query.endpointById(tx, row.webhook_id))!);
      await query.addAttempt(tx, deliveryId, attempt);
      if (row.status === 'pending') {
        if (status !== 'pending') await query.finish(tx, row, status, attempt.number);
        else await query.postpone(tx, deliveryId, attempt.number, nextAttemptAtMs);
      }
      const judged: EndpointRecord = { ...endpoint, ...settlement.judge(endpoint) };
      await query.putEndpoint(tx, endpointRow(judged));
      if (judged.disabledReason !== null) await query.dropPending(tx, row.webhook_id);
      return judged;
    }, 'quick');
  }

  async delivery(deliveryId: string): Promise<DeliveryRecord | null> {
    const row = await query.deliveryById(this.#reads, deliveryId);
    return row === undefined ? null : deliveryOf(row);
  }

  async deliveriesOf(webhookId: string, page: DeliveryPage): Promise<readonly DeliveryRecord[]> {
    return (await query.deliveriesOf(this.#reads, webhookId, page)).map(deliveryOf);
  }

  async deliveryBack(
    webhookId: string,
    before: number | null,
    count: number,
  ): Promise<number | null> {
    const row = await this.#reads
      .selectFrom('deliveries')
      .select('position')
      .where('webhook_id', '=', webhookId)
      .where('position', '<', before ?? Number.MAX_SAFE_INTEGER)
      .orderBy('position', 'desc')
      .limit(1)
      .offset(count)
      .executeTakeFirst();
    return row?.position ?? null;
  }

  async attemptsOf(deliveryIds: readonly string[]): Promise<readonly (readonly AttemptRecord[])[]> {
    if (deliveryIds.length === 0) return [];
    const rows = await this.#reads
      .selectFrom('attempts')
      .selectAll()
      .where('delivery_id', 'in', deliveryIds)
      .orderBy('number')
      .execute();
    const found = Map.groupBy(rows, ({ delivery_id: id }) => id);
    return deliveryIds.map((id) => (found.get(id) ?? []).map(attemptOf));
  }

  async finishedSince(
    webhookId: string,
    sinceMs: number,
    limit: number,
  ): Promise<readonly DeliveryRecord[]> {
    return (await query.finishedSince(this.#reads, webhookId, sinceMs, limit)).map(deliveryOf);
  }

  replay(replays: readonly Replay[], atMs: number, saved?: SavedAnswer): Promise<void> {
    return this.#database.write(async (tx) => {
      for (const { deliveryId, of } of replays) {
        const { webhookId, sequence, event } = of;
        const chain = `replay ${event.aggregate}`;
        const isHead = !(await query.hasPendingIn(tx, webhookId, chain));
        const row = {
          delivery_id: deliveryId,
          webhook_id: webhookId,
          event_id: event.eventId,
          sequence,
          chain,
          replay_of: of.deliveryId,
          status: 'pending',
          is_head: isHead ? 1 : 0,
          attempts: 0,
          next_attempt_at_ms: atMs,
          created_at_ms: atMs,
        } as const;
        await tx.insertInto('deliveries').values(row).execute();
        await query.countPending(tx, webhookId, 1);
      }
      await saveAnswer(tx, saved);
    });
  }

  hasten(deliveryId: string, atMs: number, saved?: SavedAnswer): Promise<void> {
    return this.#database.write(async (tx) => {
      await query.hasten(tx, deliveryId, atMs);
      await saveAnswer(tx, saved);
    });
  }

  savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null> {
    return findAnswer(this.#reads, scope, key, sinceMs);
  }

  saveAnswer(saved: SavedAnswer): Promise<void> {
    return this.#database.write((tx) => saveAnswer(tx, saved));
  }

  forgetAnswers(holderId: string): Promise<void> {
    return this.#database.write((tx) => forgetAnswers(tx, holderId));
  }

  prune(deliveriesBeforeMs: number, answersBeforeMs: number): Promise<void> {
    return this.#database.write(async (tx) => {
      for (const row of await query.staleDeliveries(tx, deliveriesBeforeMs, STALE_MAX)) {
        await query.finish(tx, row, 'exhausted', row.attempts);
      }
      await query.pruneDeliveries(tx, deliveriesBeforeMs);
      await pruneAnswers(tx, answersBeforeMs);
    }, 'quick');
  }

  copyTo(file: string): Promise<void> {
    return this.#database.copyTo(file);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}
