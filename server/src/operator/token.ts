// The bearer token for automation on the operator plane: OPERATOR_TOKEN.

import type { OperatorRole } from '@sibyl/contract';
import type { Secrets } from '../ports/secrets.ts';

export interface OperatorToken {
  readonly hash: string;
  readonly role: OperatorRole;
}

/** Null if the environment gives none. */
export function operatorTokenOf(
  given: string | null,
  role: OperatorRole,
  secrets: Secrets,
): OperatorToken | null {
  return given === null ? null : { hash: secrets.digest('operator', given), role };
}
