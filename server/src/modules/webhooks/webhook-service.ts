// What the handlers of webhooks need from the delivery of webhooks, as an interface.
import type { WebhookEventType } from '@sibyl/contract';
import type { WebhookOwner } from '../../ports/outbound.ts';
import type { SavedAnswer } from '../../ports/platform.ts';
import type {
  DeliveryRecord,
  EndpointAdded,
  EndpointChange,
  EndpointRecord,
  WebhookStore,
} from '../../ports/webhooks.ts';

type SaveIds = (deliveryIds: readonly string[]) => SavedAnswer | undefined;

export interface WebhookService {
  readonly store: WebhookStore;
  /** Null if the URL may be registered, else why not. */
  inspect(url: string, owner: WebhookOwner): Promise<string | null>;
  newWebhookId(): string;
  /** As its owner is shown it once, and as it is kept. */
  newSecret(owner: { readonly webhookId: string; readonly accountId: string }): {
    readonly text: string;
    readonly sealed: string;
  };
  register(endpoint: EndpointRecord, saved?: SavedAnswer): Promise<EndpointAdded>;
  change(
    webhookId: string,
    change: EndpointChange,
    saved?: SavedAnswer,
  ): Promise<EndpointRecord | 'taken' | null>;
  remove(endpoint: EndpointRecord, saved?: SavedAnswer): Promise<void>;
  announceRotation(endpoint: EndpointRecord, rotatedAtMs: number): Promise<void>;
  /** Gives the ids of the new deliveries, as `replay` does. */
  test(
    endpoint: EndpointRecord,
    type: WebhookEventType,
    saved?: SaveIds,
  ): Promise<readonly string[]>;
  replay(deliveries: readonly DeliveryRecord[], saved?: SaveIds): Promise<readonly string[]>;
  /** Tries again at once what waits for its next attempt; it keeps its id. */
  hasten(delivery: DeliveryRecord, saved?: SaveIds): Promise<readonly string[]>;
  /** The body that every attempt of it has. */
  body(delivery: DeliveryRecord): string;
  deliveriesSince(webhookId: string, sinceMs: number): Promise<readonly DeliveryRecord[]>;
}
