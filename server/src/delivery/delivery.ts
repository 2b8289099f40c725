// Webhook delivery as one part of the server: the tails of the lanes, the dispatcher, and what owners can ask for.
import { limits, type WebhookData, type WebhookEventType } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { Job } from '../handling/job.ts';
import type { Outbound, WebhookOwner } from '../ports/outbound.ts';
import type { PlatformStore, SavedAnswer } from '../ports/platform.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import type {
  DeliveryRecord,
  EndpointAdded,
  EndpointChange,
  EndpointRecord,
  NewDelivery,
  WebhookStore,
} from '../ports/webhooks.ts';
import { bodyOf } from './body.ts';
import { DeliveryCounts } from './delivery-counts.ts';
import { Dispatcher } from './dispatcher.ts';
import { KeyEvents, type KeyView } from './key-events.ts';
import {
  breakerEvent,
  deliveriesOf,
  disabledEvent,
  rotatedEvent,
  testEvent,
} from './own-events.ts';
import type { DispatcherLimits } from './shares.ts';
import { secretText } from './sign.ts';
import { Tail, type TailedLane, type TailLimits } from './tail.ts';
import { secretOwner, Vault } from './vault.ts';

type LaneName = TailedLane['name'];

export interface DeliveryOptions {
  readonly store: WebhookStore;
  readonly outbound: Outbound;
  readonly lanes: Readonly<Partial<Record<LaneName, TailedLane>>>;
  readonly platform: PlatformStore;
  readonly keyView: KeyView;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  /** Something failed and will be tried again. */
  readonly failed: (message: string, error: unknown) => void;
  readonly limits?: Partial<DispatcherLimits & TailLimits>;
}

export interface DeliveryStatus {
  /** How long the oldest delivery that could be tried has been waiting. */
  readonly overdueMs: number;
  /** Durable commands of each lane that have not been turned into deliveries yet. */
  readonly unread: readonly (readonly [lane: LaneName, commands: number])[];
  readonly disabled: number;
  readonly endpoints: number;
}

const SECRET_BYTES = 32;
const ID_LENGTH = 20;
const REPLAYS_MAX = 10_000;
const PRUNE_EVERY_MS = 3_600_000;
const KEYS_EVERY_MS = 15_000;

export function createDelivery(options: DeliveryOptions): Delivery {
  return new Delivery(options);
}

export class Delivery {
  readonly store: WebhookStore;
  readonly #options: DeliveryOptions;
  readonly #vault: Vault;
  readonly #dispatcher: Dispatcher;
  readonly #tails: ReadonlyMap<LaneName, Tail>;
  readonly #keyEvents: KeyEvents;
  readonly counts = new DeliveryCounts();

