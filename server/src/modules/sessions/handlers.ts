// Sessions of people at the page: register, log in, log out, change the password.
import { limits, type OperationOutput, type Operations } from '@sibyl/contract';
import {
  ApiError,
  fail,
  type Handler,
  isoTime,
  type Reply,
  type RequestContext,
  type SessionCredential,
} from '../../gateway/handler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Passwords } from '../../ports/passwords.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { openAccounts } from './accounts.ts';
import { LoginThrottle } from './throttle.ts';

export interface SessionParts {
  readonly platform: PlatformStore;
  readonly passwords: Passwords;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
}

type Session = OperationOutput<'register'>;

const ID_LENGTH = 16;
const REFERRAL_LENGTH = 12;
const TOKEN_BYTES = 32;

export function sessionHandlers(parts: SessionParts): {
  readonly register: Handler<Operations['register']>;
  readonly logIn: Handler<Operations['logIn']>;
  readonly logOut: Handler<Operations['logOut']>;
  readonly changePassword: Handler<Operations['changePassword']>;
} {
  const throttle = new LoginThrottle(parts.clock);
  return {
    register: (request, { body }) => register(parts, throttle, request, body),
    logIn: (request, { body }) => logIn(parts, throttle, request, body),
    async logOut(request) {
      const { sessionId } = ownSession(request);
      await parts.platform.endSession(sessionId, parts.clock.wallMs());
      return { data: { logged_out: true } };
    },
    changePassword: (request, { body }) => changePassword(parts, throttle, request, body),
  };
}

interface Registration {
  readonly email: string;
  readonly password: string;
  readonly display_name?: string;
  readonly referral_code?: string;
}

/**
 * An email that is registered is answered as a login is, so that nothing tells it from a wrong password; see
 * docs/decisions/0025. All that may be refused without an attempt on it is refused before anybody looks it up.
 */
async function register(
  parts: SessionParts,
  throttle: LoginThrottle,
  request: RequestContext,
  body: Registration,
): Promise<Reply<Session> | ApiError> {
  const { platform } = parts;
  const { email, password, referral_code: code } = body;
  const weak = await weakness(parts, password, [email, body.display_name ?? '']);
  if (weak !== null) return weak;
  const referrer = code === undefined ? null : await platform.userByReferralCode(code);
  if (code !== undefined && referrer === null) {
    return fail('VALIDATION_FAILED', { field: 'referral_code', expected: 'a code of a user' });
  }
  if ((await platform.userByEmail(email)) !== null) return logIn(parts, throttle, request, body);
  const passwordHash = await parts.passwords.hash(password);
  if (passwordHash === null) return busy();
  const user = newUser(parts, body, passwordHash, referrer);
  if (!(await platform.addUser(user))) return logIn(parts, throttle, request, body);
  await openAccounts(request.lanes, platform, user, request.requestId);
  return openSession(parts, request, user);
}

async function logIn(
  parts: SessionParts,
  throttle: LoginThrottle,
  request: RequestContext,
  body: { readonly email: string; readonly password: string },
): Promise<Reply<Session> | ApiError> {
  const { email, password } = body;
  const user = await parts.platform.userByEmail(email);
  const refused = await checkPassword(parts, throttle, request, {
    email,
    password,
    hash: user?.passwordHash ?? null,
  });
  if (refused !== null) return refused;
  if (user === null) return fail('PASSWORD_INCORRECT');
  // A crash between the two halves of a registration is mended here.
  await openAccounts(request.lanes, parts.platform, user, request.requestId);
  return openSession(parts, request, user);
}

