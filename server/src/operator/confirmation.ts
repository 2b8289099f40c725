// Whether the operator of a session has proved shortly before to be there, and with what it is proved.

import { type FactorKind, limits } from '@sibyl/contract';
import { type ApiError, fail, type OperatorIdentity } from '../handling/handler.ts';
import { secondFactorsOf } from '../handling/step-up.ts';
import type { OperatorSessionRecord, OperatorStore } from '../ports/operators.ts';

export function isConfirmed({ steppedUpAtMs }: OperatorSessionRecord, nowMs: number): boolean {
  return steppedUpAtMs !== null && nowMs - steppedUpAtMs < limits.operator.stepUpMs;
}

/** A code where there is a second factor; the password counts only where there is none. */
export async function proofsOf(
  { factors }: OperatorStore,
  operatorId: string,
): Promise<readonly FactorKind[]> {
  const second = await secondFactorsOf(factors, operatorId);
  return second.length === 0 ? ['password'] : second;
}

export async function unconfirmed(
  operators: OperatorStore,
  { operatorId }: OperatorIdentity,
): Promise<ApiError> {
  const factors = await proofsOf(operators, operatorId);
  const what = factors.includes('password') ? 'your password once more' : 'a code';
  const message = `Confirm the session first: this needs ${what}.`;
  return fail('STEP_UP_MFA_REQUIRED', { factors }, message);
}

/** The token for automation is asked about something that only people have. */
export function withoutSession(): ApiError {
  const message = 'The operator token has no session, no password and no second factor.';
  return fail('STATE_CONFLICT', undefined, message);
}
