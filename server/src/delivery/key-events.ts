// Events of keys, apps and grants: the platform store is their outbox, since a key keeps when it was made and when it was revoked.
import {
  type ApiKey,
  limits,
  type Tier,
  type TierLimits,
  tiers,
  type WebhookEventType,
} from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { KeyPage, KeyRecord, PlatformStore } from '../ports/platform.ts';
import type { EndpointRecord, EventRecord, NewDelivery } from '../ports/webhooks.ts';
import { tierChangeData } from '../wire/tier-change.ts';
import { type AppEvent, appEventsOf, appEventTypes } from './app-events.ts';
import { eventIdOf } from './event-record.ts';
import { grantEventsOf, grantEventTypes, isLeftBehind } from './grant-events.ts';

/** Keys as others see them. */
export interface KeyView {
  /** As lists show it. */
  show(key: KeyRecord, nowMs: number): Promise<ApiKey>;
  /** What a key of a tier may do at a moment, as operators set it. */
  limitsOf(key: Pick<KeyRecord, 'tier' | 'userId'>, atMs: number): Promise<TierLimits>;
}

export interface KeyEventsOptions {
  readonly platform: PlatformStore;
  readonly keyView: KeyView;
  readonly clock: Clock;
  readonly endpoints: () => Promise<readonly EndpointRecord[]>;
  readonly record: (deliveries: readonly Omit<NewDelivery, 'deliveryId'>[]) => Promise<void>;
  /** Ends an endpoint whose maker is no longer allowed anything. */
  readonly remove: (endpoint: EndpointRecord) => Promise<void>;
  readonly failed: (error: unknown) => void;
}

const PAGE = 500;

/** Older occurrences may have left the log, and must not be told of again. */
const TOLD_FOR_MS = limits.webhook.deliveryLogMs - 86_400_000;

const KEY_TYPES: readonly WebhookEventType[] = [
  'key.created',
  'key.revoked',
  'builder.tier_changed',
];

const TYPES = [KEY_TYPES, appEventTypes, grantEventTypes];

export class KeyEvents {
  readonly #options: KeyEventsOptions;
  /** By endpoint and event: what is recorded, or was found to be. */
  readonly #told = new Set<string>();
  #stopListening: (() => void) | null = null;
  /** One check sees everything that happened before it, so one in waiting is enough. */
  #isCheckWanted = false;
  #work: Promise<void> = Promise.resolve();

  constructor(options: KeyEventsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#stopListening = this.#options.platform.onChange(() => this.check());
    this.check();
  }

