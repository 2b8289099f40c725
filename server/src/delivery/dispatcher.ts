// The dispatcher: tries what is due, a bounded number at once, and writes down what came of each attempt.
import { setImmediate } from 'node:timers/promises';
import { limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { Outbound, OutboundResult } from '../ports/outbound.ts';
import type { Random } from '../ports/random.ts';
import type {
  AttemptRecord,
  DeliveryRecord,
  EndpointRecord,
  Verdict,
  WebhookStore,
} from '../ports/webhooks.ts';
import { bodyOf } from './body.ts';
import { retryDelayMs } from './schedule.ts';
import { DISPATCHER_LIMITS, type DispatcherLimits, type Owner, Shares } from './shares.ts';
import { signatureHeaders } from './sign.ts';
import { secretOwner, type Vault } from './vault.ts';

export interface DispatcherOptions {
  readonly store: WebhookStore;
  readonly outbound: Outbound;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly random: Random;
  readonly limits?: Partial<DispatcherLimits> | undefined;
  /** Told after an endpoint has been given up. */
  readonly disabled: (endpoint: EndpointRecord) => void;
  /** Told of every attempt once it is written down. */
  readonly attempted?: ((attempt: AttemptRecord, isGivenUp: boolean) => void) | undefined;
  /** The store could not be read or written; it is tried again soon. */
  readonly failed: (error: unknown) => void;
}

const USER_AGENT = 'Sibyl-Webhooks/1';

/** After the store failed. */
const PAUSE_MS = 5_000;

/** The wall clock may be set meanwhile, so nothing sleeps longer than this. */
const SLEEP_MAX_MS = 60_000;

const CHECKED_AT_ONCE = 64;

const GONE = 410;

export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #shares: Shares;
  /** When each endpoint has something to do; the one longest not served comes first. */
  readonly #dueMs = new Map<string, number>();
  /** Whose they are, of those that were looked at before. */
  readonly #owners = new Map<string, Owner>();
  readonly #busy = new Map<string, Set<string>>();
  readonly #flights = new Set<Promise<void>>();
  #cancelAlarm: (() => void) | null = null;
  #isRunning = false;
  #isPumping = false;
  #isPumpWanted = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#shares = new Shares({ ...DISPATCHER_LIMITS, ...options.limits });
  }

  /** Attempts under way. */
  get inFlight(): number {
    return this.#flights.size;
  }

  async start(): Promise<void> {
    this.#isRunning = true;
    for (const [webhookId, dueMs] of await this.#options.store.dueTimes()) {
      this.#dueMs.set(webhookId, dueMs);
    }
    await this.#pump();
  }

  /** There is something new for these endpoints. */
  wake(webhookIds: Iterable<string>): void {
    for (const webhookId of webhookIds) this.#dueMs.set(webhookId, 0);
    void this.#pump();
  }

  /** Starts nothing more and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelAlarm?.();
    this.#cancelAlarm = null;
    while (this.#flights.size > 0) await Promise.all(this.#flights);
  }

  async #pump(): Promise<void> {
    this.#isPumpWanted = true;
    if (this.#isPumping || !this.#isRunning) return;
    this.#isPumping = true;
    try {
      while (this.#isPumpWanted && this.#isRunning) {
        this.#isPumpWanted = false;
        await this.#launchDue();
      }
      this.#sleep();
    } catch (error) {
      this.#options.failed(error);
      this.#wakeIn(PAUSE_MS);
    } finally {
      this.#isPumping = false;
    }
  }

  async #launchDue(): Promise<void> {
    const nowMs = this.#options.clock.wallMs();
    const due: { readonly webhookId: string; readonly underWay: number }[] = [];
    for (const [webhookId, dueMs] of this.#dueMs) {
      const owner = this.#owners.get(webhookId);
      if (dueMs > nowMs || (owner !== undefined && !this.#shares.hasRoom(owner))) continue;
      due.push({ webhookId, underWay: owner === undefined ? 0 : this.#shares.underWay(owner) });
    }
    // Whoever has the fewest attempts under way comes first; else whoever waited longest.
    due.sort((a, b) => a.underWay - b.underWay);
    for (const [index, { webhookId }] of due.entries()) {
      // Each step through a long list is short, but requests must not wait for all of them.
      if (index % CHECKED_AT_ONCE === CHECKED_AT_ONCE - 1) await setImmediate();
      await this.#serve(webhookId, nowMs);
    }
  }

  async #serve(webhookId: string, nowMs: number): Promise<void> {
    const { store } = this.#options;
    const busy = this.#busy.get(webhookId) ?? new Set();
    // Read anew before every attempt: a deleted, disabled or changed endpoint is so at once.
    const endpoint = await store.endpoint(webhookId);
    if (endpoint === null || endpoint.disabledReason !== null) {
      this.#forget(webhookId);
      return;
    }
    this.#owners.set(webhookId, endpoint);
    const free = this.#shares.free(endpoint);
    if (free === 0) return;
    const due = await store.due(webhookId, nowMs, busy.size + free);
    const fresh = due.filter(({ deliveryId }) => !busy.has(deliveryId)).slice(0, free);
    for (const delivery of fresh) this.#launch(endpoint, delivery);
    // With nothing under way there will be no landing to look for the next one.
    if (fresh.length === 0 && busy.size === 0) await this.#findNext(webhookId);
    else this.#moveToEnd(webhookId);
  }

  #launch(endpoint: EndpointRecord, delivery: DeliveryRecord): void {
    const { webhookId } = endpoint;
    const busy = this.#busy.get(webhookId) ?? new Set();
    this.#busy.set(webhookId, busy.add(delivery.deliveryId));
    const giveBack = this.#shares.take(endpoint);
    const flight = this.#attempt(endpoint, delivery)
      .then(
        () => this.#findNext(webhookId),
        (error: unknown) => {
          this.#options.failed(error);
          this.#dueMs.set(webhookId, this.#options.clock.wallMs() + PAUSE_MS);
        },
      )
      .catch(this.#options.failed)
      .finally(() => {
        giveBack();
        busy.delete(delivery.deliveryId);
        if (busy.size === 0) this.#busy.delete(webhookId);
        this.#flights.delete(flight);
        void this.#pump();
      });
    this.#flights.add(flight);
  }

  async #attempt(endpoint: EndpointRecord, delivery: DeliveryRecord): Promise<void> {
    const { outbound, clock } = this.#options;
    const atMs = clock.wallMs();
    const body = bodyOf(delivery.event, delivery.sequence);
    const number = delivery.attempts + 1;
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-svc-event': delivery.event.type,
      'x-svc-delivery': delivery.deliveryId,
      'x-svc-attempt': String(number),
      ...signatureHeaders({
        id: delivery.event.eventId,
        atMs,
        body,
        secrets: this.#secretsOf(endpoint, atMs),
      }),
    };
    const result = await outbound.send({
      owner: endpoint,
      url: endpoint.url,
      headers,
      body,
    });
    await this.#settle(delivery, attemptOf(number, atMs, result));
  }

  async #settle(delivery: DeliveryRecord, attempt: AttemptRecord): Promise<void> {
    const { store, random, clock, disabled, attempted } = this.#options;
    const isSuccess = isAccepted(attempt.httpStatus);
    const delayMs = isSuccess ? null : retryDelayMs(attempt.number, random);
    let wasActive = false;
    const endpoint = await store.settle({
      deliveryId: delivery.deliveryId,
      attempt,
      status: isSuccess ? 'succeeded' : delayMs === null ? 'exhausted' : 'pending',
      nextAttemptAtMs: delayMs === null ? null : clock.wallMs() + delayMs,
      judge: (current) => {
        wasActive = current.disabledReason === null;
        return verdictOn(current, attempt);
      },
    });
    attempted?.(attempt, !isSuccess && delayMs === null);
    if (wasActive && endpoint !== null && endpoint.disabledReason !== null) disabled(endpoint);
  }

  #secretsOf(endpoint: EndpointRecord, nowMs: number): Uint8Array[] {
    const { vault } = this.#options;
    const { secret, previousSecret, rotatedAtMs } = endpoint;
    const owner = secretOwner(endpoint);
    const secrets = [vault.open(secret, owner)];
    const isInGrace = rotatedAtMs !== null && nowMs - rotatedAtMs < limits.webhook.rotationGraceMs;
    if (previousSecret !== null && isInGrace) secrets.push(vault.open(previousSecret, owner));
    return secrets;
  }

  async #findNext(webhookId: string): Promise<void> {
    const dueMs = await this.#options.store.dueTime(webhookId);
    if (dueMs === null) this.#forget(webhookId);
    else this.#dueMs.set(webhookId, dueMs);
  }

  #forget(webhookId: string): void {
    this.#dueMs.delete(webhookId);
    this.#owners.delete(webhookId);
  }

  #moveToEnd(webhookId: string): void {
    const dueMs = this.#dueMs.get(webhookId) ?? 0;
    this.#dueMs.delete(webhookId);
    this.#dueMs.set(webhookId, dueMs);
  }

  /** What is due already waits for a landing, not for time. */
  #sleep(): void {
    const nowMs = this.#options.clock.wallMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const dueMs of this.#dueMs.values()) {
      if (dueMs > nowMs && dueMs < nextMs) nextMs = dueMs;
    }
    if (nextMs !== Number.POSITIVE_INFINITY) this.#wakeIn(Math.min(nextMs - nowMs, SLEEP_MAX_MS));
  }

  #wakeIn(delayMs: number): void {
    this.#cancelAlarm?.();
    this.#cancelAlarm = this.#options.clock.setAlarm(delayMs, () => {
      this.#cancelAlarm = null;
      void this.#pump();
    });
  }
}

