// Who operates the exchange and as what.

import { mayAct, type OperatorOperations, type OutputOf, rolesIn } from '@sibyl/contract';
import {
  type ApiError,
  actingOperator,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
} from '../handling/handler.ts';
import { secondFactorsOf } from '../handling/step-up.ts';
import type { OperatorChange, OperatorRecord, OperatorStore } from '../ports/operators.ts';
import { busy } from '../proof/password-check.ts';
import { isoTimeOrNull } from '../wire/times.ts';
import { recentLoss } from './able-operators.ts';
import { isAgreed } from './agreement.ts';
import { isReserved, newOperator } from './new-operator.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';

type OperatorActs = Pick<
  OperatorHandlers,
  | 'listOperators'
  | 'addOperator'
  | 'setOperatorRoles'
  | 'setOperatorUser'
  | 'disableOperator'
  | 'resetOperatorFactor'
>;

type Operator = OutputOf<OperatorOperations['disableOperator']>;
type Added = OutputOf<OperatorOperations['addOperator']>;

export function operatorActs(parts: OperatorParts): OperatorActs {
  const { operators, platform, clock } = parts;
  return {
    async listOperators() {
      const all = await operators.operators();
      return { data: { operators: await Promise.all(all.map((one) => viewOf(operators, one))) } };
    },
    addOperator: (_request, { body }) => add(parts, body.name),
    async setOperatorRoles(request, { params, body }) {
      const isAllowed = (known: OperatorRecord): boolean =>
        isAgreed(request) || !isMore(known, body.roles);
      const change = await operators.setRoles(
        params.operator_id,
        body.roles,
        clock.wallMs(),
        isAllowed,
      );
      announceLoss(parts, request, change);
      return changed(operators, change);
    },
    async setOperatorUser(request, { params, body }) {
      const { user_id: userId } = body;
      const isThere = userId === null || (await platform.userById(userId)) !== null;
      if (!isThere) return fail('NOT_FOUND', { user_id: userId });
      const isAllowed = (known: OperatorRecord): boolean =>
        isAgreed(request) || !isOtherUser(known, userId);
      const change = await operators.setUser(params.operator_id, userId, isAllowed);
      return changed(operators, change);
    },
    async disableOperator(request, { params }) {
      const change = await operators.disableOperator(params.operator_id, clock.wallMs());
      announceLoss(parts, request, change);
      return changed(operators, change);
    },
    resetOperatorFactor: (request, { params }) => resetFactor(parts, request, params.operator_id),
  };
}

/** Like a proposal, in the log and by mail: an operator who loses power can no longer stand in the way of another. */
function announceLoss(
  { log, announced, clock }: OperatorParts,
  request: RequestContext,
  change: OperatorChange,
): void {
  if (typeof change === 'string') return;
  const loss = recentLoss(change, clock.wallMs());
  if (loss === null || loss.atMs < request.receivedAtMs) return;
  log.write('warn', 'an operator who could approve lost power', {
    operation: request.operation.id,
    actor: actingOperator(request).operatorId,
    what: `operator_id=${change.operatorId} name=${change.name} roles_before=${loss.roles.join(',')}`,
  });
  announced?.();
}

/** Whether roles are asked for that the operator has not: one operator alone gives none. */
export function isMore(
  { roles }: Pick<OperatorRecord, 'roles'>,
  wanted: readonly string[],
): boolean {
  return rolesIn(wanted).some((role) => !mayAct(rolesIn(roles), role));
}

/** Whether a link would be changed or removed: one operator alone only adds one. */
export function isOtherUser({ userId }: OperatorRecord, wanted: string | null): boolean {
  return userId !== null && userId !== wanted;
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
    user_id: operator.userId,
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
  if (change === 'refused') {
    return fail('STATE_CONFLICT', { reason: 'its roles have just changed: look, and ask again' });
  }
  if (change !== 'last_admin') return { data: await viewOf(operators, change) };
  const message = 'There is no other admin: nobody could add or change operators any more.';
  return fail('STATE_CONFLICT', { reason: 'last admin' }, message);
}

/** Nobody was asked to agree because there was no factor: one that has come since stays. */
async function resetFactor(
  { operators, clock }: OperatorParts,
  request: RequestContext,
  operatorId: string,
): Promise<Reply<Operator> | ApiError> {
  const isReset = isAgreed(request) && (await operators.resetFactor(operatorId, clock.wallMs()));
  const operator = await operators.operatorById(operatorId);
  if (operator === null) return fail('NOT_FOUND');
  if (isReset) return { data: await viewOf(operators, operator) };
  return fail('STATE_CONFLICT', { reason: 'there is no second factor' });
}
