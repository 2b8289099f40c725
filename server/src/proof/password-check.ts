// Whether a password is right, and whether a new one is good enough; guessing is slowed down.
import { limits } from '@sibyl/contract';
import { ApiError, fail, type RequestContext } from '../handling/handler.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { UserRecord } from '../ports/platform.ts';
import type { Asker } from '../ports/turn-gate.ts';
import { isIpv6, networkOf } from './network.ts';
import type { GivenCode, SecondFactor } from './second-factor.ts';
import type { LoginThrottle } from './throttle.ts';

interface PasswordParts {
  readonly passwords: Passwords;
}

interface Attempt {
  readonly email: string;
  readonly password: string;
  /** Null for an unknown email, which costs the same work. */
  readonly hash: string | null;
  /** Whether the caller's network has signed in before; asked once the email is guessed at. In a session it has. */
  readonly isKnownHere?: () => Promise<boolean>;
  /** An attempt with a second factor does not wait for its turn: `checkSignIn` checks it at once. */
  readonly hasCode?: boolean;
}

export async function checkPassword(
  parts: PasswordParts,
  throttle: LoginThrottle,
  request: RequestContext,
  { email, password, hash, isKnownHere = async () => true, hasCode = false }: Attempt,
): Promise<ApiError | null> {
  const { ipBucket } = request;
  const isKnown = !throttle.isGuessed(email) || (await isKnownHere());
  const isSlowed = throttle.isSlowed(email, ipBucket, isKnown);
  if (isSlowed && hasCode) return tooManyGuesses(request);
  const waitSec = throttle.enter(email, ipBucket);
  if (waitSec > 0) return tooManyAttempts(request, waitSec);
  const check = async (): Promise<boolean | ApiError> =>
    request.chargeHash() ??
    (await parts.passwords.verify(hash, password, askerOf(request))) ??
    busy();
  const isRight = await (isSlowed ? throttle.inTurn(email, request, check) : check());
  if (typeof isRight !== 'boolean') {
    throttle.giveBack(email, ipBucket);
    return isRight ?? tooManyGuesses(request);
  }
  if (!isRight) return fail('PASSWORD_INCORRECT');
  throttle.succeed(email, ipBucket);
  return null;
}

interface SignIn extends Attempt, GivenCode {
  /** Null for a name that nobody has. */
  readonly ownerId: string | null;
}

/**
 * Null if the password is right, and the second factor where there is one. Guesses of strangers never keep out an owner with a second
 * factor: while they slow down or stop attempts, one with a right password and a right code passes, and all others are answered alike.
 */
export async function checkSignIn(
  parts: PasswordParts,
  { throttle, codes }: { readonly throttle: LoginThrottle; readonly codes: SecondFactor },
  request: RequestContext,
  signIn: SignIn,
): Promise<ApiError | null> {
  const { email, password, hash, ownerId, otp, recovery_code: recoveryCode } = signIn;
  const prove = async (): Promise<ApiError | null> =>
    ownerId === null
      ? fail('PASSWORD_INCORRECT')
      : codes.refusal(request, ownerId, signIn, 'login');
  const hasCode = (otp ?? recoveryCode) !== undefined;
  const refused = await checkPassword(parts, throttle, request, { ...signIn, hasCode });
  if (refused === null) return prove();
  if (refused.code !== 'RATE_LIMITED' || !hasCode) return refused;
  if (!throttle.admitsCode(email, request.ipBucket)) return refused;
  const isRight = await parts.passwords.verify(hash, password, askerOf(request));
  if (isRight !== true || ownerId === null) return refused;
  if ((await codes.kindsOf(ownerId)).length === 0) return refused;
  if ((await prove()) !== null) return refused;
  throttle.succeed(email, request.ipBucket);
  return null;
}

/** The hash of a new password, or what refuses it now. */
export async function hashNew(
  { passwords }: PasswordParts,
  request: RequestContext,
  password: string,
): Promise<string | ApiError> {
  return request.chargeHash() ?? (await passwords.hash(password, askerOf(request))) ?? busy();
}

/** One customer can own every /64 of a /48, so they share a turn. */
function askerOf({ ipBucket, credential, connection }: RequestContext): Asker {
  const address = isIpv6(ipBucket) ? networkOf(ipBucket) : ipBucket;
  return { address, holder: credential?.userId ?? connection, connection };
}

/** A visitor has no password that anything could fit. */
export function hashOf(user: UserRecord | null): string | null {
  return user === null || user.isDemo ? null : user.passwordHash;
}

export async function weakness(
  parts: PasswordParts,
  request: RequestContext,
  password: string,
  about: readonly string[],
): Promise<ApiError | null> {
  if (password.length < limits.password.lengthMin) {
    const { lengthMin } = limits.password;
    const words = `The password has fewer than ${lengthMin} characters.`;
    return fail('PASSWORD_TOO_WEAK', { reason: 'length', length_min: lengthMin }, words);
  }
  const words = about
    .flatMap((text) => [text, ...text.split(/[@.\s]+/)])
    .filter((word) => word !== '');
  const strength = await parts.passwords.judge(password, words, askerOf(request));
  if (strength === null) return busy();
  if (strength.isStrong) return null;
  return fail('PASSWORD_TOO_WEAK', { reason: strength.reason }, WEAK[strength.reason]);
}

const WEAK = {
  personal: 'The password leans on your address of mail or your name, which others know too.',
  common: 'The password is, or is close to, one that many people use.',
  guessable: 'The password is easy to guess: take a few words that do not belong together.',
} as const;

/** The words are true for users and operators: only users have links of their own. */
function tooManyGuesses({ operation }: RequestContext): ApiError {
  const wayOut = operation.group === 'Operator' ? '' : ', or set a new password by a link';
  return new ApiError('RATE_LIMITED', {
    message: `Too many wrong passwords were given here. Try again in 1 second, sign in with a code of your second factor${wayOut}.`,
    details: { category: operation.rate, retry_after_sec: 1 },
    headers: { 'retry-after': '1' },
  });
}

export function tooManyAttempts({ operation }: RequestContext, waitSec: number): ApiError {
  return new ApiError('RATE_LIMITED', {
    details: { category: operation.rate, retry_after_sec: waitSec },
    headers: { 'retry-after': String(waitSec) },
  });
}

export function busy(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'Too many passwords are being checked at the moment. Try again in 1 second.',
    headers: { 'retry-after': '1' },
  });
}
