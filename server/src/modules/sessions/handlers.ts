// Sessions of people at the page: register, log in, resume, log out, change the password.
import { limits, type OperationOutput, type Operations } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  ApiError,
  type Credential,
  fail,
  type Handler,
  type Reply,
  type RequestContext,
  rejected,
  type SessionCredential,
} from '../../handling/handler.ts';
import type { Passwords } from '../../ports/passwords.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { openAccounts } from './accounts.ts';
import { SessionCookie } from './cookie.ts';
import { DemoQuota, openDemo } from './demo.ts';
import { openSession, sessionView } from './session.ts';
import { LoginThrottle } from './throttle.ts';

export interface SessionParts {
  readonly platform: PlatformStore;
  readonly passwords: Passwords;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  /** Where clients reach the pages; null if that is this machine. */
  readonly publicUrl: string | null;
  /** How many demo accounts all addresses together may open. */
  readonly demosPerHour: number;
  /** Whose token it is, as for a bearer. */
  readonly identify: (token: string) => Promise<Credential | ApiError>;
}

type Session = OperationOutput<'register'>;

const ID_LENGTH = 16;
const REFERRAL_LENGTH = 12;

export function sessionHandlers(parts: SessionParts): {
  readonly register: Handler<Operations['register']>;
  readonly logIn: Handler<Operations['logIn']>;
  readonly openDemo: Handler<Operations['openDemo']>;
  readonly resumeSession: Handler<Operations['resumeSession']>;
  readonly logOut: Handler<Operations['logOut']>;
  readonly changePassword: Handler<Operations['changePassword']>;
} {
  const throttle = new LoginThrottle(parts.clock);
  const quota = new DemoQuota(parts.clock, parts.demosPerHour);
  const cookie = new SessionCookie(parts.publicUrl);
  return {
    register: (request, { body }) =>
      keeping(cookie, request, body, () => register(parts, throttle, request, body)),
    logIn: (request, { body }) =>
      keeping(cookie, request, body, () => logIn(parts, throttle, request, body)),
    // A foreign page must not use up what an address may open.
    openDemo: async (request, { body }) =>
      cookie.refusal(request, false) ??
      keeping(cookie, request, body, () => openDemo(parts, quota, request)),
    resumeSession: (request) => resume(parts, cookie, request),
    async logOut(request) {
      const { sessionId } = ownSession(request);
      await parts.platform.endSession(sessionId, parts.clock.wallMs());
      const reply = { data: { logged_out: true } };
      return cookie.isOwnPage(request) ? { ...reply, headers: cookie.clear() } : reply;
    },
    changePassword: (request, { body }) => changePassword(parts, throttle, request, body),
  };
}

/** Refused before anything is looked at: a foreign page must not sign a visitor in as somebody else. */
async function keeping(
  cookie: SessionCookie,
  request: RequestContext,
  body: { readonly cookie?: boolean },
  open: () => Promise<Reply<Session> | ApiError>,
): Promise<Reply<Session> | ApiError> {
  if (body.cookie !== true) return open();
  const refused = cookie.refusal(request, true);
  if (refused !== null) return refused;
  const reply = await open();
  if (reply instanceof ApiError) return reply;
  return { ...reply, headers: cookie.keep(reply.data.session_token) };
}

/** A visitor who was never here is no fault, so nothing but a foreign page is refused. */
async function resume(
  parts: SessionParts,
  cookie: SessionCookie,
  request: RequestContext,
): Promise<Reply<OperationOutput<'resumeSession'>> | ApiError> {
  const token = cookie.read(request);
  const refused = cookie.refusal(request, token !== null);
  if (refused !== null) return refused;
  if (token === null) return { data: { session: null } };
  const credential = await parts.identify(token);
  if (credential instanceof ApiError || credential.kind !== 'session') {
    return { data: { session: null }, headers: cookie.clear() };
  }
  return { data: { session: sessionView(token, credential, request.laneName) } };
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
  if (code !== undefined && (referrer === null || referrer.isDemo)) {
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
    hash: hashOf(user),
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
  const user = await parts.platform.userById(userId);
  if (user === null) return rejected('unknown');
  const { email, displayName } = user;
  const refused = await checkPassword(parts, throttle, request, {
    email,
    password: body.current_password,
    hash: hashOf(user),
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

/** A visitor has no password that anything could fit. */
function hashOf(user: UserRecord | null): string | null {
  return user === null || user.isDemo ? null : user.passwordHash;
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
    isDemo: false,
    createdAtMs: clock.wallMs(),
  };
}

function ownSession({ credential }: RequestContext): SessionCredential {
  if (credential?.kind !== 'session') throw fail('AUTH_REQUIRED');
  return credential;
}

/** Hashing is bounded; who comes when it is full must come again. */
function busy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'Too many passwords are being checked at the moment. Try again in 1 second.',
    headers: { 'retry-after': '1' },
  });
}
