// The webhook store in SQLite: a file of its own, endpoints synced at once, the rest rebuilt from the journal if lost.

import { migrate, ownFile, PageSums, sumPages } from '@sibyl/storage';
import Database from 'better-sqlite3';
import type { SavedAnswer } from '../../ports/platform.ts';
import type {
  AttemptRecord,
  DeliveryPage,
  DeliveryRecord,
  DeliveryStatus,
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
import {
  type AnswerRow,
  type AttemptRow,
  answerOf,
  attemptOf,
  type DeliveryRow,
  deliveryOf,
  type EndpointRow,
  endpointOf,
  endpointRow,
  eventRow,
} from './webhooks-rows.ts';
import { prepareWebhooks, type Statements } from './webhooks-statements.ts';

/** Another process that holds the file will not let go of it soon. */
const BUSY_TIMEOUT_MS = 500;

export class SqliteWebhookStore implements WebhookStore {
  readonly #database: Database.Database;
  readonly #sums: PageSums;
  readonly #sql: Statements;

  static open(file: string, migrationsDir: string): SqliteWebhookStore {
    ownFile(file);
    const sums = new PageSums({ file });
    const database = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    // A power cut takes the last batches and the cursor that goes with them: they are read from the journal again.
    database.pragma('synchronous = NORMAL');
    database.pragma('foreign_keys = ON');
    database.pragma('trusted_schema = OFF');
    database.pragma('wal_autocheckpoint = 0');
    migrate(database, migrationsDir);
    sums.settle(database);
    return new SqliteWebhookStore(database, sums);
  }

  private constructor(database: Database.Database, sums: PageSums) {
    this.#database = database;
    this.#sums = sums;
    this.#sql = prepareWebhooks(database);
  }

  async addEndpoint(endpoint: EndpointRecord, saved?: SavedAnswer): Promise<boolean> {
    return this.#durably(() => {
      if (this.#sql.addEndpoint.run(endpointRow(endpoint)).changes === 0) return false;
      this.#save(saved);
      return true;
    });
  }

  async endpoint(webhookId: string): Promise<EndpointRecord | null> {
    return this.#endpoint(webhookId);
  }

  async endpointsOf(accountId: string, page: EndpointPage): Promise<readonly EndpointRecord[]> {
    const { limit, after } = page;
    // With no place to begin after, one that every endpoint lies after.
    const place = after ?? { createdAtMs: Number.MAX_SAFE_INTEGER, webhookId: '' };
    const rows = this.#sql.endpointsOf.all({ accountId, limit, ...place }) as EndpointRow[];
    return rows.map(endpointOf);
  }

  async countOf(accountId: string): Promise<number> {
    return (this.#sql.countOf.get(accountId) as { readonly count: number }).count;
  }

  async endpointsIn(environment: Environment): Promise<readonly EndpointRecord[]> {
    return (this.#sql.endpointsIn.all(environment) as EndpointRow[]).map(endpointOf);
  }

  async changeEndpoint(
    webhookId: string,
    change: EndpointChange,
    saved?: SavedAnswer,
  ): Promise<EndpointRecord | 'taken' | null> {
    return this.#durably(() => {
      const old = this.#endpoint(webhookId);
      if (old === null) return null;
      const changed: EndpointRecord = { ...old, ...change };
      const row = endpointRow(changed);
      const holder = this.#sql.endpointByUrl.get(row) as
        | { readonly webhook_id: string }
        | undefined;
      if (holder !== undefined && holder.webhook_id !== webhookId) return 'taken';
      this.#sql.putEndpoint.run(row);
      this.#dropIfDisabled(changed);
      this.#save(saved);
      return this.#endpoint(webhookId);
    });
  }

  async removeEndpoint(webhookId: string, saved?: SavedAnswer): Promise<boolean> {
    return this.#durably(() => {
      if (this.#sql.removeEndpoint.run(webhookId).changes === 0) return false;
      this.#save(saved);
      return true;
    });
  }

  async cursor(environment: Environment): Promise<number | null> {
    const row = this.#sql.cursor.get(environment) as { readonly seq: number } | undefined;
    return row?.seq ?? null;
  }

  async take(intake: Intake, pendingMax: number): Promise<void> {
    const { environment, seq, atMs } = intake;
    this.#atomically(() => {
      for (const delivery of intake.deliveries) this.#insert(delivery, atMs, pendingMax);
      this.#sql.moveCursor.run({ environment, seq });
    });
  }

  async add(deliveries: readonly NewDelivery[], atMs: number, saved?: SavedAnswer): Promise<void> {
    this.#durably(() => {
      for (const delivery of deliveries) this.#insert(delivery, atMs, Number.MAX_SAFE_INTEGER);
      this.#save(saved);
    });
  }

  async due(webhookId: string, nowMs: number, limit: number): Promise<readonly DeliveryRecord[]> {
    const rows = this.#sql.due.all({ webhookId, nowMs, limit }) as DeliveryRow[];
    return rows.map(deliveryOf);
  }

  async dueTimes(): Promise<ReadonlyMap<string, number>> {
    const rows = this.#sql.dueTimes.all() as {
      readonly webhook_id: string;
      readonly due_ms: number;
    }[];
    return new Map(rows.map((row) => [row.webhook_id, row.due_ms]));
  }

  async dueTime(webhookId: string): Promise<number | null> {
    return (this.#sql.dueTime.get(webhookId) as { readonly due_ms: number | null }).due_ms;
  }

  async settle(settlement: Settlement): Promise<EndpointRecord | null> {
    const { deliveryId, attempt, status, nextAttemptAtMs } = settlement;
    return this.#atomically(() => {
      const row = this.#sql.delivery.get(deliveryId) as DeliveryRow | undefined;
      const endpoint = row === undefined ? null : this.#endpoint(row.webhook_id);
      if (row === undefined || endpoint === null) return null;
      this.#sql.addAttempt.run({ deliveryId, ...attempt });
      if (row.status === 'pending') {
        if (status !== 'pending') this.#finish(row, status, attempt.number);
        else this.#sql.postpone.run({ deliveryId, attempts: attempt.number, nextAttemptAtMs });
      }
      const judged: EndpointRecord = { ...endpoint, ...settlement.judge(endpoint) };
      this.#sql.putEndpoint.run(endpointRow(judged));
      this.#dropIfDisabled(judged);
      return judged;
    });
  }

  async delivery(deliveryId: string): Promise<DeliveryRecord | null> {
    const row = this.#sql.delivery.get(deliveryId) as DeliveryRow | undefined;
    return row === undefined ? null : deliveryOf(row);
  }

  async deliveriesOf(webhookId: string, page: DeliveryPage): Promise<readonly DeliveryRecord[]> {
    const beforePosition = page.beforePosition ?? Number.MAX_SAFE_INTEGER;
    const fromPosition = page.fromPosition ?? 0;
    const bounds = { webhookId, beforePosition, fromPosition };
    const rows = this.#sql.deliveriesOf.all({ ...page, ...bounds });
    return (rows as DeliveryRow[]).map(deliveryOf);
  }

  async deliveryBack(
    webhookId: string,
    before: number | null,
    count: number,
  ): Promise<number | null> {
    const beforePosition = before ?? Number.MAX_SAFE_INTEGER;
    const row = this.#sql.deliveryBack.get({ webhookId, beforePosition, count });
    return (row as Pick<DeliveryRow, 'position'> | undefined)?.position ?? null;
  }

  async attemptsOf(deliveryId: string): Promise<readonly AttemptRecord[]> {
    return (this.#sql.attemptsOf.all(deliveryId) as AttemptRow[]).map(attemptOf);
  }

  async finishedSince(
    webhookId: string,
    sinceMs: number,
    limit: number,
  ): Promise<readonly DeliveryRecord[]> {
    const rows = this.#sql.finishedSince.all({ webhookId, sinceMs, limit }) as DeliveryRow[];
    return rows.map(deliveryOf);
  }

  async replay(replays: readonly Replay[], atMs: number, saved?: SavedAnswer): Promise<void> {
    this.#durably(() => {
      for (const { deliveryId, of } of replays) {
        const { webhookId, sequence, event } = of;
        this.#sql.addDelivery.run({
          deliveryId,
          webhookId,
          eventId: event.eventId,
          sequence,
          chain: `replay ${event.aggregate}`,
          replayOf: of.deliveryId,
          atMs,
        });
        this.#sql.countPending.run({ webhookId, by: 1 });
      }
      this.#save(saved);
    });
  }

  async hasten(deliveryId: string, atMs: number, saved?: SavedAnswer): Promise<void> {
    this.#durably(() => {
      this.#sql.hasten.run({ deliveryId, atMs });
      this.#save(saved);
    });
  }

  async savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null> {
    const row = this.#sql.savedAnswer.get(scope, key, sinceMs) as AnswerRow | undefined;
    return row === undefined ? null : answerOf(row);
  }

  async saveAnswer(saved: SavedAnswer): Promise<void> {
    this.#durably(() => this.#save(saved));
  }

  async prune(deliveriesBeforeMs: number, answersBeforeMs: number): Promise<void> {
    this.#atomically(() => {
      const stale = this.#sql.staleDeliveries.all(deliveriesBeforeMs) as DeliveryRow[];
      for (const row of stale) this.#finish(row, 'exhausted', row.attempts);
      this.#sql.pruneDeliveries.run(deliveriesBeforeMs);
      this.#sql.pruneEvents.run(deliveriesBeforeMs);
      this.#sql.pruneAnswers.run(answersBeforeMs);
    });
  }

  async copyTo(file: string): Promise<void> {
    ownFile(file);
    await this.#database.backup(file);
    await sumPages(file);
  }

  async close(): Promise<void> {
    this.#sums.close(this.#database);
  }

  #endpoint(webhookId: string): EndpointRecord | null {
    const row = this.#sql.endpoint.get(webhookId) as EndpointRow | undefined;
    return row === undefined ? null : endpointOf(row);
  }

  #insert({ deliveryId, webhookId, event }: NewDelivery, atMs: number, pendingMax: number): void {
    if (this.#sql.hasDelivery.get(webhookId, event.eventId) !== undefined) return;
    const endpoint = this.#endpoint(webhookId);
    if (endpoint === null) return;
    const isTaken = endpoint.disabledReason === null && endpoint.pendingCount < pendingMax;
    this.#sql.countEvent.run({ webhookId, pending: isTaken ? 1 : 0 });
    this.#sql.addEvent.run(eventRow(event));
    const sequence = endpoint.lastSequence + 1;
    const { eventId, aggregate: chain } = event;
    const row = { deliveryId, webhookId, eventId, sequence, chain, replayOf: null, atMs };
    if (isTaken) this.#sql.addDelivery.run(row);
    else this.#sql.addDropped.run(row);
  }

  #dropIfDisabled({ webhookId, disabledReason }: EndpointRecord): void {
    if (disabledReason === null) return;
    this.#sql.dropPending.run(webhookId);
    this.#sql.clearPending.run(webhookId);
  }

  /** The next of the chain becomes its head in the same transaction. */
  #finish(row: DeliveryRow, status: Exclude<DeliveryStatus, 'pending'>, attempts: number): void {
    const { webhook_id: webhookId, chain } = row;
    this.#sql.finish.run({ deliveryId: row.delivery_id, status, attempts });
    this.#sql.promote.run({ webhookId, chain });
    this.#sql.countPending.run({ webhookId, by: -1 });
  }

  #save(saved: SavedAnswer | undefined): void {
    if (saved !== undefined) this.#sql.save.run(saved);
  }

  #atomically<T>(work: () => T, isDurable = false): T {
    const transaction = this.#database.transaction(work);
    return this.#sums.commit(this.#database, () => transaction.immediate(), isDurable);
  }

  /** On disk when it returns: what an owner was told must not be undone by a power cut. */
  #durably<T>(work: () => T): T {
    this.#database.pragma('synchronous = FULL');
    try {
      return this.#atomically(work, true);
    } finally {
      this.#database.pragma('synchronous = NORMAL');
    }
  }
}
