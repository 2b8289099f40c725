// Who operates the exchange and as what, and which scopes users have from them.

import {
  type InputOf,
  type OperatorOperations,
  type OutputOf,
  rolesIn,
  userScopes,
} from '@sibyl/contract';
import {
  type ApiError,
  actingOperator,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { secondFactorsOf } from '../handling/step-up.ts';
import type {
  OperatorChange,
  OperatorRecord,
  OperatorStore,
  ScopeGrant,
} from '../ports/operators.ts';
import { busy } from '../proof/password-check.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { isReserved, newOperator } from './new-operator.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

type OperatorActs = Pick<
  OperatorHandlers,
  | 'listOperators'
  | 'addOperator'
  | 'setOperatorRoles'
  | 'disableOperator'
  | 'resetOperatorFactor'
  | 'getUserScopes'
  | 'setUserScopes'
  | 'createResetLink'
  | 'findUser'
>;

type Operator = OutputOf<OperatorOperations['disableOperator']>;
type Added = OutputOf<OperatorOperations['addOperator']>;
type UserScopes = OutputOf<OperatorOperations['getUserScopes']>;
type ScopesInput = InputOf<OperatorOperations['setUserScopes']>;

export function operatorActs(parts: OperatorParts): OperatorActs {
  const { operators, platform, clock, links } = parts;
  return {
    async listOperators() {
      const all = await operators.operators();
      return { data: { operators: await Promise.all(all.map((one) => viewOf(operators, one))) } };
    },
    addOperator: (_request, { body }) => add(parts, body.name),
    async setOperatorRoles(_request, { params, body }) {
      return changed(operators, await operators.setRoles(params.operator_id, body.roles));
    },
    async disableOperator(_request, { params }) {
      const change = await operators.disableOperator(params.operator_id, clock.wallMs());
      return changed(operators, change);
    },
    resetOperatorFactor: (_request, { params }) => resetFactor(parts, params.operator_id),
    async getUserScopes(_request, { params }) {
      const { user_id: userId } = params;
      if ((await platform.userById(userId)) === null) return fail('NOT_FOUND');
      return { data: scopesView(userId, await operators.scopesOf(userId)) };
    },
    setUserScopes: (request, input) => grant(parts, request, input),
    async createResetLink(_request, { params }) {
      const user = await platform.userById(params.user_id);
      if (user === null || user.isDemo) return fail('NOT_FOUND');
      const { url, expiresAtMs } = await links.issue('reset_password', user.userId);
      return { data: { url, expires_at: isoTime(expiresAtMs), expires_at_ms: expiresAtMs } };
    },
    async findUser(_request, { query }) {
      const user = await platform.userByEmail(query.email);
      if (user === null || user.isDemo) return fail('NOT_FOUND');
      const { userId, createdAtMs } = user;
      const created = { created_at: isoTime(createdAtMs), created_at_ms: createdAtMs };
      return { data: { user_id: userId, ...created } };
    },
  };
}

export async function viewOf(
  operators: OperatorStore,
  operator: OperatorRecord,
): Promise<Operator> {
  const { operatorId, name, roles, createdAtMs, disabledAtMs } = operator;
  return {
    operator_id: operatorId,
    name,
    roles: rolesIn(roles),
    created_at: isoTime(createdAtMs),
    created_at_ms: createdAtMs,
    disabled_at: isoTimeOrNull(disabledAtMs),
    disabled_at_ms: disabledAtMs,
    second_factor: (await secondFactorsOf(operators.factors, operatorId)).length > 0,
  };
}

async function add(parts: OperatorParts, name: string): Promise<Reply<Added> | ApiError> {
  if (isReserved(name)) {
    const expected = 'another name than token, offline and nobody';
    return fail('VALIDATION_FAILED', { field: 'name', expected });
  }
  const made = await newOperator(parts, name, ['viewer']);
  if (made === null) return busy();
  const { operator, password } = made;
  if (!(await parts.operators.addOperator(operator))) {
    return fail('ALREADY_EXISTS', { field: 'name' }, 'Another operator has this name.');
  }
  return { data: { operator: await viewOf(parts.operators, operator), password } };
}

async function changed(
  operators: OperatorStore,
  change: OperatorChange,
): Promise<Reply<Operator> | ApiError> {
  if (change === 'unknown') return fail('NOT_FOUND');
  if (change !== 'last_admin') return { data: await viewOf(operators, change) };
  const message = 'There is no other admin: nobody could add or change operators any more.';
  return fail('STATE_CONFLICT', { reason: 'last admin' }, message);
}

async function resetFactor(
  { operators, clock }: OperatorParts,
  operatorId: string,
): Promise<Reply<Operator> | ApiError> {
  const isReset = await operators.resetFactor(operatorId, clock.wallMs());
  const operator = await operators.operatorById(operatorId);
  if (operator === null) return fail('NOT_FOUND');
  if (isReset) return { data: await viewOf(operators, operator) };
  return fail('STATE_CONFLICT', { reason: 'there is no second factor' });
}

async function grant(
  { operators, platform, clock }: OperatorParts,
  request: RequestContext,
  { params, body }: ScopesInput,
): Promise<Reply<UserScopes> | ApiError> {
  const { user_id: userId } = params;
  const user = await platform.userById(userId);
  if (user === null || user.isDemo) return fail('NOT_FOUND');
  const granted: ScopeGrant = {
    userId,
    scopes: body.scopes,
    grantedBy: actingOperator(request).operatorId,
    reason: body.reason,
    atMs: clock.wallMs(),
  };
  await operators.grantScopes(granted);
  return { data: scopesView(userId, granted) };
}

export function scopesView(userId: string, granted: ScopeGrant | null): UserScopes {
  const atMs = granted?.atMs ?? null;
  return {
    user_id: userId,
    scopes: userScopes.filter((scope) => granted?.scopes.includes(scope)),
    granted_by: granted?.grantedBy ?? null,
    reason: granted?.reason ?? null,
    changed_at: isoTimeOrNull(atMs),
    changed_at_ms: atMs,
  };
}
