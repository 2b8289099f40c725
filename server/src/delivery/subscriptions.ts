// Which endpoints want an event: by its type, its owner and its market.
import type { WebhookNotice } from '../notices/notice.ts';
import type { EndpointRecord } from '../ports/webhooks.ts';

/** Says whose account it is. */
export interface Owners {
  ownerOf(accountId: string): string;
}

export class Subscriptions {
  readonly #byAccount = new Map<string, EndpointRecord[]>();
  /** For events of everybody, by type. */
  readonly #byType = new Map<string, EndpointRecord[]>();

  constructor(endpoints: readonly EndpointRecord[]) {
    for (const endpoint of endpoints) {
      append(this.#byAccount, endpoint.accountId, endpoint);
      for (const type of endpoint.eventTypes) append(this.#byType, type, endpoint);
    }
  }

  /** Whether an endpoint belongs to the owner of the account. */
  watches(accountId: string, owners: Owners): boolean {
    return this.#byAccount.has(owners.ownerOf(accountId));
  }

  matching(notice: WebhookNotice, owners: Owners): readonly EndpointRecord[] {
    return this.#candidates(notice, owners).filter((endpoint) => wants(endpoint, notice));
  }

  #candidates({ accountId, webhook }: WebhookNotice, owners: Owners): readonly EndpointRecord[] {
    if (accountId === null) return this.#byType.get(webhook) ?? [];
    return this.#byAccount.get(owners.ownerOf(accountId)) ?? [];
  }
}

/** A filter on markets leaves events alone that are of no market. */
function wants(endpoint: EndpointRecord, notice: WebhookNotice): boolean {
  const { webhook, marketId, variant, only } = notice;
  const { eventTypes, marketIds, environment } = endpoint;
  if (only !== undefined && only !== environment) return false;
  if (!eventTypes.includes(webhook) || variant?.(endpoint) === null) return false;
  return marketId === null || marketIds.length === 0 || marketIds.includes(marketId);
}

function append(map: Map<string, EndpointRecord[]>, key: string, endpoint: EndpointRecord): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [endpoint]);
  else list.push(endpoint);
}
