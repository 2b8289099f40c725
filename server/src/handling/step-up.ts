// Acts for which a credential alone is not enough: its holder must have proved who they are within the last minutes.
import { type FactorKind, limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { AuthenticatorStore } from '../ports/authenticators.ts';
import type { FactorStore } from '../ports/factors.ts';
import type { PlatformStore } from '../ports/platform.ts';
import {
  type ApiError,
  type Credential,
  fail,
  type RequestContext,
  type SessionCredential,
} from './handler.ts';

export interface StepUpParts {
  readonly platform: Pick<PlatformStore, 'factors'>;
  readonly clock: Clock;
}

/**
 * Null if the caller may go on. A session must be stepped up; a key must have been minted by one that was. Whether the
 * caller has the permission is for the gateway to say, as for every operation.
 */
export async function stepUpRefusal(
  { platform, clock }: StepUpParts,
  { credential }: Pick<RequestContext, 'credential'>,
): Promise<ApiError | null> {
  if (credential === null) return fail('AUTH_REQUIRED');
  if (isSteppedUp(credential, clock.wallMs())) return null;
  if (credential.kind === 'key') {
    const message =
      'This key was minted by a session that was not stepped up: mint another after a step-up.';
    return fail('STEP_UP_MFA_REQUIRED', { factors: [], reason: 'key_not_stepped_up' }, message);
  }
  // An app is never the person.
  if (credential.kind === 'token') return stepUpRequired([]);
  return unproved(await factorsOf(platform.factors, credential));
}

/**
 * Null if the session may get a new second factor. The first one shuts out whoever has the password alone, so it takes the
 * password given within the session: a login is no proof that whoever has the session now knows it.
 */
export async function newFactorRefusal(
  parts: StepUpParts,
  session: SessionCredential,
): Promise<ApiError | null> {
  const refused = await stepUpRefusal(parts, { credential: session });
  if (refused !== null || provedWithin(session)) return refused;
  const factors = await factorsOf(parts.platform.factors, session);
  return factors.includes('password') ? unproved(factors) : null;
}

/** Whether the last proof was given within the session, and is not the sign-in that opened it. */
export function provedWithin({ steppedUpAtMs, createdAtMs }: SessionCredential): boolean {
  return steppedUpAtMs !== createdAtMs;
}

/** To somebody with a session: what would do, and where it is given. A visitor has nothing to give. */
function unproved(factors: readonly FactorKind[]): ApiError {
  if (factors.length === 0) return stepUpRequired(factors);
  const what = factors.includes('password') ? 'your password once more' : 'your second factor';
  const message = `Confirm the session first: this needs ${what}, by POST /api/auth/step-up.`;
  return fail('STEP_UP_MFA_REQUIRED', { factors }, message);
}

/** Whether the proof that a credential stands for is fresh enough. */
export function isSteppedUp(credential: Credential, nowMs: number): boolean {
  if (credential.kind === 'token') return false;
  if (credential.kind === 'key') return credential.isSteppedUp;
  const { steppedUpAtMs } = credential;
  return steppedUpAtMs !== null && nowMs - steppedUpAtMs < limits.factors.stepUpMs;
}

/** What the user can step up with; nothing for a visitor, who has no password either. */
export async function factorsOf(
  store: FactorStore,
  { userId, isDemo }: Pick<SessionCredential, 'userId' | 'isDemo'>,
): Promise<readonly FactorKind[]> {
  if (isDemo) return [];
  const second = await secondFactorsOf(store, userId);
  return second.length === 0 ? ['password'] : second;
}

/** Authenticators, and passkeys where their owners may have any. */
export type OwnedFactors = AuthenticatorStore & Partial<Pick<FactorStore, 'passkeysOf'>>;

/** What a sign-in needs beside the password; empty if nothing. */
export async function secondFactorsOf(
  store: OwnedFactors,
  ownerId: string,
): Promise<readonly FactorKind[]> {
  const totp = await store.totpOf(ownerId);
  const factors: FactorKind[] = totp === null || totp.confirmedAtMs === null ? [] : ['totp'];
  const passkeys = (await store.passkeysOf?.(ownerId)) ?? [];
  if (passkeys.length > 0) factors.push('passkey');
  if (factors.length === 0) return [];
  if ((await store.recoveryCodesLeft(ownerId)) > 0) factors.push('recovery_code');
  return factors;
}

/** Why a proof was not taken; without one, none was given. */
export type FactorFault = 'code_wrong' | 'code_used' | 'passkey_wrong' | 'not_accepted';

export function stepUpRequired(factors: readonly FactorKind[], reason?: FactorFault): ApiError {
  if (reason === undefined) return fail('STEP_UP_MFA_REQUIRED', { factors });
  return fail('STEP_UP_MFA_REQUIRED', { factors, reason }, FAULTS[reason]);
}

const FAULTS: Readonly<Record<FactorFault, string>> = {
  code_wrong: 'The code does not fit. Look whether the clock of the device is right.',
  code_used: 'The code was used before. Wait for the next one.',
  passkey_wrong: 'The passkey was not accepted. Ask for a new challenge and try again.',
  not_accepted: 'This is not a proof that your account accepts: details.factors says which are.',
};
