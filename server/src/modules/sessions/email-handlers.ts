// What goes by one-time links: to verify an address, and to set a new password without the old one.
import { limits, type OperationInput } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type AnswerTo,
  ApiError,
  fail,
  type Handlers,
  isoTime,
  type RequestContext,
  rejected,
} from '../../handling/handler.ts';
import type { OneTimeLinks } from '../../handling/one-time-links.ts';
import type { PersonalRecords } from '../../handling/personal-records.ts';
import { secondFactorsOf, stepUpRequired } from '../../handling/step-up.ts';
import type { Passwords } from '../../ports/passwords.ts';
import { hashNew, tooManyAttempts, weakness } from '../../proof/password-check.ts';
import { RecentTimes } from '../../proof/recent-times.ts';
import type { SecondFactor } from '../../proof/second-factor.ts';
import type { LoginThrottle } from '../../proof/throttle.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import type { FactorParts } from './factor-handlers.ts';
import type { Passkeys } from './passkeys.ts';
import { ownSession, passwordChangedView } from './session.ts';
import { cancelUnsent } from './unsent-withdrawals.ts';

export interface EmailParts extends FactorParts {
  readonly passwords: Passwords;
  readonly links: OneTimeLinks;
  readonly records?: Pick<PersonalRecords, 'pauseWebhooks'>;
  readonly destinationDelayMs: number;
}

interface ResetGuards {
  readonly codes: SecondFactor;
  /** Of sign-ins, which a reset from the same address lets pass. */
  readonly throttle: Pick<LoginThrottle, 'prove'>;
}

export type EmailHandlers = Pick<
  Handlers,
  'sendVerification' | 'confirmEmail' | 'requestPasswordReset' | 'resetPassword'
>;

export function emailHandlers(
  parts: EmailParts,
  guards: ResetGuards,
  passkeys: Passkeys,
): EmailHandlers {
  const throttle = new MailThrottle(parts.clock);
  return {
    sendVerification: (request) => sendVerification(parts, throttle, request),
    confirmEmail: (_request, { body }) => confirmEmail(parts, body.token),
    requestPasswordReset: (request, { body }) => requestReset(parts, throttle, request, body.email),
    resetPassword: (request, { body }) => resetPassword(parts, guards, passkeys, request, body),
  };
}

/** So many letters to one address of mail and from one address of the network, whoever has registered there or not. */
class MailThrottle {
  readonly #asked: RecentTimes;

  constructor(clock: Clock) {
    this.#asked = new RecentTimes(clock, limits.mail.windowMs);
  }

  /** Seconds to wait, or 0: then it is counted. */
  enter(email: string, address: string): number {
    const [byEmail, byAddress] = [`email ${email.toLowerCase()}`, `ip ${address}`];
    const waitMs = Math.max(
      this.#asked.waitMs(byEmail, limits.mail.perEmail),
      this.#asked.waitMs(byAddress, limits.mail.perAddress),
    );
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#asked.add(byEmail);
    this.#asked.add(byAddress);
    return 0;
  }
}

async function sendVerification(
  { platform, links }: EmailParts,
  throttle: MailThrottle,
  request: RequestContext,
): AnswerTo<'sendVerification'> {
  const refused = demoRefusal(request, 'profiles');
  if (refused !== null) return refused;
  const { userId } = ownSession(request);
  const user = await platform.userById(userId);
  const profile = await platform.profiles.of(userId);
  if (user === null || profile === null) return rejected('unknown');
  if (profile.emailVerifiedAtMs !== null) {
    return fail('STATE_CONFLICT', { reason: 'the address is verified already' });
  }
  if (!links.areMailed) return noMail();
  const waitSec = throttle.enter(user.email, request.ipBucket);
  if (waitSec > 0) return tooManyAttempts(request, waitSec);
  links.mail('verify_email', async () => user, request.headers['accept-language']);
  return { data: { sent: true } };
}

