// What is kept of a user beside the platform's own records: keys, webhooks, limits and movements of money to be shown, webhooks and requests to be erased.
import { asAccountId, type LaneName } from '@sibyl/engine';
import type { Clock, Lane } from '@sibyl/lane';
import { heldKeys } from './handling/held-keys.ts';
import type { PausedWebhooks, PersonalRecords, ShownRecords } from './handling/personal-records.ts';
import { keyViewOf } from './key-view.ts';
import { stemsFrom } from './modules/keys/revocation.ts';
import { limitsView } from './modules/limits/handlers.ts';
import { webhookView } from './modules/webhooks/views.ts';
import type { WebhookService } from './modules/webhooks/webhook-service.ts';
import { destinationView } from './modules/withdrawals/destinations.ts';
import { familyDeposits, familyWithdrawals } from './modules/withdrawals/queries.ts';
import type { KeyRecord, PlatformStore, UserRecord } from './ports/platform.ts';
import type { RequestReader } from './ports/requests.ts';
import type { EndpointRecord } from './ports/webhooks.ts';
import { appView } from './wire/app-view.ts';
import { applicationView, profileView } from './wire/builder-view.ts';
import { depositView, withdrawalView } from './wire/funds.ts';

type Lanes = Readonly<Partial<Record<LaneName, Lane>>>;

export interface OwnRecordsParts {
  readonly platform: PlatformStore;
  readonly delivery: Pick<WebhookService, 'store' | 'remove' | 'change'>;
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

  async show(user: UserRecord, lanes: Lanes): Promise<ShownRecords> {
    const nowMs = this.#parts.clock.wallMs();
    const view = keyViewOf(this.#parts.platform);
    const keys: KeyRecord[] = [];
    for await (const key of heldKeys(this.#parts.platform, user.userId)) keys.push(key);
    const endpoints = await this.#endpointsOf(user);
    const destinations = await this.#parts.platform.destinations.of(user.userId);
    const builder = await this.#parts.platform.builders.of(user.userId);
    const apps = await this.#parts.platform.apps.appsOf(user.userId);
    return {
      keys: await Promise.all(keys.map((key) => view.show(key, nowMs))),
      destinations: destinations.map((known) => destinationView(known, nowMs)),
      webhooks: endpoints.map((endpoint) => webhookView(endpoint, nowMs)),
      builder:
        builder === null
          ? null
          : { profile: profileView(builder), application: applicationView(builder) },
      apps: apps.map((app) => appView(app, nowMs)),
      ...(await moneyOf(lanes, user)),
      own_limits: await limitsOf(lanes, user),
    };
  }

  async erase(user: UserRecord): Promise<void> {
    const { delivery, requests } = this.#parts;
    for (const endpoint of await this.#endpointsOf(user)) await delivery.remove(endpoint);
    await delivery.store.forgetAnswers(user.userId);
    await requests?.forget(user.userId);
  }

  async pauseWebhooks(user: UserRecord, keptSessionId: string | null): Promise<PausedWebhooks> {
    const { delivery, clock } = this.#parts;
    const paused: PausedWebhooks = [];
    for (const endpoint of await this.#endpointsOf(user)) {
      const { webhookId, environment, url, disabledReason } = endpoint;
      if (disabledReason !== null || (await this.#isKept(endpoint, keptSessionId))) continue;
      const atMs = clock.wallMs();
      const change = { disabledReason: 'password_changed', disabledAtMs: atMs } as const;
      const changed = await delivery.change(webhookId, { ...change, updatedAtMs: atMs });
      if (changed !== null) paused.push({ webhook_id: webhookId, environment, url });
    }
    return paused;
  }

  async #isKept(
    { createdBy, changedBy }: EndpointRecord,
    keptSessionId: string | null,
  ): Promise<boolean> {
    if (keptSessionId === null) return false;
    const { platform } = this.#parts;
    const isChangeKept =
      changedBy === null || (await stemsFrom(platform, changedBy, keptSessionId));
    return isChangeKept && stemsFrom(platform, createdBy, keptSessionId);
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

/** In and out, all of it; play money does neither. */
async function moneyOf(
  { live }: Lanes,
  { accounts }: UserRecord,
): Promise<Pick<ShownRecords, 'withdrawals' | 'deposits'>> {
  const accountId = asAccountId(accounts.live);
  const all = Number.MAX_SAFE_INTEGER;
  const found = await live?.read((state) => ({
    withdrawals: familyWithdrawals(state, accountId, null, all),
    deposits: familyDeposits(state, accountId, null, all),
  }));
  return {
    withdrawals: (found?.withdrawals ?? []).map(withdrawalView),
    deposits: (found?.deposits ?? []).map(depositView),
  };
}

async function limitsOf(
  lanes: Lanes,
  { accounts }: UserRecord,
): Promise<ShownRecords['own_limits']> {
  const found: ShownRecords['own_limits'] = [];
  for (const lane of Object.values(lanes)) {
    const accountId = asAccountId(accounts[lane.name]);
    const limits = await lane.read((state) =>
      state.accounts.has(accountId) ? limitsView(state, accountId) : null,
    );
    if (limits !== null) found.push({ environment: lane.name, limits });
  }
  return found;
}
