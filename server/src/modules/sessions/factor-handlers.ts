// The user's own security: second factors are enrolled, confirmed and removed, and a session is stepped up.
import {
  type FactorKind,
  type Factors,
  limits,
  type OperationInput,
  type OperationOutput,
} from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type AnswerTo,
  type ApiError,
  fail,
  type Handlers,
  isoTime,
  type Reply,
  type RequestContext,
  rejected,
  type SessionCredential,
} from '../../handling/handler.ts';
import {
  factorsOf,
  isSteppedUp,
  newFactorRefusal,
  provedWithin,
  stepUpRefusal,
  stepUpRequired,
} from '../../handling/step-up.ts';
import { withdrawalsHeldUntilMs } from '../../handling/withdrawal-hold.ts';
import type { Passwords } from '../../ports/passwords.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import { checkPassword, hashOf } from '../../proof/password-check.ts';
import type { SecondFactor } from '../../proof/second-factor.ts';
import type { LoginThrottle } from '../../proof/throttle.ts';
import { demoRefusal } from '../../wire/demo-refusal.ts';
import { type Passkeys, passkeyView } from './passkeys.ts';
import { ownSession } from './session.ts';

export interface FactorParts {
  readonly platform: PlatformStore;
  readonly clock: Clock;
}

interface OwnParts extends FactorParts {
  readonly passwords: Passwords;
}

interface Guards {
  readonly throttle: LoginThrottle;
  readonly codes: SecondFactor;
}

export type FactorHandlers = Pick<
  Handlers,
  'stepUp' | 'listFactors' | 'enrolTotp' | 'confirmTotp' | 'removeTotp' | 'renewRecoveryCodes'
>;

export function factorHandlers(
  parts: OwnParts,
  guards: Guards,
  passkeys: Passkeys,
): FactorHandlers {
  return {
    stepUp: (request, { body }) => stepUp(parts, { ...guards, passkeys }, request, body),
    listFactors: async (request) => ({ data: await factorsView(parts, ownSession(request)) }),
    enrolTotp: (request) => enrolTotp(parts, guards, request),
    confirmTotp: (request, { body }) => confirmTotp(parts, guards, request, body.otp),
    removeTotp: (request) => removeTotp(parts, guards, request),
    renewRecoveryCodes: (request) => renewRecoveryCodes(parts, guards, request),
  };
}

async function stepUp(
  parts: OwnParts,
  { throttle, codes, passkeys }: Guards & { readonly passkeys: Passkeys },
  request: RequestContext,
  body: OperationInput<'stepUp'>['body'],
): AnswerTo<'stepUp'> {
  if (Object.keys(body).length !== 1) {
    const expected = 'one of otp, recovery_code, passkey and password';
    return fail('VALIDATION_FAILED', { field: 'otp', expected });
  }
  const session = ownSession(request);
  const { userId, sessionId } = session;
  const factors = await factorsOf(parts.platform.factors, session);
  const byPassword = factors.includes('password');
  if (byPassword !== (body.password !== undefined)) return stepUpRequired(factors, 'not_accepted');
  const nowMs = parts.clock.wallMs();
  // A proof within the session that is still fresh is not hashed again.
  if (byPassword && provedWithin(session) && isSteppedUp(session, nowMs)) {
    return steppedUp(session.steppedUpAtMs ?? nowMs);
  }
  const refused = await (body.passkey !== undefined
    ? checkPasskey(passkeys, request, body.passkey, factors)
    : body.password === undefined
      ? codes.refusal(request, userId, body, { sessionId })
      : checkOwnPassword(parts, throttle, request, body.password));
  if (refused !== null) return refused;
  if (!(await parts.platform.stepUpSession(sessionId, nowMs))) return rejected('revoked');
  return steppedUp(nowMs);
}

function steppedUp(provedAtMs: number): Reply<OperationOutput<'stepUp'>> {
  const untilMs = provedAtMs + limits.factors.stepUpMs;
  return { data: { stepped_up_until_at: isoTime(untilMs), stepped_up_until_at_ms: untilMs } };
}

