// New operators and new passwords: made here, shown once, and kept as a slow hash.

import type { OperatorRole } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import type { OperatorRecord, OperatorStore } from '../ports/operators.ts';
import type { Passwords } from '../ports/passwords.ts';
import type { Random } from '../ports/random.ts';

export interface MadeOperator {
  readonly name: string;
  readonly password: string;
}

export interface MakingParts {
  readonly passwords: Passwords;
  readonly random: Random;
  readonly clock: Clock;
}

/** Who stands in records beside people: an operator of such a name would be taken for it. */
const RESERVED: ReadonlySet<string> = new Set(['token', 'offline', 'nobody']);

export function isReserved(name: string): boolean {
  return RESERVED.has(name.toLowerCase());
}

const ID_LENGTH = 16;
/** Four groups of five letters and digits: 119 bits, and still to be typed from a screen. */
const PASSWORD_GROUPS = 4;
const GROUP_LENGTH = 5;

/** Null when too many passwords are being worked on. */
export async function newOperator(
  parts: MakingParts,
  name: string,
  roles: readonly OperatorRole[],
): Promise<{ readonly operator: OperatorRecord; readonly password: string } | null> {
  const made = await newPassword(parts);
  if (made === null) return null;
  const operator: OperatorRecord = {
    operatorId: `opr_${parts.random.token(ID_LENGTH)}`,
    name,
    passwordHash: made.hash,
    passwordIssued: true,
    roles,
    createdAtMs: parts.clock.wallMs(),
    disabledAtMs: null,
    former: null,
    factorResetAtMs: null,
    userId: null,
  };
  return { operator, password: made.password };
}

/** Null when too many passwords are being worked on. */
export async function newPassword({
  passwords,
  random,
}: Pick<MakingParts, 'passwords' | 'random'>): Promise<{
  readonly password: string;
  readonly hash: string;
} | null> {
  const groups = Array.from({ length: PASSWORD_GROUPS }, () => random.token(GROUP_LENGTH));
  const password = groups.join('-');
  const by = { address: 'server', holder: `server ${random.token(ID_LENGTH)}`, connection: null };
  const hash = await passwords.hash(password, by);
  return hash === null ? null : { password, hash };
}

const FIRST_NAME = 'admin';

/** Where there is no operator yet, the first one is made, who may do everything; null otherwise. */
export async function firstOperator(
  operators: OperatorStore,
  parts: MakingParts,
): Promise<MadeOperator | null> {
  if ((await operators.operators()).length > 0) return null;
  const made = await newOperator(parts, FIRST_NAME, ['admin']);
  if (made === null) throw new Error('the password of the first operator could not be hashed');
  await operators.addOperator(made.operator);
  return { name: FIRST_NAME, password: made.password };
}
