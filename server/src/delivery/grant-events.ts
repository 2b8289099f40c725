// Events of grants: the platform store is their outbox, since a grant keeps when it was given and when it was revoked.
import type { WebhookData, WebhookEventType } from '@sibyl/contract';
import { type GrantRecord, holdsAt } from '../ports/grants.ts';
import type { PlatformStore } from '../ports/platform.ts';
import type { EndpointRecord } from '../ports/webhooks.ts';
import type { AppEvent } from './app-events.ts';

export const grantEventTypes: readonly WebhookEventType[] = ['grant.created', 'grant.revoked'];

const PAGE = 500;

/** Of the user's grants in the environment of the endpoint. */
export async function grantEventsOf(
  { grants }: Pick<PlatformStore, 'grants'>,
  { holderId, environment }: Pick<EndpointRecord, 'holderId' | 'environment'>,
  sinceMs: number,
): Promise<readonly AppEvent[]> {
  const events: AppEvent[] = [];
  let after: { createdAtMs: number; grantId: string } | null = null;
  for (;;) {
    const page: readonly GrantRecord[] = await grants.grantsOf(holderId, {
      limit: PAGE,
      inForceAtMs: null,
      after,
    });
    for (const grant of page)
      if (grant.lane === environment) events.push(...toldOf(grant, sinceMs));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return events;
    after = { createdAtMs: last.createdAtMs, grantId: last.grantId };
  }
}

function toldOf(
  { grantId, appId, scopes, createdAtMs, revokedAtMs }: GrantRecord,
  sinceMs: number,
): readonly AppEvent[] {
  const data: WebhookData<'grant.created'> = {
    grant_id: grantId,
    app_id: appId,
    scopes: [...scopes],
  };
  const told: AppEvent[] = [
    { type: 'grant.created', source: grantId, atMs: createdAtMs, data },
    ...(revokedAtMs === null
      ? []
      : [{ type: 'grant.revoked' as const, source: grantId, atMs: revokedAtMs, data }]),
  ];
  return told.filter(({ atMs }) => atMs >= sinceMs);
}

/** Whether an app registered it with a grant that is over: whoever may no longer ask is no longer told either. */
export async function isLeftBehind(
  { grants }: Pick<PlatformStore, 'grants'>,
  { createdBy }: Pick<EndpointRecord, 'createdBy'>,
  nowMs: number,
): Promise<boolean> {
  if (createdBy === null || !createdBy.startsWith('grt_')) return false;
  const grant = await grants.grantById(createdBy);
  return grant === null || !holdsAt(grant, nowMs);
}
