// Which webhooks a caller sees, and over which a key has power.
import { type ApiError, fail, ownAccount, type RequestContext } from '../../handling/handler.ts';
import { lacking } from '../../handling/key-strength.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { EndpointRecord } from '../../ports/webhooks.ts';
import type { WebhookService } from './webhook-service.ts';

interface EndpointParts {
  readonly delivery: Pick<WebhookService, 'store'>;
  readonly platform: Pick<PlatformStore, 'keyById'>;
}

/** A foreign webhook looks like none at all. */
export async function ownEndpoint(
  { delivery }: EndpointParts,
  request: RequestContext,
  webhookId: string,
): Promise<EndpointRecord | ApiError> {
  const endpoint = await delivery.store.endpoint(webhookId);
  if (endpoint === null || endpoint.environment !== request.laneName) return fail('NOT_FOUND');
  const isOwn = endpoint.accountId === ownAccount(request) && isShownTo(request, endpoint);
  return isOwn ? endpoint : fail('NOT_FOUND');
}

/** An app knows of those that it has registered itself, with this grant. */
export function isShownTo(
  { credential }: Pick<RequestContext, 'credential'>,
  { createdBy }: Pick<EndpointRecord, 'createdBy'>,
): boolean {
  return credential?.kind !== 'token' || createdBy === credential.grantId;
}

/** What it ends with, or is managed by: the grant of an app, a key, or a session. */
export function makerOf({ credential }: RequestContext): string | null {
  if (credential?.kind === 'token') return credential.grantId;
  return credential?.kind === 'session' ? credential.sessionId : (credential?.publicId ?? null);
}

/** What concerns the person, their keys, their apps and what they earn, and not the account that an app was allowed. */
const OF_THE_PERSON = /^(key|grant|app|builder|subaccount|revenue)\./;

/** Null if the caller may hear of all of these: events tell what the account does, and an app that may not read it hears none. */
export function unheard(
  { credential }: RequestContext,
  eventTypes: readonly string[] | undefined,
): ApiError | null {
  if (credential?.kind !== 'token') return null;
  if (!credential.scopes.includes('account:read')) {
    return fail('SCOPE_MISSING', { required: 'account:read' });
  }
  const beyond = eventTypes?.find((type) => OF_THE_PERSON.test(type));
  if (beyond === undefined) return null;
  const message = `An app hears of the account, not of the person: ${beyond} is for sessions and keys.`;
  return fail('SCOPE_MISSING', { required: 'session', event_type: beyond }, message);
}

/** One that the caller may change: a session any of its user's, a key those whose maker can do no more than itself. */
export async function manageableEndpoint(
  parts: EndpointParts,
  request: RequestContext,
  webhookId: string,
): Promise<EndpointRecord | ApiError> {
  const endpoint = await ownEndpoint(parts, request, webhookId);
  const { credential } = request;
  // Behind an anonymous key there is nobody else whose webhook it could be.
  if (!('webhookId' in endpoint) || credential?.kind !== 'key' || credential.userId === null) {
    return endpoint;
  }
  const { createdBy, environment } = endpoint;
  const maker = createdBy === null ? null : await parts.platform.keyById(createdBy);
  const required = maker === null ? 'session' : lacking(credential, maker, environment);
  return required === null ? endpoint : tooStrong(required);
}

function tooStrong(required: string): ApiError {
  const maker = required === 'session' ? 'a logged-in user' : `a key with ${required}`;
  const message = `A key changes no webhook of somebody who can do more than itself: ${maker} registered this one. Change it as a logged-in user.`;
  return fail('SCOPE_MISSING', { required }, message);
}