async function confirmEmail(
  { platform, links, clock }: EmailParts,
  token: string,
): AnswerTo<'confirmEmail'> {
  const nowMs = clock.wallMs();
  const userId = await platform.links.confirmEmail(links.hashOf('verify_email', token), nowMs);
  if (userId === null) return linkIsOver();
  return { data: { email_verified_at: isoTime(nowMs), email_verified_at_ms: nowMs } };
}

/** Nothing here depends on whether somebody has registered with the address: that is found out after the answer. */
async function requestReset(
  { platform, links }: EmailParts,
  throttle: MailThrottle,
  request: RequestContext,
  email: string,
): AnswerTo<'requestPasswordReset'> {
  if (!links.areMailed) return noMail();
  const waitSec = throttle.enter(email, request.ipBucket);
  if (waitSec > 0) return tooManyAttempts(request, waitSec);
  const language = request.headers['accept-language'];
  links.mail('reset_password', () => platform.userByEmail(email), language);
  return { data: { sent: true } };
}

async function resetPassword(
  parts: EmailParts,
  { codes, throttle }: ResetGuards,
  passkeys: Passkeys,
  request: RequestContext,
  body: OperationInput<'resetPassword'>['body'],
): AnswerTo<'resetPassword'> {
  const { platform, links, clock } = parts;
  const tokenHash = links.hashOf('reset_password', body.token);
  const link = await platform.links.find('reset_password', tokenHash, clock.wallMs());
  const user = link === null ? null : await platform.userById(link.userId);
  if (user === null) return linkIsOver();
  const { userId, email, displayName } = user;
  const weak = await weakness(parts, request, body.new_password, [email, displayName ?? '']);
  if (weak !== null) return weak;
  const unproved = await (body.passkey === undefined
    ? codes.refusal(request, userId, body, 'reset')
    : checkPasskey(parts, passkeys, request, userId, body.passkey));
  if (unproved !== null) return unproved;
  const passwordHash = await hashNew(parts, request, body.new_password);
  if (passwordHash instanceof ApiError) return passwordHash;
  const atMs = clock.wallMs();
  const destinations = {
    addedSinceMs: atMs - limits.factors.recentDestinationMs,
    usableFromMs: atMs + parts.destinationDelayMs,
  };
  // Before the change and after it, as for a password that is changed in a session.
  const pause = async () => (await parts.records?.pauseWebhooks(user, null)) ?? [];
  const paused = await pause();
  const tradingHeldUntilMs = atMs + limits.factors.tradingHoldMs;
  const reset = { tokenHash, passwordHash, atMs, destinations, tradingHeldUntilMs };
  const changed = await platform.links.resetPassword(reset);
  // Somebody else was quicker with the same one.
  if (changed === null) return linkIsOver();
  throttle.prove(email, request.ipBucket);
  const { live } = request.lanes;
  if (live !== undefined) await cancelUnsent(live, user.accounts.live, request.requestId);
  paused.push(...(await pause()));
  return { data: passwordChangedView(changed, paused) };
}

/** Whoever gets into a mailbox must not get past the second factor by it. */
async function checkPasskey(
  { platform }: EmailParts,
  passkeys: Passkeys,
  request: RequestContext,
  userId: string,
  response: Readonly<Record<string, unknown>>,
): Promise<ApiError | null> {
  const factors = await secondFactorsOf(platform.factors, userId);
  if (factors.length === 0) return null;
  const passkey = await passkeys.proved(request, response);
  return passkey?.userId === userId ? null : stepUpRequired(factors, 'passkey_wrong');
}

function linkIsOver(): ApiError {
  const message = 'The link is not known, was used, or is over. Ask for a new one.';
  return fail('NOT_FOUND', { reason: 'link' }, message);
}

function noMail(): ApiError {
  const message = 'This exchange sends no mail. Ask its operator, who can hand out a link.';
  return fail('SERVICE_UNAVAILABLE', { reason: 'no_mail', retryable: false }, message);
}