  check(): void {
    if (!this.#isCheckWanted) this.look().catch(this.#options.failed);
  }

  /** Looks for what has not been told of yet, after a look that is under way. */
  look(): Promise<void> {
    this.#isCheckWanted = true;
    const look = this.#work.then(() => {
      this.#isCheckWanted = false;
      return this.#tell();
    });
    this.#work = look.catch(() => undefined);
    return look;
  }

  settle(): Promise<void> {
    return this.#work;
  }

  async stop(): Promise<void> {
    this.#stopListening?.();
    await this.#work;
  }

  async #tell(): Promise<void> {
    const endpoints = await this.#options.endpoints();
    for (const endpoint of endpoints) {
      if (await isLeftBehind(this.#options.platform, endpoint, this.#options.clock.wallMs())) {
        await this.#options.remove(endpoint);
        continue;
      }
      if (!TYPES.some((types) => wants(endpoint, types))) continue;
      const events = (await this.#eventsFor(endpoint)).filter(({ type }) =>
        endpoint.eventTypes.includes(type),
      );
      const fresh = events.filter(({ eventId }) => !this.#told.has(keyOf(endpoint, eventId)));
      if (fresh.length === 0) continue;
      const { webhookId } = endpoint;
      await this.#options.record(fresh.map((event) => ({ webhookId, event })));
      for (const { eventId } of fresh) this.#told.add(keyOf(endpoint, eventId));
    }
  }

  async #eventsFor(endpoint: EndpointRecord): Promise<readonly EventRecord[]> {
    const { clock, keyView } = this.#options;
    const nowMs = clock.wallMs();
    const events: EventRecord[] = [];
    for (const { type, source, atMs, data } of await this.#appEvents(endpoint)) {
      events.push(platformEvent(type, endpoint, source, atMs, data));
    }
    const keys = wants(endpoint, KEY_TYPES) ? await this.#keysOf(endpoint.holderId) : [];
    for (const key of keys) {
      const shown = await keyView.show(key, nowMs);
      if (shown.environment !== endpoint.environment) continue;
      const make = (type: WebhookEventType, atMs: number, data: object): EventRecord =>
        platformEvent(type, endpoint, `${key.publicId} ${atMs}`, atMs, data);
      events.push(make('key.created', key.createdAtMs, shown));
      if (key.revokedAtMs !== null) events.push(make('key.revoked', key.revokedAtMs, shown));
      if (!endpoint.eventTypes.includes('builder.tier_changed')) continue;
      for (const { atMs, data } of await this.#tierChanges(key)) {
        events.push(make('builder.tier_changed', atMs, data));
      }
    }
    const sinceMs = Math.max(endpoint.createdAtMs, nowMs - TOLD_FOR_MS);
    return events
      .filter(({ createdAtMs }) => createdAtMs >= sinceMs)
      .sort((a, b) => a.createdAtMs - b.createdAtMs);
  }

  async #appEvents(endpoint: EndpointRecord): Promise<readonly AppEvent[]> {
    const { platform } = this.#options;
    const { holderId, createdAtMs } = endpoint;
    return [
      ...(wants(endpoint, appEventTypes) ? await appEventsOf(platform, holderId) : []),
      ...(wants(endpoint, grantEventTypes)
        ? await grantEventsOf(platform, endpoint, createdAtMs)
        : []),
    ];
  }

  /** Each with what the key was allowed from then on, whatever was changed since. */
  async #tierChanges(key: KeyRecord): Promise<readonly { atMs: number; data: object }[]> {
    const { platform, keyView } = this.#options;
    const told: { atMs: number; data: object }[] = [];
    const changes = await platform.tierChanges(key.publicId);
    // The key may have been read before the last of them was made.
    const firstRate = changes.find(({ field }) => field === 'rate_multiplier')?.from;
    let rateMultiplier = Number(firstRate ?? key.rateMultiplier);
    for (const { field, from, to, reason, atMs } of changes) {
      if (field === 'rate_multiplier') {
        rateMultiplier = Number(to);
        continue;
      }
      const step = { from: knownTier(from), to: knownTier(to), reason };
      const inForce = await keyView.limitsOf({ ...key, tier: step.to }, atMs);
      told.push({ atMs, data: tierChangeData({ ...key, rateMultiplier }, step, inForce) });
    }
    return told;
  }

  async #keysOf(holderId: string): Promise<readonly KeyRecord[]> {
    const keys: KeyRecord[] = [];
    let after: KeyPage['after'] = null;
    for (;;) {
      const page: readonly KeyRecord[] = await this.#options.platform.keysOf(holderId, {
        limit: PAGE,
        after,
      });
      keys.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return keys;
      after = { createdAtMs: last.createdAtMs, publicId: last.publicId };
    }
  }
}

function wants({ eventTypes }: EndpointRecord, types: readonly WebhookEventType[]): boolean {
  return types.some((type) => eventTypes.includes(type));
}

function keyOf({ webhookId }: EndpointRecord, eventId: string): string {
  return `${webhookId} ${eventId}`;
}

function platformEvent(
  type: WebhookEventType,
  { environment, accountId }: EndpointRecord,
  source: string,
  atMs: number,
  data: object,
): EventRecord {
  return {
    eventId: eventIdOf(`${type} ${source}`),
    environment,
    type,
    aggregate: `account:${accountId}`,
    createdAtMs: atMs,
    data: JSON.stringify(data),
    isTest: false,
  };
}

function knownTier(text: string): Tier {
  return tiers.find((tier) => tier === text) ?? 'self_serve';
}
