// What is kept of a user beside the platform's own records: keys and webhooks to be shown, webhooks and requests to be erased.
import type { Clock } from '@sibyl/lane';
import type { PersonalRecords, ShownRecords } from './handling/personal-records.ts';
import { keyViewOf } from './key-view.ts';
import { webhookView } from './modules/webhooks/views.ts';
import type { WebhookService } from './modules/webhooks/webhook-service.ts';
import { destinationView } from './modules/withdrawals/destinations.ts';
import type { KeyRecord, PlatformStore, UserRecord } from './ports/platform.ts';
import type { RequestReader } from './ports/requests.ts';
import type { EndpointRecord } from './ports/webhooks.ts';

export interface OwnRecordsParts {
  readonly platform: PlatformStore;
  readonly delivery: Pick<WebhookService, 'store' | 'remove'>;
  /** Null where no log is kept. */
  readonly requests?: Pick<RequestReader, 'forget'> | null;
  readonly clock: Clock;
}

const PAGE = 500;

export class OwnRecords implements PersonalRecords {
  readonly #parts: OwnRecordsParts;

  constructor(parts: OwnRecordsParts) {
    this.#parts = parts;
  }

  async show(user: UserRecord): Promise<ShownRecords> {
    const nowMs = this.#parts.clock.wallMs();
    const view = keyViewOf(this.#parts.platform);
    const keys = await this.#keysOf(user.userId);
    const endpoints = await this.#endpointsOf(user);
    const destinations = await this.#parts.platform.destinations.of(user.userId);
    return {
      keys: await Promise.all(keys.map((key) => view.show(key, nowMs))),
      destinations: destinations.map((known) => destinationView(known, nowMs)),
      webhooks: endpoints.map((endpoint) => webhookView(endpoint, nowMs)),
    };
  }

  async erase(user: UserRecord): Promise<void> {
    const { delivery, requests } = this.#parts;
    for (const endpoint of await this.#endpointsOf(user)) await delivery.remove(endpoint);
    await delivery.store.forgetAnswers(user.userId);
    await requests?.forget(user.userId);
  }

  async #keysOf(userId: string): Promise<readonly KeyRecord[]> {
    const found: KeyRecord[] = [];
    for (;;) {
      const last = found.at(-1);
      const after =
        last === undefined ? null : { createdAtMs: last.createdAtMs, publicId: last.publicId };
      const page = await this.#parts.platform.keysOf(userId, { limit: PAGE, after });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  async #endpointsOf({ accounts }: UserRecord): Promise<readonly EndpointRecord[]> {
    const { store } = this.#parts.delivery;
    const all = await Promise.all(
      [accounts.live, accounts.sandbox].map((accountId) =>
        store.endpointsOf(accountId, { limit: PAGE, after: null }),
      ),
    );
    return all.flat();
  }
}
