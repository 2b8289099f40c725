// Users whom operators help: found by the address of mail, granted scopes, handed links, and freed of second factors that they lost.

import {
  type InputOf,
  limits,
  type OperatorOperations,
  type OutputOf,
  userScopes,
} from '@sibyl/contract';
import {
  ApiError,
  actingOperator,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { secondFactorsOf } from '../handling/step-up.ts';
import type { LinkKind } from '../ports/links.ts';
import type { ScopeGrant } from '../ports/operators.ts';
import type { UserRecord } from '../ports/platform.ts';
import { tooManyAttempts } from '../proof/password-check.ts';
import { RecentTimes } from '../proof/recent-times.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { isAgreed } from './agreement.ts';
import { userView } from './found-user.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

type UserActs = Pick<
  OperatorHandlers,
  | 'getUserScopes'
  | 'setUserScopes'
  | 'createResetLink'
  | 'createVerificationLink'
  | 'findUser'
  | 'removeUserFactors'
>;

type UserScopes = OutputOf<OperatorOperations['getUserScopes']>;
type ScopesInput = InputOf<OperatorOperations['setUserScopes']>;
type Removed = OutputOf<OperatorOperations['removeUserFactors']>;

export function userActs(parts: OperatorParts): UserActs {
  const { operators, platform } = parts;
  const handOut = linkDesk(parts);
  return {
    async getUserScopes(_request, { params }) {
      const { user_id: userId } = params;
      if ((await platform.userById(userId)) === null) return fail('NOT_FOUND');
      return { data: scopesView(userId, await operators.scopesOf(userId)) };
    },
    setUserScopes: (request, input) => grant(parts, request, input),
    async createResetLink(request, { params }) {
      const user = await registered(parts, params.user_id);
      return user instanceof ApiError ? user : handOut('reset_password', user, request);
    },
    async createVerificationLink(request, { params }) {
      const user = await registered(parts, params.user_id);
      if (user instanceof ApiError) return user;
      const profile = await platform.profiles.of(user.userId);
      if ((profile?.emailVerifiedAtMs ?? null) === null)
        return handOut('verify_email', user, request);
      return fail('STATE_CONFLICT', { reason: 'the address is verified already' });
    },
    async findUser(_request, { query }) {
      const user = await platform.userByEmail(query.email);
      if (user === null || user.isDemo) return fail('NOT_FOUND');
      return { data: await userView(parts, user) };
    },
    removeUserFactors: (_request, { params }) => removeFactors(parts, params.user_id),
  };
}

/** Visitors of the page have no address, no password and no factors. */
async function registered(
  { platform }: Pick<OperatorParts, 'platform'>,
  userId: string,
): Promise<UserRecord | ApiError> {
  const user = await platform.userById(userId);
  return user === null || user.isDemo ? fail('NOT_FOUND') : user;
}

type HandedOut = Reply<OutputOf<OperatorOperations['createVerificationLink']>> | ApiError;

/**
 * Where mail is sent, nobody but its user sees a link: whoever had it could take the account. All operators together fill
 * nobody's mailbox with them.
 */
function linkDesk({ links, clock }: OperatorParts) {
  const { windowMs, perEmail } = limits.mail;
  const mails = new RecentTimes(clock, windowMs);
  return async (kind: LinkKind, user: UserRecord, request: RequestContext): Promise<HandedOut> => {
    const mailed = links.areMailed;
    const subject = `${kind} ${user.userId}`;
    const waitMs = mailed ? mails.waitMs(subject, perEmail) : 0;
    if (waitMs > 0) return tooManyAttempts(request, Math.ceil(waitMs / 1_000));
    if (mailed) mails.add(subject);
    const { url, expiresAtMs } = mailed
      ? { url: null, expiresAtMs: await links.mailTo(kind, user) }
      : await links.issue(kind, user.userId, true);
    return { data: { url, mailed, expires_at: isoTime(expiresAtMs), expires_at_ms: expiresAtMs } };
  };
}

/** Before two people look at it: why there is nothing to remove, or null. */
export async function removalFault(
  parts: Pick<OperatorParts, 'platform'>,
  userId: string,
): Promise<ApiError | null> {
  const user = await registered(parts, userId);
  if (user instanceof ApiError) return user;
  const factors = await secondFactorsOf(parts.platform.factors, userId);
  return factors.length === 0 ? withoutFactor() : null;
}

async function removeFactors(
  parts: OperatorParts,
  userId: string,
): Promise<Reply<Removed> | ApiError> {
  const user = await registered(parts, userId);
  if (user instanceof ApiError) return user;
  const atMs = parts.clock.wallMs();
  const removed = await parts.platform.factors.removeAll(userId, atMs);
  if (removed === null) return withoutFactor();
  const heldUntilMs = atMs + limits.factors.withdrawalHoldMs;
  const data = {
    user_id: userId,
    totp_removed: removed.hadTotp,
    passkeys_removed: removed.passkeys,
    sessions_ended: removed.sessionsEnded,
    withdrawals_held_until_at: isoTime(heldUntilMs),
    withdrawals_held_until_at_ms: heldUntilMs,
    mailed: parts.letters.factorsRemoved(user, heldUntilMs),
  };
  return { data };
}

function withoutFactor(): ApiError {
  return fail('STATE_CONFLICT', { reason: 'there is no second factor' });
}

async function grant(
  { operators, platform, clock }: OperatorParts,
  request: RequestContext,
  { params, body }: ScopesInput,
): Promise<Reply<UserScopes> | ApiError> {
  const { user_id: userId } = params;
  const user = await registered({ platform }, userId);
  if (user instanceof ApiError) return user;
  const granted: ScopeGrant = {
    userId,
    scopes: body.scopes,
    grantedBy: actingOperator(request).operatorId,
    reason: body.reason,
    atMs: clock.wallMs(),
  };
  const isGranted = await operators.grantScopes(
    granted,
    (held) => isAgreed(request) || !isMoreScope(held, body.scopes),
  );
  if (!isGranted) {
    return fail('STATE_CONFLICT', { reason: 'the scopes have just changed: look, and ask again' });
  }
  return { data: scopesView(userId, granted) };
}

/** Whether scopes are asked for that the user has not: one operator alone gives none. */
export function isMoreScope(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((scope) => !held.includes(scope));
}

export function scopesView(userId: string, granted: ScopeGrant | null): UserScopes {
  const atMs = granted?.atMs ?? null;
  return {
    user_id: userId,
    scopes: userScopes.filter((scope) => granted?.scopes.includes(scope)),
    granted_by: granted?.grantedBy ?? null,
    reason: granted?.reason ?? null,
    changed_at: isoTimeOrNull(atMs),
    changed_at_ms: atMs,
  };
}
