// Second factors of users or of operators: enrolled with an authenticator, and proved by at a sign-in and at a step-up. Each code
// counts once, and guessing is slowed down.
import type { FactorKind } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { type ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import {
  type FactorFault,
  type OwnedFactors,
  secondFactorsOf,
  stepUpRequired,
} from '../handling/step-up.ts';
import type { Random } from '../ports/random.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { SecretVault } from '../ports/vault.ts';
import { tooManyAttempts } from './password-check.ts';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts';
import { type CodePlace, CodeThrottle } from './throttle.ts';
import { newSeed, seedOwner, shownSeed, stepOf } from './totp.ts';

interface SecondFactorParts {
  readonly factors: OwnedFactors;
  readonly secrets: Secrets;
  readonly vault: SecretVault;
  readonly random: Random;
  readonly clock: Clock;
}

export interface GivenCode {
  readonly otp?: string;
  readonly recovery_code?: string;
}

interface ShownCodes {
  readonly recovery_codes: string[];
}

export class SecondFactor {
  readonly #parts: SecondFactorParts;
  readonly #throttle: CodeThrottle;

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
    this.#throttle = new CodeThrottle(parts.clock);
  }

  /** What a sign-in needs beside the password; empty if nothing. */
  kindsOf(ownerId: string): Promise<readonly FactorKind[]> {
    return secondFactorsOf(this.#parts.factors, ownerId);
  }

  /** Null if the owner has no second factor, or the code given is right and was not used before. */
  async refusal(
    request: RequestContext,
    ownerId: string,
    given: GivenCode,
    place: CodePlace,
  ): Promise<ApiError | null> {
    const kinds = await this.kindsOf(ownerId);
    if (kinds.length === 0) return null;
    if (given.otp === undefined && given.recovery_code === undefined) return stepUpRequired(kinds);
    const waitSec = this.#throttle.enter(ownerId, place);
    if (waitSec > 0) return tooManyAttempts(request, waitSec);
    const fault = await this.#faultOf(ownerId, given);
    if (fault !== null) return stepUpRequired(kinds, fault);
    this.#throttle.succeed(ownerId, place);
    return null;
  }

  /** The seed is shown once, with the name that apps list it under. */
  async begin(
    ownerId: string,
    name: string,
  ): Promise<Reply<{ secret: string; uri: string }> | ApiError> {
    const { factors, vault, random, clock } = this.#parts;
    const seed = newSeed(random);
    const isBegun = await factors.beginTotp({
      ownerId,
      sealedSeed: vault.seal(seed, seedOwner(ownerId)),
      createdAtMs: clock.wallMs(),
      confirmedAtMs: null,
    });
    if (!isBegun) return fail('STATE_CONFLICT', { reason: 'there is an authenticator already' });
    return { data: shownSeed(seed, name) };
  }

  async confirm(ownerId: string, otp: string): Promise<Reply<ShownCodes> | ApiError> {
    const { factors, vault, secrets, random, clock } = this.#parts;
    const totp = await factors.totpOf(ownerId);
    if (totp === null || totp.confirmedAtMs !== null) return nothingBegun();
    const step = stepOf(vault.open(totp.sealedSeed, seedOwner(ownerId)), otp, clock.wallMs());
    if (step === null) {
      const expected = 'the code that the authenticator shows now';
      return fail('VALIDATION_FAILED', { field: 'otp', expected });
    }
    const codes = newRecoveryCodes(secrets, random, ownerId);
    const confirmed = await factors.confirmTotp({
      ownerId,
      sealedSeed: totp.sealedSeed,
      step,
      recoveryHashes: codes.hashes,
      atMs: clock.wallMs(),
    });
    if (confirmed === null) return nothingBegun();
    return { data: { recovery_codes: confirmed === 'with_codes' ? codes.shown : [] } };
  }

  /** Null if it is gone; what refuses it otherwise. */
  async remove(ownerId: string): Promise<ApiError | null> {
    const { factors, clock } = this.#parts;
    const isRemoved = await factors.removeTotp(ownerId, clock.wallMs());
    return isRemoved ? null : fail('STATE_CONFLICT', { reason: 'there is no authenticator' });
  }

  /** In place of all earlier ones. */
  async renewCodes(ownerId: string): Promise<Reply<ShownCodes> | ApiError> {
    const { factors, secrets, random } = this.#parts;
    if ((await this.kindsOf(ownerId)).length === 0) {
      return fail('STATE_CONFLICT', { reason: 'there is no second factor to recover from' });
    }
    const codes = newRecoveryCodes(secrets, random, ownerId);
    await factors.replaceRecoveryCodes(ownerId, codes.hashes);
    return { data: { recovery_codes: codes.shown } };
  }

  async #faultOf(
    ownerId: string,
    { otp, recovery_code: recoveryCode }: GivenCode,
  ): Promise<FactorFault | null> {
    if (otp !== undefined) return this.#otpFault(ownerId, otp);
    if (recoveryCode === undefined) return 'not_accepted';
    const { factors, secrets, clock } = this.#parts;
    const hash = recoveryHash(secrets, ownerId, recoveryCode);
    const isUsed = await factors.useRecoveryCode(ownerId, hash, clock.wallMs());
    return isUsed ? null : 'code_wrong';
  }

  async #otpFault(ownerId: string, otp: string): Promise<FactorFault | null> {
    const { factors, vault, clock } = this.#parts;
    const totp = await factors.totpOf(ownerId);
    if (totp === null || totp.confirmedAtMs === null) return 'not_accepted';
    const seed = vault.open(totp.sealedSeed, seedOwner(ownerId));
    const step = stepOf(seed, otp, clock.wallMs());
    if (step === null) return 'code_wrong';
    return (await factors.useTotpStep(ownerId, step)) ? null : 'code_used';
  }
}

function nothingBegun(): ApiError {
  return fail('STATE_CONFLICT', { reason: 'no authenticator waits for its first code' });
}