async function changePassword(
  parts: SessionParts,
  throttle: LoginThrottle,
  request: RequestContext,
  body: { readonly current_password: string; readonly new_password: string },
): Promise<Reply<{ sessions_ended: number; keys_revoked: number }> | ApiError> {
  const { sessionId, userId } = ownSession(request);
  const user = userId === null ? null : await parts.platform.userById(userId);
  if (user === null) return fail('AUTH_INVALID');
  const { email, displayName } = user;
  const refused = await checkPassword(parts, throttle, request, {
    email,
    password: body.current_password,
    hash: user.passwordHash,
  });
  if (refused !== null) return refused;
  const weak = await weakness(parts, body.new_password, [email, displayName ?? '']);
  if (weak !== null) return weak;
  const passwordHash = await parts.passwords.hash(body.new_password);
  if (passwordHash === null) return busy();
  const changed = await parts.platform.changePassword({
    userId: user.userId,
    verifiedHash: user.passwordHash,
    passwordHash,
    keptSessionId: sessionId,
    atMs: parts.clock.wallMs(),
  });
  // Somebody else changed it while this one was being looked at.
  if (changed === null) return fail('PASSWORD_INCORRECT');
  return { data: { sessions_ended: changed.sessionsEnded, keys_revoked: changed.keysRevoked } };
}

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** Null for an unknown email, which costs the same work. */
  readonly hash: string | null;
}

async function checkPassword(
  parts: SessionParts,
  throttle: LoginThrottle,
  request: RequestContext,
  { email, password, hash }: Attempt,
): Promise<ApiError | null> {
  const waitSec = throttle.enter(email, request.ipBucket);
  if (waitSec > 0) {
    return new ApiError('RATE_LIMITED', {
      details: { category: request.operation.rate, retry_after_sec: waitSec },
      headers: { 'retry-after': String(waitSec) },
    });
  }
  const isRight = await parts.passwords.verify(hash, password);
  if (isRight === null) {
    throttle.giveBack(email, request.ipBucket);
    return busy();
  }
  if (!isRight) return fail('PASSWORD_INCORRECT');
  throttle.succeed(email, request.ipBucket);
  return null;
}

async function weakness(
  parts: SessionParts,
  password: string,
  about: readonly string[],
): Promise<ApiError | null> {
  if (password.length < limits.password.lengthMin) {
    const reason = `It must have at least ${limits.password.lengthMin} characters.`;
    return fail('PASSWORD_TOO_WEAK', { reason });
  }
  const words = about
    .flatMap((text) => [text, ...text.split(/[@.\s]+/)])
    .filter((word) => word !== '');
  const strength = await parts.passwords.judge(password, words);
  if (strength === null) return busy();
  return strength.isStrong ? null : fail('PASSWORD_TOO_WEAK', { reason: strength.reason });
}

function newUser(
  { random, clock }: SessionParts,
  body: Registration,
  passwordHash: string,
  referrer: UserRecord | null,
): UserRecord {
  return {
    userId: `usr_${random.token(ID_LENGTH)}`,
    email: body.email,
    passwordHash,
    displayName: body.display_name ?? null,
    referralCode: random.token(REFERRAL_LENGTH),
    referrerId: referrer?.userId ?? null,
    tier: limits.graduation.from,
    rateMultiplier: 1,
    accounts: {
      live: `acc_${random.token(ID_LENGTH)}`,
      sandbox: `acc_${random.token(ID_LENGTH)}`,
    },
    createdAtMs: clock.wallMs(),
  };
}

async function openSession(
  { platform, secrets, random, clock }: SessionParts,
  request: RequestContext,
  user: UserRecord,
): Promise<Reply<Session> | ApiError> {
  const sessionId = `ses_${random.token(ID_LENGTH)}`;
  const token = `${sessionId}_${Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url')}`;
  const createdAtMs = clock.wallMs();
  const expiresAtMs = createdAtMs + limits.session.lifetimeMs;
  const tokenHash = secrets.digest('token', token);
  const { userId } = user;
  const session = { sessionId, tokenHash, userId, createdAtMs, expiresAtMs, endedAtMs: null };
  // The password may have been changed since it was found to be right.
  const isAdded = await platform.addSession(session, user.passwordHash);
  if (!isAdded) return fail('PASSWORD_INCORRECT');
  return {
    data: {
      session_token: token,
      user_id: userId,
      account_id: user.accounts[request.laneName],
      expires_at: isoTime(expiresAtMs),
      expires_at_ms: expiresAtMs,
    },
  };
}

function ownSession({ credential }: RequestContext): SessionCredential {
  if (credential?.kind !== 'session') throw fail('AUTH_REQUIRED');
  return credential;
}

/** Hashing is bounded; who comes when it is full must come again. */
function busy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '1' } });
}
