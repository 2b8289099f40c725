// What is left of a request whose credential ended while it ran.
import type { Clock } from '@sibyl/lane';
import { type ApiError, type RequestContext, rejected } from '../../handling/handler.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { EndpointRecord } from '../../ports/webhooks.ts';
import type { WebhookService } from './webhook-service.ts';

interface Parts {
  readonly delivery: Pick<WebhookService, 'change'>;
  readonly platform: PlatformStore;
  readonly clock: Clock;
}

/**
 * Whether the credential ended while the request ran. What ends it removes or pauses the webhooks that are there by then; a request
 * that finishes later sees it here and takes its own back.
 */
export async function isOverMeanwhile(
  { platform }: Parts,
  { credential }: RequestContext,
): Promise<boolean> {
  if (credential === null) return false;
  const { userId } = credential;
  if (userId !== null && (await platform.userById(userId)) === null) return true;
  if (credential.kind === 'session') {
    return (await platform.sessionById(credential.sessionId))?.endedAtMs !== null;
  }
  if (credential.kind !== 'key') return false;
  const key = await platform.keyById(credential.publicId);
  return key === null || key.revokedAtMs !== null;
}

/** Changed by a credential that ended meanwhile: it sends nothing until its owner has looked at it. */
export async function pausedMeanwhile(
  { delivery, clock }: Parts,
  { webhookId }: EndpointRecord,
): Promise<ApiError> {
  const atMs = clock.wallMs();
  const change = {
    disabledReason: 'password_changed',
    disabledAtMs: atMs,
    updatedAtMs: atMs,
  } as const;
  await delivery.change(webhookId, change);
  return rejected('revoked');
}
