// Revoking a key: who may, and what stays behind it.
import { limits, type OperationOutput, permissions, tiers } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type ApiError,
  type Credential,
  fail,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import type { KeyRecord, PlatformStore } from '../../ports/platform.ts';
import type { WebhookStore } from '../../ports/webhooks.ts';
import { savedAs } from '../../wire/answer-once.ts';
import { apiKey, environmentOf, isSeenBy, publicIdOf, type TierBook } from './key.ts';

export interface RevocationParts {
  readonly platform: PlatformStore;
  readonly clock: Clock;
  readonly tierBook: TierBook;
  /** Endpoints that keys have registered. */
  readonly webhooks: Pick<WebhookStore, 'endpointsOf'>;
}

type RevokedKey = OperationOutput<'revokeKey'>;

export async function revokeKey(
  parts: RevocationParts,
  request: RequestContext,
  caller: Credential,
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
  const nowMs = clock.wallMs();
  const revoked: KeyRecord = { ...key, revokedAtMs: key.revokedAtMs ?? nowMs };
  const answer: RevokedKey = {
    ...(await apiKey(parts.tierBook, revoked, nowMs)),
    webhook_ids: await webhooksOf(parts, key),
  };
  await platform.revokeKey(publicId, nowMs, savedAs(request, nowMs, answer));
  return { data: answer };
}

/** A session revokes every key of its user; a key those of its own environment that can do no more than itself. */
function refusalOf(caller: Credential, key: KeyRecord): ApiError | null {
  if (caller.kind === 'session') return null;
  if (environmentOf(caller) !== environmentOf(key)) {
    return fail('WRONG_ENV_KEY', {
      credential_environment: environmentOf(caller),
      requested_environment: environmentOf(key),
    });
  }
  const strongest = strongestOf(key);
  if (isAbove(permissions, strongest, strongestOf(caller))) return tooStrong(strongest);
  // Tiers have caps in the live lane alone.
  const isCapped = environmentOf(key) === 'live';
  return isCapped && isAbove(tiers, key.tier, caller.tier) ? tooStrong(key.tier) : null;
}

function strongestOf(key: Pick<KeyRecord, 'permissions'>): string {
  return permissions.findLast((permission) => key.permissions.includes(permission)) ?? '';
}

/** Each word stands behind those that allow less. */
function isAbove(words: readonly string[], one: string, other: string): boolean {
  return words.indexOf(one) > words.indexOf(other);
}

function tooStrong(required: string): ApiError {
  const message = `A key revokes none that can do more than itself: this one has ${required}. Revoke it as a logged-in user.`;
  return fail('SCOPE_MISSING', { required }, message);
}

/** Those that the key registered, or one that is revoked with it. */
async function webhooksOf(parts: RevocationParts, key: KeyRecord): Promise<string[]> {
  const { live, sandbox } = key.accounts;
  const page = { limit: limits.webhook.perAccountMax, after: null };
  const accounts = live === sandbox ? [live] : [live, sandbox];
  const found = await Promise.all(accounts.map((id) => parts.webhooks.endpointsOf(id, page)));
  const left: string[] = [];
  for (const { webhookId, createdBy } of found.flat()) {
    if (await stemsFrom(parts.platform, createdBy, key.publicId)) left.push(webhookId);
  }
  return left;
}

async function stemsFrom(
  platform: PlatformStore,
  createdBy: string | null,
  publicId: string,
): Promise<boolean> {
  for (let id = createdBy; id !== null; ) {
    if (id === publicId) return true;
    id = (await platform.keyById(id))?.mintedBy ?? null;
  }
  return false;
}
