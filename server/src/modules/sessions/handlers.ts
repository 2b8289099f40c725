// Sessions of people at the page: register, log in, resume, log out, change the password.
import { limits, type OperationOutput, type Operations } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type AnswerTo,
  ApiError,
  type Credential,
  fail,
  type Handler,
  type Reply,
  type RequestContext,
  rejected,
  type SessionCredential,
} from '../../handling/handler.ts';
import type { OneTimeLinks } from '../../handling/one-time-links.ts';
import type { PersonalRecords } from '../../handling/personal-records.ts';
import type { DeclarationOffice, SignUpOffice } from '../../handling/restriction.ts';
import type { SecurityLetters } from '../../handling/security-letters.ts';
import { secondFactorsOf, stepUpRefusal } from '../../handling/step-up.ts';
import type { Turns } from '../../handling/turns.ts';
import type { Passwords } from '../../ports/passwords.ts';
import type { PlatformStore, UserRecord } from '../../ports/platform.ts';
import type { Random } from '../../ports/random.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { SecretVault } from '../../ports/vault.ts';
import {
  checkPassword,
  checkSignIn,
  hashNew,
  hashOf,
  weakness,
} from '../../proof/password-check.ts';
import { type GivenCode, SecondFactor } from '../../proof/second-factor.ts';
import { LoginThrottle } from '../../proof/throttle.ts';
import { VisitorQuota } from '../../proof/visitor-quota.ts';
import { SessionCookie } from '../../wire/session-cookie.ts';
import { openAccounts } from './accounts.ts';
import { type ClosingHandlers, closingHandlers } from './closing-handlers.ts';
import { openDemo } from './demo.ts';
import { type EmailHandlers, emailHandlers } from './email-handlers.ts';
import { type FactorHandlers, factorHandlers, factorsView } from './factor-handlers.ts';
import { keptExclusionRefusal } from './kept-exclusion.ts';
import { networkOf } from './origin.ts';
import { logInWithPasskey, type PasskeyHandlers, passkeyHandlers } from './passkey-handlers.ts';
import { Passkeys } from './passkeys.ts';
import { type ProfileHandlers, profileHandlers } from './profile-handlers.ts';
import { openSession, ownSession, passwordChangedView, sessionView } from './session.ts';

export interface SessionParts {
  /** Asked before somebody gets an account or declares something else; absent refuses nobody. */
  readonly office?: SignUpOffice & DeclarationOffice;
  readonly platform: PlatformStore;
  readonly passwords: Passwords;
  readonly secrets: Secrets;
  readonly random: Random;
  readonly clock: Clock;
  /** What others keep of a user; absent if nobody does. */
  readonly records?: PersonalRecords;
  /** How long a new destination waits. */
  readonly destinationDelayMs: number;
  /** Tells owners of guesses at their passwords; absent tells nobody. */
  readonly letters?: SecurityLetters;
  /** One-time links, by mail or by hand. */
  readonly links: OneTimeLinks;
  /** By account of live: money that comes in and the closing of its account must see each other. */
  readonly closingTurns: Turns;
  /** Where seeds of authenticators are sealed. */
  readonly vault: SecretVault;
  /** Where clients reach the pages; null if that is this machine. */
  readonly publicUrl: string | null;
  /** How many demo accounts all addresses together may open. */
  readonly demosPerHour: number;
  /** Writes down uses of credentials that are still only remembered, so that a list shows them. */
  readonly flushUses: () => Promise<void>;
  /** Whose token it is, as for a bearer. */
  readonly identify: (token: string) => Promise<Credential | ApiError>;
}

type Session = OperationOutput<'register'>;

const ID_LENGTH = 16;
const REFERRAL_LENGTH = 12;

export interface SessionHandlers
  extends ClosingHandlers,
    EmailHandlers,
    FactorHandlers,
    PasskeyHandlers,
    ProfileHandlers {
  readonly logInWithPasskey: Handler<Operations['logInWithPasskey']>;
  readonly register: Handler<Operations['register']>;
  readonly logIn: Handler<Operations['logIn']>;
  readonly openDemo: Handler<Operations['openDemo']>;
  readonly resumeSession: Handler<Operations['resumeSession']>;
  readonly logOut: Handler<Operations['logOut']>;
  readonly changePassword: Handler<Operations['changePassword']>;
}

