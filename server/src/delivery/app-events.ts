// Events of apps: the platform store is their outbox, since it keeps every change of an app's status.
import type { WebhookEventType } from '@sibyl/contract';
import type { AppStatus } from '../ports/apps.ts';
import type { PlatformStore } from '../ports/platform.ts';

export interface AppEvent {
  readonly type: WebhookEventType;
  /** What tells it from every other. */
  readonly source: string;
  readonly atMs: number;
  readonly data: object;
}

const TOLD: Readonly<Partial<Record<AppStatus, WebhookEventType>>> = {
  approved: 'app.approved',
  disabled: 'app.disabled',
};

export const appEventTypes: readonly WebhookEventType[] = Object.values(TOLD);

/** Of all apps of an owner; apps belong to no environment, so endpoints of both hear of them. */
export async function appEventsOf(
  { apps }: Pick<PlatformStore, 'apps'>,
  ownerId: string,
): Promise<readonly AppEvent[]> {
  const events: AppEvent[] = [];
  for (const { appId, name } of await apps.appsOf(ownerId)) {
    for (const [index, { to, atMs }] of (await apps.statusChanges(appId)).entries()) {
      const type = TOLD[to];
      if (type === undefined) continue;
      const data = { app_id: appId, name, status: to };
      events.push({ type, source: `${appId} ${index}`, atMs, data });
    }
  }
  return events;
}
