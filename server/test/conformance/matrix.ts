// Who gets in, worked out from what an operation declares, and how that is asked of a server without doing anything there.
import {
  type AnyOperation,
  type ErrorCode,
  type OperatorRole,
  type Permission,
  permissions,
} from '@sibyl/contract';
import { isBlind } from './authorization.ts';
import type { Answer } from './http.ts';
import { faultsOf, verdictOf } from './judge.ts';
import type { Call, World } from './world.ts';

/** What somebody holds, as far as an operation may ask for it. */
type Held =
  | { readonly kind: 'nothing' }
  /** Unknown where it is shown, or over. */
  | { readonly kind: 'worthless' }
  /** Good in the other environment only. */
  | { readonly kind: 'misplaced'; readonly isSession: boolean }
  /** A visitor's session is one too, but for what is only of people with an account. */
  | { readonly kind: 'session'; readonly isVisitor: boolean }
  | { readonly kind: 'key'; readonly permissions: readonly Permission[] }
  | { readonly kind: 'operator'; readonly roles: readonly OperatorRole[] };

/** A caller: the bearer that is sent, and what it is worth. */
export interface Caller {
  readonly name: string;
  readonly token: string | null;
  readonly held: Held;
  /** The address of the sandbox unless told. */
  readonly isLive?: boolean;
}

export const nothing: Held = { kind: 'nothing' };
export const worthless: Held = { kind: 'worthless' };
export const misplaced: Held = { kind: 'misplaced', isSession: false };
export const misplacedSession: Held = { kind: 'misplaced', isSession: true };
export const session: Held = { kind: 'session', isVisitor: false };
export const visitor: Held = { kind: 'session', isVisitor: true };
export const keyWith = (...granted: readonly Permission[]): Held => ({
  kind: 'key',
  permissions: granted,
});
export const operatorWith = (...roles: readonly OperatorRole[]): Held => ({
  kind: 'operator',
  roles,
});

/** `in`, or the code that keeps the caller out. */
type Verdict = 'in' | ErrorCode;

/** By the declaration alone: its plane, `auth`, `permission`, `role`, `sandboxOnly` and `prodOnly`. */
function declaredFor(operation: AnyOperation, { held, isLive = false }: Caller): Verdict {
  if (operation.group === 'Operator') return declaredForOperator(operation, held);
  const admitted = absence(operation, isLive) ?? 'in';
  if (isBlind(operation)) return admitted;
  switch (held.kind) {
    case 'nothing':
      return operation.auth === 'public' ? admitted : 'AUTH_REQUIRED';
    case 'worthless':
    case 'operator':
      return 'AUTH_INVALID';
    case 'misplaced':
      // A session ends wherever its holder is.
      return held.isSession && operation.id === 'logOut' ? 'in' : 'WRONG_ENV_KEY';
    default:
      if (admitted !== 'in') return admitted;
      if (!isGranted(operation, held)) return 'SCOPE_MISSING';
      return isKeptFromVisitor(operation, held) ? 'SCOPE_NOT_ALLOWED' : 'in';
  }
}

/** Decided by those who carry it out, so that it shows in what is carried out here: reads. */
function isKeptFromVisitor({ method, errors }: AnyOperation, held: Held): boolean {
  const isVisitor = held.kind === 'session' && held.isVisitor;
  return isVisitor && method === 'GET' && errors.includes('SCOPE_NOT_ALLOWED');
}

/** Null if the environment has the operation. */
function absence({ sandboxOnly, prodOnly }: AnyOperation, isLive: boolean): ErrorCode | null {
  if (sandboxOnly && isLive) return 'SANDBOX_ONLY';
  return prodOnly && !isLive ? 'PROD_ONLY' : null;
}

/** A session has every permission; what is asked of a person is not given to a key. */
function isGranted(
  { auth, permission }: AnyOperation,
  held: Extract<Held, { kind: 'session' | 'key' }>,
): boolean {
  if (held.kind === 'session') return permission === null || permissions.includes(permission);
  if (auth === 'session') return false;
  return permission === null || held.permissions.includes(permission);
}

function declaredForOperator({ auth, role }: AnyOperation, held: Held): Verdict {
  if (auth === 'public') return 'in';
  if (held.kind === 'nothing') return 'AUTH_REQUIRED';
  if (held.kind !== 'operator') return 'AUTH_INVALID';
  const isOpen = role === null || held.roles.includes('admin') || held.roles.includes(role);
  return isOpen || (role === 'viewer' && held.roles.length > 0) ? 'in' : 'SCOPE_MISSING';
}

/** Codes that say that somebody may not, whatever they ask for. */
const SHUT_OUT: readonly string[] = [
  ...['AUTH_REQUIRED', 'AUTH_INVALID', 'TOKEN_INVALID', 'WRONG_ENV_KEY', 'SANDBOX_ONLY'],
  ...['PROD_ONLY', 'SCOPE_MISSING', 'SCOPE_NOT_ALLOWED'],
];

/**
 * The example with an Idempotency-Key that is none: whoever may act is told that, after all that decides who may, and nothing
 * is done. Reads are carried out.
 */
function knockOf(operation: AnyOperation, { token, isLive }: Caller): Call {
  const { params, query, body } = operation.example as Call;
  return {
    token,
    base: isLive === true ? '' : '/sandbox',
    key: operation.method === 'GET' ? null : 'not a key',
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
}

function observed({ method }: AnyOperation, answer: Answer): string {
  const verdict = verdictOf(answer);
  if (method !== 'GET') return verdict === 'IDEMPOTENCY_KEY_MALFORMED' ? 'in' : verdict;
  // Whoever asks about a lane that is not run here was let in before.
  const isDefect = answer.status >= 500 && verdict !== 'SERVICE_UNAVAILABLE';
  return SHUT_OUT.includes(verdict) || isDefect ? verdict : 'in';
}

/** Where the server decides otherwise than is declared; empty if nowhere. */
export async function misjudged(
  world: World,
  operations: readonly AnyOperation[],
  caller: Caller,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const operation of operations) {
    const answer = await world.send(operation, knockOf(operation, caller));
    const expected = declaredFor(operation, caller);
    const got = observed(operation, answer);
    if (got !== expected) wrong.push(`${operation.id}: ${got}, declared ${expected}`);
    for (const fault of faultsOf(operation, answer)) wrong.push(`${operation.id}: ${fault}`);
  }
  return wrong;
}
