// Revoking a key: who may, and what stays behind it.
import { limits, type OperationOutput } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type ApiError,
  fail,
  type OwnCredential,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { environmentOf, isSeenBy } from '../../handling/held-keys.ts';
import { lacking } from '../../handling/key-strength.ts';
import type { KeyRecord, PlatformStore } from '../../ports/platform.ts';
import type { EndpointRecord, WebhookStore } from '../../ports/webhooks.ts';
import { savedAs } from '../../wire/answer-once.ts';
import { apiKey, publicIdOf, type TierBook } from './key.ts';

export interface RevocationParts {
  readonly platform: PlatformStore;
  readonly clock: Clock;
  readonly tierBook: TierBook;
  /** Endpoints that keys have registered. */
  readonly webhooks: {
    readonly store: Pick<WebhookStore, 'endpointsOf'>;
    remove(endpoint: EndpointRecord): Promise<void>;
  };
}

type WebhookParts = Pick<RevocationParts, 'platform' | 'webhooks'>;
type RevokedKey = OperationOutput<'revokeKey'>;

export async function revokeKey(
  parts: RevocationParts,
  request: RequestContext,
  caller: OwnCredential,
  reference: string,
): Promise<Reply<RevokedKey> | ApiError> {
  const { platform, clock } = parts;
  const publicId = publicIdOf(reference);
  const key = await platform.keyById(publicId);
  // A foreign key looks like none at all.
  if (key === null || key.holderId !== caller.holderId || !isSeenBy(caller, key)) {
    return fail('NOT_FOUND');
  }
  const refused = refusalOf(caller, key);
  if (refused !== null) return refused;
  // Before, so that whatever ends this in between can be done again with the key; and after, for what it made meanwhile.
  await removeAnonymous(parts, key);
  const nowMs = clock.wallMs();
  const revoked: KeyRecord = { ...key, revokedAtMs: key.revokedAtMs ?? nowMs };
  const answer: RevokedKey = {
    ...(await apiKey(parts.tierBook, revoked, nowMs)),
    webhook_ids: await webhooksOf(parts, key),
  };
  await platform.revokeKey(publicId, nowMs, savedAs(request, nowMs, answer));
  await removeAnonymous(parts, key);
  return { data: answer };
}

/** A session revokes every key of its user; a key those of its own environment that can do no more than itself. */
function refusalOf(caller: OwnCredential, key: KeyRecord): ApiError | null {
  if (caller.kind === 'session') return null;
  if (environmentOf(caller) !== environmentOf(key)) {
    return fail('WRONG_ENV_KEY', {
      credential_environment: environmentOf(caller),
      requested_environment: environmentOf(key),
    });
  }
  const required = lacking(caller, key, environmentOf(key));
  return required === null ? null : tooStrong(required);
}

function tooStrong(required: string): ApiError {
  const message = `A key revokes none that can do more than itself: this one has ${required}. Revoke it as a logged-in user.`;
  return fail('SCOPE_MISSING', { required }, message);
}

async function endpointsOf(
  { webhooks }: WebhookParts,
  { accounts: { live, sandbox } }: KeyRecord,
): Promise<readonly EndpointRecord[]> {
  const page = { limit: limits.webhook.perAccountMax, after: null };
  const accounts = live === sandbox ? [live] : [live, sandbox];
  const found = await Promise.all(accounts.map((id) => webhooks.store.endpointsOf(id, page)));
  return found.flat();
}

/** Ends an anonymous key that its holder did not revoke, with its webhooks. */
export async function endAnonymous(
  parts: WebhookParts,
  key: KeyRecord,
  atMs: number,
): Promise<void> {
  await removeAnonymous(parts, key);
  await parts.platform.revokeKey(key.publicId, atMs);
  await removeAnonymous(parts, key);
}

/** An anonymous key has no owner who could end its webhooks later. */
async function removeAnonymous(parts: WebhookParts, key: KeyRecord): Promise<void> {
  if (key.userId !== null) return;
  for (const endpoint of await endpointsOf(parts, key)) await parts.webhooks.remove(endpoint);
}

/** Those that the key, or one that is revoked with it, registered or last set anew. */
async function webhooksOf(parts: RevocationParts, key: KeyRecord): Promise<string[]> {
  const left: string[] = [];
  for (const { webhookId, createdBy, changedBy } of await endpointsOf(parts, key)) {
    const isTouched =
      (await stemsFrom(parts.platform, createdBy, key.publicId)) ||
      (await stemsFrom(parts.platform, changedBy, key.publicId));
    if (isTouched) left.push(webhookId);
  }
  return left;
}

/** Whether a maker is the given key or session, or was minted by it, directly or through other keys. */
export async function stemsFrom(
  platform: PlatformStore,
  madeBy: string | null,
  root: string,
): Promise<boolean> {
  for (let id = madeBy; id !== null; ) {
    if (id === root) return true;
    id = (await platform.keyById(id))?.mintedBy ?? null;
  }
  return false;
}
