// The proof by a second factor, at a login and at a step-up: each code counts once, and guessing is slowed down.
import type { Clock } from '@sibyl/lane';
import type { ApiError, RequestContext } from '../../handling/handler.ts';
import { type FactorFault, secondFactorsOf, stepUpRequired } from '../../handling/step-up.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { SecretVault } from '../../ports/vault.ts';
import { tooManyAttempts } from './password-check.ts';
import { recoveryHash } from './recovery-codes.ts';
import type { CodeThrottle } from './throttle.ts';
import { seedOwner, stepOf } from './totp.ts';

export interface FactorParts {
  readonly platform: PlatformStore;
  readonly secrets: Secrets;
  readonly vault: SecretVault;
  readonly clock: Clock;
}

export interface GivenCode {
  readonly otp?: string;
  readonly recovery_code?: string;
}

/** Null if the user has no second factor, or the code given is right and was not used before. */
export async function checkSecondFactor(
  parts: FactorParts,
  throttle: CodeThrottle,
  request: RequestContext,
  userId: string,
  given: GivenCode,
): Promise<ApiError | null> {
  const factors = await secondFactorsOf(parts.platform.factors, userId);
  if (factors.length === 0) return null;
  if (given.otp === undefined && given.recovery_code === undefined) return stepUpRequired(factors);
  const waitSec = throttle.enter(userId);
  if (waitSec > 0) return tooManyAttempts(request, waitSec);
  const fault = await faultOf(parts, userId, given);
  if (fault !== null) return stepUpRequired(factors, fault);
  throttle.succeed(userId);
  return null;
}

async function faultOf(
  parts: FactorParts,
  userId: string,
  { otp, recovery_code: recoveryCode }: GivenCode,
): Promise<FactorFault | null> {
  if (otp !== undefined) return otpFault(parts, userId, otp);
  if (recoveryCode === undefined) return 'not_accepted';
  const { platform, secrets, clock } = parts;
  const hash = recoveryHash(secrets, userId, recoveryCode);
  const isUsed = await platform.factors.useRecoveryCode(userId, hash, clock.wallMs());
  return isUsed ? null : 'code_wrong';
}

async function otpFault(
  { platform, vault, clock }: FactorParts,
  userId: string,
  otp: string,
): Promise<FactorFault | null> {
  const totp = await platform.factors.totpOf(userId);
  if (totp === null || totp.confirmedAtMs === null) return 'not_accepted';
  const seed = vault.open(totp.sealedSeed, seedOwner(userId));
  const step = stepOf(seed, otp, clock.wallMs());
  if (step === null) return 'code_wrong';
  return (await platform.factors.useTotpStep(userId, step)) ? null : 'code_used';
}