export function sessionHandlers(parts: SessionParts): SessionHandlers {
  const { clock, platform, letters } = parts;
  const guessed = (email: string) => letters?.guessed(() => platform.userByEmail(email));
  const throttle = new LoginThrottle(clock, { hasTotal: true, guessed });
  const codes = new SecondFactor({ ...parts, factors: parts.platform.factors });
  const guards = { throttle, codes };
  const passkeys = new Passkeys(parts);
  const quota = new VisitorQuota(parts.clock, 'demo accounts', parts.demosPerHour);
  const cookie = new SessionCookie(parts.publicUrl);
  return {
    register: (request, { body }) =>
      keeping(cookie, request, body, () => register(parts, guards, request, body)),
    logIn: (request, { body }) =>
      keeping(cookie, request, body, () => logIn(parts, guards, request, body)),
    // A foreign page must not use up what an address may open.
    openDemo: async (request, { body }) =>
      cookie.refusal(request, false) ??
      keeping(cookie, request, body, () => openDemo(parts, quota, request)),
    resumeSession: (request) => resume(parts, cookie, request),
    logOut: (request) => logOut(parts, cookie, request),
    changePassword: (request, { body }) => changePassword(parts, throttle, request, body),
    logInWithPasskey: (request, { body }) =>
      keeping(cookie, request, body, () =>
        logInWithPasskey(parts, passkeys, request, body.response),
      ),
    ...factorHandlers(parts, guards, passkeys),
    ...passkeyHandlers(parts, passkeys),
    ...profileHandlers(parts),
    ...emailHandlers(parts, guards, passkeys),
    ...closingHandlers(parts, throttle, cookie, (request) =>
      factorsView(parts, ownSession(request)),
    ),
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
    // Its cookie stays until it expires: another tab may have signed in meanwhile, and clearing would take that cookie.
    return { data: { session: null } };
  }
  return { data: { session: sessionView(token, credential, request.laneName) } };
}

/** On a page of ours the browser is signed out: the session of its cookie ends too, if it is the user's own or a demo account's. */
async function logOut(
  parts: SessionParts,
  cookie: SessionCookie,
  request: RequestContext,
): Promise<Reply<OperationOutput<'logOut'>>> {
  const { platform, clock, identify } = parts;
  const { sessionId, userId } = ownSession(request);
  await platform.endSession(sessionId, clock.wallMs());
  const reply = { data: { logged_out: true } };
  if (!cookie.isOwnPage(request)) return reply;
  const token = cookie.read(request);
  const kept = token === null ? null : await identify(token);
  const isOther = kept !== null && !(kept instanceof ApiError) && kept.kind === 'session';
  if (isOther && (kept.isDemo || kept.userId === userId)) {
    await platform.endSession(kept.sessionId, clock.wallMs());
  }
  return { ...reply, headers: cookie.clear() };
}

/** What slows down guessing. */
export interface Guards {
  readonly throttle: LoginThrottle;
  readonly codes: SecondFactor;
}

interface Registration {
  readonly email: string;
  readonly password: string;
  readonly display_name?: string;
  readonly referral_code?: string;
  readonly country?: string;
  readonly demo_token?: string;
}

/**
 * An email that is registered is answered as a login is, so that nothing tells it from a wrong password; see
 * docs/decisions/0025. All that may be refused without an attempt on it is refused before anybody looks it up.
 */
async function register(
  parts: SessionParts,
  guards: Guards,
  request: RequestContext,
  body: Registration,
): Promise<Reply<Session> | ApiError> {
  const { platform } = parts;
  const { email, password, referral_code: code } = body;
  const weak = await weakness(parts, request, password, [email, body.display_name ?? '']);
  if (weak !== null) return weak;
  const referrer = code === undefined ? null : await platform.userByReferralCode(code);
  if (code !== undefined && (referrer === null || referrer.isDemo)) {
    return fail('VALIDATION_FAILED', { field: 'referral_code', expected: 'a code of a user' });
  }
  const barred =
    parts.office?.checkStranger(request.operation, body.country, request.laneName) ?? null;
  if (barred !== null) return barred;
  const demo = body.demo_token === undefined ? null : await demoOf(parts, body.demo_token);
  if (demo instanceof ApiError) return demo;
  if ((await platform.userByEmail(email)) !== null) return logIn(parts, guards, request, body);
  const excluded = await keptExclusionRefusal(parts, email, parts.clock.wallMs());
  if (excluded !== null) return asGuess(parts, guards, request, body, excluded);
  const passwordHash = await hashNew(parts, request, password);
  if (passwordHash instanceof ApiError) return passwordHash;
  const user = newUser(parts, body, passwordHash, referrer, demo);
  const burst = (await parts.office?.admitSignUp(request.ipBucket, user.userId)) ?? null;
  if (burst !== null) return burst;
  const added = await addUser(platform, user, demo);
  if (added instanceof ApiError) return added;
  if (added === 'email_taken') return logIn(parts, guards, request, body);
  if (body.country !== undefined) {
    await platform.profiles.change(user.userId, { country: body.country });
  }
  await openAccounts(request.lanes, platform, user, request.requestId);
  parts.links.mail('verify_email', async () => user, request.headers['accept-language']);
  return openSession(parts, request, user);
}

