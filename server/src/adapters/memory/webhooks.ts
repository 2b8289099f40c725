// The webhook store in memory: for tests, and as the plainest statement of what the other one does.
import type { SavedAnswer } from '../../ports/platform.ts';
import {
  type AttemptRecord,
  type DeliveryPage,
  type DeliveryRecord,
  type DeliveryStatus,
  type EndpointAdded,
  type EndpointChange,
  type EndpointPage,
  type EndpointRecord,
  type Environment,
  type Intake,
  type NewDelivery,
  progressOf,
  type Replay,
  type Settlement,
  type WebhookStore,
} from '../../ports/webhooks.ts';

interface Kept {
  record: DeliveryRecord;
  readonly chain: string;
  readonly attempts: AttemptRecord[];
}

export class MemoryWebhookStore implements WebhookStore {
  readonly #endpoints = new Map<string, EndpointRecord>();
  readonly #cursors = new Map<Environment, number>();
  readonly #answers = new Map<string, SavedAnswer>();
  /** In order of their positions. */
  #deliveries: Kept[] = [];
  #nextPosition = 1;

  async addEndpoint(
    endpoint: EndpointRecord,
    saved?: SavedAnswer,
    accountMax = Number.POSITIVE_INFINITY,
  ): Promise<EndpointAdded> {
    const { accountId } = endpoint;
    const own = [...this.#endpoints.values()].filter((one) => one.accountId === accountId);
    if (own.length >= accountMax) return 'full';
    if (this.#holderOf(endpoint) !== null) return 'taken';
    this.#endpoints.set(endpoint.webhookId, endpoint);
    this.#save(saved);
    return 'added';
  }

  async endpoint(webhookId: string): Promise<EndpointRecord | null> {
    return this.#endpoints.get(webhookId) ?? null;
  }

  async endpointsOf(accountId: string, page: EndpointPage): Promise<readonly EndpointRecord[]> {
    const { limit, after } = page;
    return [...this.#endpoints.values()]
      .filter((endpoint) => endpoint.accountId === accountId)
      .sort(newestFirst)
      .filter((endpoint) => after === null || newestFirst(after, endpoint) < 0)
      .slice(0, limit);
  }

  async endpointsIn(environment: Environment): Promise<readonly EndpointRecord[]> {
    return [...this.#endpoints.values()]
      .filter((endpoint) => endpoint.environment === environment)
      .sort((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
  }

  async changeEndpoint(
    webhookId: string,
    change: EndpointChange,
    saved?: SavedAnswer,
  ): Promise<EndpointRecord | 'taken' | null> {
    const old = this.#endpoints.get(webhookId);
    if (old === undefined) return null;
    const changed: EndpointRecord = { ...old, ...change };
    if (![null, webhookId].includes(this.#holderOf(changed))) return 'taken';
    this.#endpoints.set(webhookId, changed);
    this.#dropIfDisabled(changed);
    this.#save(saved);
    return this.#endpoints.get(webhookId) ?? null;
  }

  async removeEndpoint(webhookId: string, saved?: SavedAnswer): Promise<boolean> {
    if (!this.#endpoints.delete(webhookId)) return false;
    this.#deliveries = this.#deliveries.filter(({ record }) => record.webhookId !== webhookId);
    this.#save(saved);
    return true;
  }

  async cursor(environment: Environment): Promise<number | null> {
    return this.#cursors.get(environment) ?? null;
  }

  async take(intake: Intake, pendingMax: number): Promise<void> {
    for (const delivery of intake.deliveries) this.#insert(delivery, intake.atMs, pendingMax);
    const { environment, seq } = intake;
    this.#cursors.set(environment, Math.max(seq, this.#cursors.get(environment) ?? 0));
  }

  async add(deliveries: readonly NewDelivery[], atMs: number, saved?: SavedAnswer): Promise<void> {
    for (const delivery of deliveries) this.#insert(delivery, atMs, Number.MAX_SAFE_INTEGER);
    this.#save(saved);
  }

  async due(webhookId: string, nowMs: number, limit: number): Promise<readonly DeliveryRecord[]> {
    return this.#heads(webhookId)
      .map(({ record }) => record)
      .filter(({ nextAttemptAtMs }) => nextAttemptAtMs !== null && nextAttemptAtMs <= nowMs)
      .sort(
        (a, b) => (a.nextAttemptAtMs ?? 0) - (b.nextAttemptAtMs ?? 0) || a.position - b.position,
      )
      .slice(0, limit);
  }

  async dueTimes(): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>();
    for (const { webhookId, disabledReason } of this.#endpoints.values()) {
      const dueMs = await this.dueTime(webhookId);
      if (dueMs !== null && disabledReason === null) times.set(webhookId, dueMs);
    }
    return times;
  }

  async dueTime(webhookId: string): Promise<number | null> {
    const times = this.#heads(webhookId).map(({ record }) => record.nextAttemptAtMs ?? 0);
    return times.length === 0 ? null : Math.min(...times);
  }

  async settle(settlement: Settlement): Promise<EndpointRecord | null> {
    const { deliveryId, attempt, status, nextAttemptAtMs } = settlement;
    const kept = this.#find(deliveryId);
    const endpoint = this.#endpoints.get(kept?.record.webhookId ?? '');
    if (kept === undefined || endpoint === undefined) return null;
    if (!kept.attempts.some(({ number }) => number === attempt.number)) kept.attempts.push(attempt);
    if (kept.record.status === 'pending') {
      if (status !== 'pending') this.#finish(kept, status, attempt.number);
      else kept.record = { ...kept.record, attempts: attempt.number, nextAttemptAtMs };
    }
    const current = this.#endpoints.get(endpoint.webhookId) ?? endpoint;
    const judged: EndpointRecord = { ...current, ...settlement.judge(current) };
    this.#endpoints.set(endpoint.webhookId, judged);
    this.#dropIfDisabled(judged);
    return judged;
  }

  async delivery(deliveryId: string): Promise<DeliveryRecord | null> {
    const kept = this.#find(deliveryId);
    return kept === undefined ? null : this.#view(kept);
  }

  async deliveriesOf(webhookId: string, page: DeliveryPage): Promise<readonly DeliveryRecord[]> {
    const before = page.beforePosition ?? Number.MAX_SAFE_INTEGER;
    const from = page.fromPosition ?? 0;
    return this.#deliveries
      .filter(({ record }) => record.webhookId === webhookId)
      .filter(({ record }) => record.position < before && record.position >= from)
      .map((kept) => this.#view(kept))
      .filter((record) => page.status === null || progressOf(record) === page.status)
      .filter(({ event }) => page.eventType === null || event.type === page.eventType)
      .sort((a, b) => b.position - a.position)
      .slice(0, page.limit);
  }

  async deliveryBack(
    webhookId: string,
    before: number | null,
    count: number,
  ): Promise<number | null> {
    const page = { limit: count + 1, beforePosition: before, status: null, eventType: null };
    const found = await this.deliveriesOf(webhookId, page);
    return found[count]?.position ?? null;
  }

  async attemptsOf(deliveryIds: readonly string[]): Promise<readonly (readonly AttemptRecord[])[]> {
    return deliveryIds.map((id) => [...(this.#find(id)?.attempts ?? [])]);
  }

  async finishedSince(
    webhookId: string,
    sinceMs: number,
    limit: number,
  ): Promise<readonly DeliveryRecord[]> {
    return this.#deliveries
      .map(({ record }) => record)
      .filter((record) => record.webhookId === webhookId && record.replayOf === null)
      .filter(({ status, event }) => status !== 'pending' && event.createdAtMs >= sinceMs)
      .slice(0, limit);
  }

  async replay(replays: readonly Replay[], atMs: number, saved?: SavedAnswer): Promise<void> {
    for (const { deliveryId, of } of replays) {
      const { webhookId, sequence, event } = of;
      const record = { deliveryId, webhookId, event, sequence, replayOf: of.deliveryId };
      this.#push(record, `replay ${event.aggregate}`, atMs);
      this.#countPending(webhookId, 1);
    }
    this.#save(saved);
  }

  async hasten(deliveryId: string, atMs: number, saved?: SavedAnswer): Promise<void> {
    const kept = this.#deliveries.find(({ record }) => record.deliveryId === deliveryId);
    const nextMs = kept?.record.nextAttemptAtMs ?? null;
    if (kept !== undefined && nextMs !== null) {
      kept.record = { ...kept.record, nextAttemptAtMs: Math.min(nextMs, atMs) };
    }
    this.#save(saved);
  }

  async savedAnswer(scope: string, key: string, sinceMs: number): Promise<SavedAnswer | null> {
    const saved = this.#answers.get(`${scope}\n${key}`);
    return saved !== undefined && saved.atMs >= sinceMs ? saved : null;
  }

  async saveAnswer(saved: SavedAnswer): Promise<void> {
    this.#save(saved);
  }

  async forgetAnswers(holderId: string): Promise<void> {
    for (const [key, { scope }] of this.#answers) {
      if (scope.startsWith(`${holderId} `)) this.#answers.delete(key);
    }
  }

  async prune(deliveriesBeforeMs: number, answersBeforeMs: number): Promise<void> {
    const old = this.#deliveries.filter(({ record }) => record.createdAtMs < deliveriesBeforeMs);
    for (const kept of old) {
      if (kept.record.status === 'pending') this.#finish(kept, 'exhausted', kept.record.attempts);
    }
    this.#deliveries = this.#deliveries.filter((kept) => !old.includes(kept));
    for (const [key, { atMs }] of this.#answers) {
      if (atMs < answersBeforeMs) this.#answers.delete(key);
    }
  }

  copyTo(): Promise<void> {
    return Promise.reject(new Error('there is no file to copy from'));
  }

  async close(): Promise<void> {}

  #insert({ deliveryId, webhookId, event }: NewDelivery, atMs: number, pendingMax: number): void {
    const endpoint = this.#endpoints.get(webhookId);
    if (endpoint === undefined || this.#first(webhookId, event.eventId) !== undefined) return;
    const sequence = endpoint.lastSequence + 1;
    const isTaken = endpoint.disabledReason === null && endpoint.pendingCount < pendingMax;
    const pendingCount = endpoint.pendingCount + (isTaken ? 1 : 0);
    this.#endpoints.set(webhookId, { ...endpoint, lastSequence: sequence, pendingCount });
    const record = { deliveryId, webhookId, event, sequence, replayOf: null };
    this.#push(record, event.aggregate, atMs, isTaken ? 'pending' : 'dropped');
  }

  #dropIfDisabled({ webhookId, disabledReason }: EndpointRecord): void {
    if (disabledReason === null) return;
    for (const kept of this.#deliveries) {
      const { record } = kept;
      if (record.webhookId !== webhookId || record.status !== 'pending') continue;
      this.#finish(kept, 'dropped', record.attempts);
    }
  }

  #view(kept: Kept): DeliveryRecord {
    const isHead = this.#heads(kept.record.webhookId).includes(kept);
    return { ...kept.record, isHead };
  }

  #push(
    fresh: Pick<DeliveryRecord, 'deliveryId' | 'webhookId' | 'event' | 'sequence' | 'replayOf'>,
    chain: string,
    atMs: number,
    status: DeliveryStatus = 'pending',
  ): void {
    const record: DeliveryRecord = {
      ...fresh,
      position: this.#nextPosition,
      status,
      isHead: false,
      attempts: 0,
      nextAttemptAtMs: status === 'pending' ? atMs : null,
      createdAtMs: atMs,
    };
    this.#nextPosition += 1;
    this.#deliveries.push({ record, chain, attempts: [] });
  }

  #finish(kept: Kept, status: DeliveryStatus, attempts: number): void {
    kept.record = { ...kept.record, status, attempts, nextAttemptAtMs: null };
    this.#countPending(kept.record.webhookId, -1);
  }

  /** The first pending delivery of each aggregate. */
  #heads(webhookId: string): Kept[] {
    const heads = new Map<string, Kept>();
    for (const kept of this.#deliveries) {
      const { record, chain } = kept;
      if (record.webhookId !== webhookId || record.status !== 'pending') continue;
      if (!heads.has(chain)) heads.set(chain, kept);
    }
    return [...heads.values()];
  }

  #find(deliveryId: string): Kept | undefined {
    return this.#deliveries.find(({ record }) => record.deliveryId === deliveryId);
  }

  #first(webhookId: string, eventId: string): Kept | undefined {
    return this.#deliveries.find(
      ({ record }) =>
        record.webhookId === webhookId &&
        record.event.eventId === eventId &&
        record.replayOf === null,
    );
  }

  #countPending(webhookId: string, by: number): void {
    const endpoint = this.#endpoints.get(webhookId);
    if (endpoint === undefined) return;
    this.#endpoints.set(webhookId, { ...endpoint, pendingCount: endpoint.pendingCount + by });
  }

  /** The endpoint that has this one's URL. */
  #holderOf({ accountId, environment, url }: EndpointRecord): string | null {
    for (const other of this.#endpoints.values()) {
      if (other.accountId !== accountId || other.environment !== environment) continue;
      if (other.url === url) return other.webhookId;
    }
    return null;
  }

  #save(saved: SavedAnswer | undefined): void {
    if (saved !== undefined) this.#answers.set(`${saved.scope}\n${saved.key}`, saved);
  }
}

type ListKey = { readonly createdAtMs: number; readonly webhookId: string };

function newestFirst(a: ListKey, b: ListKey): number {
  if (a.createdAtMs !== b.createdAtMs) return b.createdAtMs - a.createdAtMs;
  if (a.webhookId === b.webhookId) return 0;
  return a.webhookId < b.webhookId ? 1 : -1;
}