/** What an attempt makes of its endpoint. */
function verdictOn(endpoint: EndpointRecord, attempt: AttemptRecord): Verdict {
  const { health, disabledReason, disabledAtMs } = endpoint;
  const { atMs, httpStatus } = attempt;
  if (isAccepted(httpStatus)) {
    return {
      health: {
        failureStreak: 0,
        failingSinceMs: null,
        lastAttemptAtMs: atMs,
        lastSuccessAtMs: atMs,
      },
      disabledReason,
      disabledAtMs,
    };
  }
  const failingSinceMs = health.failingSinceMs ?? atMs;
  const failed = {
    ...health,
    failureStreak: health.failureStreak + 1,
    failingSinceMs,
    lastAttemptAtMs: atMs,
  };
  if (disabledReason !== null) return { health: failed, disabledReason, disabledAtMs };
  if (httpStatus === GONE) return { health: failed, disabledReason: 'gone', disabledAtMs: atMs };
  if (atMs - failingSinceMs < limits.webhook.disableAfterMs) {
    return { health: failed, disabledReason: null, disabledAtMs: null };
  }
  return { health: failed, disabledReason: 'failing', disabledAtMs: atMs };
}

function attemptOf(number: number, atMs: number, result: OutboundResult): AttemptRecord {
  const isAnswered = result.kind === 'answered';
  return {
    number,
    atMs,
    httpStatus: isAnswered ? result.status : null,
    failure: isAnswered ? null : result.failure,
    latencyMs: result.latencyMs,
    answerBytes: isAnswered ? result.answerBytes : null,
  };
}

function isAccepted(httpStatus: number | null): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}