  constructor(options: DeliveryOptions) {
    const { store, outbound, clock, random, platform, keyView } = options;
    this.store = store;
    this.#options = options;
    this.#vault = new Vault(options.secrets, random);
    this.#dispatcher = new Dispatcher({
      store,
      outbound,
      vault: this.#vault,
      clock,
      random,
      limits: options.limits,
      disabled: (endpoint) => {
        this.counts.disabled += 1;
        this.#inBackground(this.#announceDisabled(endpoint));
      },
      attempted: (attempt, isGivenUp) => this.counts.add(attempt, isGivenUp),
      failed: (error) => options.failed('webhooks were not sent', error),
    });
    const tails = Object.values(options.lanes).map((lane) => this.#tailOf(lane));
    this.#tails = new Map(tails);
    this.#keyEvents = new KeyEvents({
      platform,
      keyView,
      clock,
      endpoints: () => this.#allEndpoints(),
      record: async (found) => {
        await this.#add(found.map((delivery) => ({ ...delivery, deliveryId: this.#deliveryId() })));
      },
      remove: (endpoint) => this.remove(endpoint),
      failed: (error) => options.failed('events of keys were not recorded', error),
    });
  }

  /** Attempts under way. */
  get inFlight(): number {
    return this.#dispatcher.inFlight;
  }

  /** How things stand: what is overdue, what the journals have and nobody was told of, who is switched off. */
  async status(): Promise<DeliveryStatus> {
    const nowMs = this.#options.clock.wallMs();
    const dueMs = [...(await this.store.dueTimes()).values()];
    const overdueMs = dueMs.reduce((longest, due) => Math.max(longest, nowMs - due), 0);
    const endpoints = await this.#allEndpoints();
    const unread = await Promise.all(
      [...this.#tails].map(async ([lane, tail]) => [lane, await tail.lag()] as const),
    );
    return {
      overdueMs,
      unread,
      disabled: endpoints.filter(({ disabledReason }) => disabledReason !== null).length,
      endpoints: endpoints.length,
    };
  }

  /** Goes on where the last run ended; catching up with the journals continues in the background. */
  async start(): Promise<void> {
    await this.#announceAllDisabled();
    for (const tail of this.#tails.values()) await tail.start();
    this.#keyEvents.start();
    await this.#dispatcher.start();
  }

  /** Everything that has happened is recorded; what it leads to may still be on its way. */
  async settle(): Promise<void> {
    for (const tail of this.#tails.values()) await tail.settle();
    await this.#keyEvents.settle();
  }

  /** What it does regularly. Every change is recorded at once; `key_events` finds what a failure kept from being recorded. */
  get jobs(): readonly Job[] {
    const { clock } = this.#options;
    const { deliveryLogMs } = limits.webhook;
    const prune = (): Promise<void> => {
      const nowMs = clock.wallMs();
      return this.store.prune(nowMs - deliveryLogMs, nowMs - limits.idempotency.windowMs);
    };
    const common = { lane: null, once: true } as const;
    return [
      {
        ...common,
        name: 'key_events',
        schedule: { everyMs: KEYS_EVERY_MS },
        run: () => this.#keyEvents.look(),
      },
      { ...common, name: 'webhook_pruning', schedule: { everyMs: PRUNE_EVERY_MS }, run: prune },
    ];
  }

  /** Before the lanes are closed. Attempts under way are finished. */
  async stop(): Promise<void> {
    await this.#keyEvents.stop();
    for (const tail of this.#tails.values()) await tail.stop();
    await this.#dispatcher.stop();
  }

  /** Null if the URL may be registered, else why not. */
  inspect(url: string, owner: WebhookOwner): Promise<string | null> {
    return this.#options.outbound.inspect(url, owner);
  }

  newWebhookId(): string {
    return `wh_${this.#options.random.token(ID_LENGTH)}`;
  }

  /** A fresh secret: as its owner is shown it once, and as it is kept. */
  newSecret(owner: { readonly webhookId: string; readonly accountId: string }): {
    readonly text: string;
    readonly sealed: string;
  } {
    const secret = this.#options.random.bytes(SECRET_BYTES);
    return { text: secretText(secret), sealed: this.#vault.seal(secret, secretOwner(owner)) };
  }

  /** Resolves when events of new commands reach it, if it was added. */
  async register(endpoint: EndpointRecord, saved?: SavedAnswer): Promise<EndpointAdded> {
    const added = await this.store.addEndpoint(endpoint, saved, limits.webhook.perAccountMax);
    if (added === 'added') await this.#tails.get(endpoint.environment)?.refresh();
    return added;
  }

  async change(
    webhookId: string,
    change: EndpointChange,
    saved?: SavedAnswer,
  ): Promise<EndpointRecord | 'taken' | null> {
    const changed = await this.store.changeEndpoint(webhookId, change, saved);
    if (changed !== null && changed !== 'taken') {
      await this.#tails.get(changed.environment)?.refresh();
    }
    return changed;
  }

  async remove(endpoint: EndpointRecord, saved?: SavedAnswer): Promise<void> {
    await this.store.removeEndpoint(endpoint.webhookId, saved);
    await this.#tails.get(endpoint.environment)?.refresh();
  }

  /** After the new secret is stored. */
  async announceRotation(endpoint: EndpointRecord, rotatedAtMs: number): Promise<void> {
    const expiresAtMs = rotatedAtMs + limits.webhook.rotationGraceMs;
    const event = rotatedEvent(endpoint, rotatedAtMs, expiresAtMs);
    const endpoints = await this.#endpointsBeside(endpoint);
    await this.#add(deliveriesOf(event, endpoints, () => this.#deliveryId()));
  }

  /** To every endpoint of the lane that asked for it; the lane may be unable to say so itself. */
  announceBreaker(lane: LaneName, breaker: WebhookData<'circuit_breaker.changed'>): void {
    const event = breakerEvent(lane, breaker);
    this.#inBackground(
      this.store.endpointsIn(lane).then((endpoints) => {
        const enabled = endpoints.filter(({ disabledReason }) => disabledReason === null);
        return this.#add(deliveriesOf(event, enabled, () => this.#deliveryId()));
      }),
    );
  }

  /** Sends an example of the type to this endpoint alone, whether it asked for the type or not. */
  async test(
    endpoint: EndpointRecord,
    type: WebhookEventType,
    saved?: (deliveryIds: readonly string[]) => SavedAnswer | undefined,
  ): Promise<readonly string[]> {
    const { clock, random } = this.#options;
    const event = testEvent(type, endpoint, clock.wallMs(), random.token(ID_LENGTH));
    const deliveryId = this.#deliveryId();
    const { webhookId } = endpoint;
    await this.#add([{ deliveryId, webhookId, event }], saved?.([deliveryId]));
    return [deliveryId];
  }

  /** Sends events again, in the order given, and says under which ids. */
  async replay(
    deliveries: readonly DeliveryRecord[],
    saved?: (deliveryIds: readonly string[]) => SavedAnswer | undefined,
  ): Promise<readonly string[]> {
    const replays = deliveries.map((of) => ({ deliveryId: this.#deliveryId(), of }));
    const ids = replays.map(({ deliveryId }) => deliveryId);
    await this.store.replay(replays, this.#options.clock.wallMs(), saved?.(ids));
    this.#dispatcher.wake(new Set(deliveries.map(({ webhookId }) => webhookId)));
    return ids;
  }

  /** Tries again at once what waits for its next attempt; it keeps its id. */
  async hasten(
    { deliveryId, webhookId }: DeliveryRecord,
    saved?: (deliveryIds: readonly string[]) => SavedAnswer | undefined,
  ): Promise<readonly string[]> {
    const ids = [deliveryId];
    await this.store.hasten(deliveryId, this.#options.clock.wallMs(), saved?.(ids));
    this.#dispatcher.wake([webhookId]);
    return ids;
  }

  /** The body that every attempt of it has. */
  body({ event, sequence }: DeliveryRecord): string {
    return bodyOf(event, sequence);
  }

  /** What `replay` since a time would send. */
  deliveriesSince(webhookId: string, sinceMs: number): Promise<readonly DeliveryRecord[]> {
    return this.store.finishedSince(webhookId, sinceMs, REPLAYS_MAX);
  }

  #tailOf(lane: TailedLane): [LaneName, Tail] {
    const { store, clock, random, failed } = this.#options;
    const tail = new Tail({
      lane,
      store,
      clock,
      random,
      limits: this.#options.limits,
      wake: (webhookIds) => this.#dispatcher.wake(webhookIds),
      failed: (error) => failed(`webhook events of the ${lane.name} lane were not recorded`, error),
    });
    return [lane.name, tail];
  }

  async #add(deliveries: readonly NewDelivery[], saved?: SavedAnswer): Promise<void> {
    if (deliveries.length === 0) return;
    await this.store.add(deliveries, this.#options.clock.wallMs(), saved);
    this.#dispatcher.wake(new Set(deliveries.map(({ webhookId }) => webhookId)));
  }

  /** The disabled endpoint cannot be told; the owner's others can. */
  async #announceDisabled(endpoint: EndpointRecord): Promise<void> {
    const { disabledReason, webhookId } = endpoint;
    if (disabledReason !== 'gone' && disabledReason !== 'failing') return;
    const event = disabledEvent(endpoint, disabledReason);
    const others = (await this.#endpointsBeside(endpoint)).filter(
      (other) => other.webhookId !== webhookId,
    );
    await this.#add(deliveriesOf(event, others, () => this.#deliveryId()));
  }

  /** A crash may have come between switching off and telling; what was told is told once. */
  async #announceAllDisabled(): Promise<void> {
    const sinceMs = this.#options.clock.wallMs() - 86_400_000;
    for (const endpoint of await this.#allEndpoints()) {
      if ((endpoint.disabledAtMs ?? 0) > sinceMs) await this.#announceDisabled(endpoint);
    }
  }

  async #endpointsBeside({
    environment,
    accountId,
  }: EndpointRecord): Promise<readonly EndpointRecord[]> {
    const endpoints = await this.store.endpointsIn(environment);
    return endpoints.filter((endpoint) => endpoint.accountId === accountId);
  }

  async #allEndpoints(): Promise<readonly EndpointRecord[]> {
    const lists = await Promise.all(
      [...this.#tails.keys()].map((environment) => this.store.endpointsIn(environment)),
    );
    return lists.flat();
  }

  #deliveryId(): string {
    return `dlv_${this.#options.random.token(ID_LENGTH)}`;
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.failed('webhooks were not tidied up', error));
  }
}
