// One session: how it is begun, and what its holder is shown of it.
import { limits, type OperationOutput } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type ApiError,
  fail,
  isoTime,
  type LaneName,
  type Reply,
  type RequestContext,
  type SessionCredential,
} from '../../handling/handler.ts';
import type { PausedWebhooks } from '../../handling/personal-records.ts';
import type {
  AccountIds,
  PasswordChanged,
  PlatformStore,
  SessionRecord,
  UserRecord,
} from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';

import { deviceOf, networkOf } from './origin.ts';

type Session = OperationOutput<'register'>;

const ID_LENGTH = 16;
const TOKEN_BYTES = 32;

export interface OpeningParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
}

export async function openSession(
  { platform, secrets, random, clock }: OpeningParts,
  { laneName, ip, headers }: RequestContext,
  user: UserRecord,
): Promise<Reply<Session> | ApiError> {
  const sessionId = `ses_${random.token(ID_LENGTH)}`;
  const token = `${sessionId}_${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
  const createdAtMs = clock.wallMs();
  const expiresAtMs = createdAtMs + limits.session.lifetimeMs;
  const tokenHash = secrets.digest('token', token);
  const { userId, accounts, isDemo } = user;
  const session: SessionRecord = {
    sessionId,
    tokenHash,
    userId,
    createdAtMs,
    expiresAtMs,
    endedAtMs: null,
    // Who logs in has just proved who they are; a visitor is nobody.
    steppedUpAtMs: isDemo ? null : createdAtMs,
    lastSeenAtMs: createdAtMs,
    network: networkOf(ip),
    device: deviceOf(headers['user-agent']),
  };
  // The password may have been changed since it was found to be right.
  const loginIp = isDemo ? undefined : ip;
  const isAdded = await platform.addSession(session, user.passwordHash, loginIp);
  if (!isAdded) return fail('PASSWORD_INCORRECT');
  return { data: sessionView(token, { userId, accounts, expiresAtMs, isDemo }, laneName) };
}

/** Where the contract says that a session asks. */
export function ownSession({ credential }: RequestContext): SessionCredential {
  if (credential?.kind !== 'session') throw fail('AUTH_REQUIRED');
  return credential;
}

interface Holder {
  readonly userId: string;
  readonly accounts: AccountIds;
  readonly expiresAtMs: number;
  readonly isDemo: boolean;
}

export function sessionView(token: string, holder: Holder, laneName: LaneName): Session {
  const { userId, accounts, expiresAtMs, isDemo } = holder;
  return {
    session_token: token,
    user_id: userId,
    // Whatever address a visitor asked at, there is one account.
    account_id: accounts[isDemo ? 'sandbox' : laneName],
    mode: isDemo ? 'demo' : laneName,
    expires_at: isoTime(expiresAtMs),
    expires_at_ms: expiresAtMs,
  };
}

export function passwordChangedView(
  { sessionsEnded, keysRevoked }: PasswordChanged,
  paused: PausedWebhooks,
): OperationOutput<'changePassword'> {
  return { sessions_ended: sessionsEnded, keys_revoked: keysRevoked, webhooks_paused: paused };
}