async function checkPasskey(
  passkeys: Passkeys,
  request: RequestContext,
  response: Readonly<Record<string, unknown>>,
  factors: readonly FactorKind[],
): Promise<ApiError | null> {
  const passkey = await passkeys.proved(request, response);
  const isOwn = passkey !== null && passkey.userId === ownSession(request).userId;
  return isOwn ? null : stepUpRequired(factors, 'passkey_wrong');
}

async function checkOwnPassword(
  parts: OwnParts,
  throttle: LoginThrottle,
  request: RequestContext,
  password: string,
): Promise<ApiError | null> {
  const user = await parts.platform.userById(ownSession(request).userId);
  if (user === null) return rejected('unknown');
  const attempt = { email: user.email, password, hash: hashOf(user) };
  return checkPassword(parts, throttle, request, attempt);
}

export async function factorsView(
  parts: FactorParts,
  session: SessionCredential,
): Promise<Factors> {
  const { platform, clock } = parts;
  const { userId, steppedUpAtMs } = session;
  const totp = await platform.factors.totpOf(userId);
  const confirmedAtMs = totp?.confirmedAtMs ?? null;
  const nowMs = clock.wallMs();
  const untilMs = steppedUpAtMs === null ? 0 : steppedUpAtMs + limits.factors.stepUpMs;
  const steppedUntilMs = untilMs > nowMs ? untilMs : null;
  const heldUntilMs = await withdrawalsHeldUntilMs(platform, userId, nowMs);
  return {
    totp:
      confirmedAtMs === null
        ? null
        : { confirmed_at: isoTime(confirmedAtMs), confirmed_at_ms: confirmedAtMs },
    passkeys: (await platform.factors.passkeysOf(userId)).map(passkeyView),
    recovery_codes_left: await platform.factors.recoveryCodesLeft(userId),
    step_up: [...(await factorsOf(platform.factors, session))],
    stepped_up_until_at: steppedUntilMs === null ? null : isoTime(steppedUntilMs),
    stepped_up_until_at_ms: steppedUntilMs,
    withdrawals_held_until_at: heldUntilMs === null ? null : isoTime(heldUntilMs),
    withdrawals_held_until_at_ms: heldUntilMs,
  };
}

async function enrolTotp(
  parts: OwnParts,
  { codes }: Guards,
  request: RequestContext,
): AnswerTo<'enrolTotp'> {
  const session = ownSession(request);
  const refused =
    demoRefusal(request, 'second factors') ?? (await newFactorRefusal(parts, session));
  if (refused !== null) return refused;
  const user = await parts.platform.userById(session.userId);
  return user === null ? rejected('unknown') : codes.begin(user.userId, user.email);
}

/** Judged once more: a factor that was added since may ask for more than what this one was begun with. */
async function confirmTotp(
  parts: OwnParts,
  { codes }: Guards,
  request: RequestContext,
  otp: string,
): AnswerTo<'confirmTotp'> {
  const session = ownSession(request);
  const refused = await newFactorRefusal(parts, session);
  if (refused !== null) return refused;
  const { userId, sessionId } = session;
  const answer = await codes.confirm(userId, otp);
  // The others never proved it: they end, and log in with it.
  if ('data' in answer) {
    await parts.platform.sessions.endOthers(userId, sessionId, parts.clock.wallMs());
  }
  return answer;
}

async function removeTotp(
  parts: OwnParts,
  { codes }: Guards,
  request: RequestContext,
): AnswerTo<'removeTotp'> {
  const session = ownSession(request);
  const refused = (await stepUpRefusal(parts, request)) ?? (await codes.remove(session.userId));
  return refused ?? { data: await factorsView(parts, session) };
}

async function renewRecoveryCodes(
  parts: OwnParts,
  { codes }: Guards,
  request: RequestContext,
): AnswerTo<'renewRecoveryCodes'> {
  const refused = await stepUpRefusal(parts, request);
  return refused ?? codes.renewCodes(ownSession(request).userId);
}