/** The demo account whose session the token is. Its holder alone has the token: no page and no program is given another's. */
async function demoOf(
  { identify }: SessionParts,
  token: string,
): Promise<SessionCredential | ApiError> {
  const credential = await identify(token);
  if (credential instanceof ApiError) return notADemo();
  return credential.kind === 'session' && credential.isDemo ? credential : notADemo();
}

function notADemo(): ApiError {
  const expected = 'the session_token of a demo account that is open';
  return fail('VALIDATION_FAILED', { field: 'demo_token', expected });
}

async function addUser(
  platform: PlatformStore,
  user: UserRecord,
  demo: SessionCredential | null,
): Promise<'added' | 'email_taken' | ApiError> {
  if (demo === null) return (await platform.addUser(user)) ? 'added' : 'email_taken';
  const came = await platform.replaceDemo(demo.userId, user);
  // It was registered, or closed as idle, since the token was read.
  if (came === 'demo_gone') return notADemo();
  return came === 'replaced' ? 'added' : came;
}

/** Who asks whether addresses were excluded gets no further than who guesses passwords. */
async function asGuess(
  parts: SessionParts,
  { throttle }: Guards,
  request: RequestContext,
  { email, password }: Registration,
  answer: ApiError,
): Promise<ApiError> {
  const isKnownHere = async () => false;
  const attempt = { email, password, hash: null, isKnownHere };
  const refused = await checkPassword(parts, throttle, request, attempt);
  return refused === null || refused.code === 'PASSWORD_INCORRECT' ? answer : refused;
}

/** From the same network, in a session that is still kept. */
async function hasSignedIn(
  { platform }: SessionParts,
  { ip }: RequestContext,
  user: UserRecord | null,
): Promise<boolean> {
  return user !== null && platform.sessions.hasBegunFrom(user.userId, networkOf(ip));
}

async function logIn(
  parts: SessionParts,
  guards: Guards,
  request: RequestContext,
  body: { readonly email: string; readonly password: string } & GivenCode,
): Promise<Reply<Session> | ApiError> {
  const user = await parts.platform.userByEmail(body.email);
  const refused = await checkSignIn(parts, guards, request, {
    ...body,
    hash: hashOf(user),
    ownerId: user?.userId ?? null,
    isKnownHere: () => hasSignedIn(parts, request, user),
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
): AnswerTo<'changePassword'> {
  const { sessionId, userId } = ownSession(request);
  const user = await parts.platform.userById(userId);
  if (user === null) return rejected('unknown');
  const second = await secondFactorsOf(parts.platform.factors, userId);
  const unproved = second.length === 0 ? null : await stepUpRefusal(parts, request);
  if (unproved !== null) return unproved;
  const { email, displayName } = user;
  const refused = await checkPassword(parts, throttle, request, {
    email,
    password: body.current_password,
    hash: hashOf(user),
  });
  if (refused !== null) return refused;
  const weak = await weakness(parts, request, body.new_password, [email, displayName ?? '']);
  if (weak !== null) return weak;
  const passwordHash = await hashNew(parts, request, body.new_password);
  if (passwordHash instanceof ApiError) return passwordHash;
  // Before the change, so that a crash between the two leaves no webhook behind, and once more for those made meanwhile.
  const pause = async () => (await parts.records?.pauseWebhooks(user, sessionId)) ?? [];
  const paused = await pause();
  const changed = await parts.platform.changePassword({
    userId: user.userId,
    verifiedHash: user.passwordHash,
    passwordHash,
    keptSessionId: sessionId,
    atMs: parts.clock.wallMs(),
  });
  // Somebody else changed it while this one was being looked at.
  if (changed === null) return fail('PASSWORD_INCORRECT');
  paused.push(...(await pause()));
  return { data: passwordChangedView(changed, paused) };
}

function newUser(
  { random, clock }: SessionParts,
  body: Registration,
  passwordHash: string,
  referrer: UserRecord | null,
  demo: SessionCredential | null,
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
      sandbox: demo?.accounts.sandbox ?? `acc_${random.token(ID_LENGTH)}`,
    },
    isDemo: false,
    createdAtMs: clock.wallMs(),
  };
}
