// Who operates the exchange and as what.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { nullable } from '../primitives.ts';
import { orApproval } from '../resources/approval.ts';
import { exampleOperator, Operator, roles } from '../resources/operator-account.ts';
import { closed, looking, operatorReadErrors, plane, reason } from './plane.ts';

const operatorParams = Type.Object({ operator_id: pathId('operator', 'The operator.') });
const operatorExample = { operator_id: exampleOperator.operator_id };

export const listOperators = operation({
  ...looking,
  id: 'listOperators',
  path: '/admin/v1/operators',
  summary: 'Operators',
  description: 'All of them, also those that are disabled, in the order in which they came.',
  input: noInput,
  data: Type.Object({ operators: Type.Array(Operator) }, { title: 'Operators' }),
  errors: [...operatorReadErrors],
  example: { data: { operators: [exampleOperator] } },
});

export const addOperator = operation({
  ...plane,
  id: 'addOperator',
  stepUp: true,
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/operators',
  summary: 'Add an operator',
  description:
    'Who may look and nothing else; setOperatorRoles gives more. The password is made here and shown once: hand it over, to be changed.',
  idempotency: 'none',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        reason,
        name: Type.String({
          pattern: '^[a-z0-9][a-z0-9._-]{1,31}$',
          'x-expected': '2 to 32 characters of a-z, 0-9, dot, - and _',
        }),
      },
      { title: 'OperatorInput', ...closed },
    ),
  },
  data: Type.Object({ operator: Operator, password: Type.String() }, { title: 'AddedOperator' }),
  errors: [...operatorReadErrors, 'ALREADY_EXISTS'],
  example: {
    body: { reason: 'joined the team', name: 'grace' },
    data: { operator: { ...exampleOperator, roles: ['viewer'] }, password: 'shown-once' },
  },
});

export const setOperatorRoles = operation({
  ...plane,
  id: 'setOperatorRoles',
  role: 'admin',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/operators/{operator_id}/roles',
  summary: 'Roles of an operator',
  description:
    'In place of those of before. Another admin has to agree to more than before; less counts at once. The last admin stays one: STATE_CONFLICT.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: operatorParams,
    body: Type.Object({ reason, roles }, { title: 'RolesInput', ...closed }),
  },
  data: orApproval(Operator),
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: operatorExample,
    body: { reason: 'joined the team', roles: ['market_manager'] },
    data: exampleOperator,
  },
});

export const setOperatorUser = operation({
  ...plane,
  id: 'setOperatorUser',
  role: 'admin',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/operators/{operator_id}/user',
  summary: 'Link an operator to a user',
  description:
    'Says which user of the exchange the operator is; null unlinks. Another admin has to agree before a link is changed or removed. An operator does not cancel a market in which the family of that user holds anything.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: operatorParams,
    body: Type.Object(
      { reason, user_id: nullable(idOf('user')) },
      { title: 'OperatorUserInput', ...closed },
    ),
  },
  data: orApproval(Operator),
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: operatorExample,
    body: { reason: 'trades on the exchange', user_id: 'usr_01J0000000000005' },
    data: { ...exampleOperator, user_id: 'usr_01J0000000000005' },
  },
});

export const disableOperator = operation({
  ...plane,
  id: 'disableOperator',
  stepUp: true,
  role: 'admin',
  method: 'POST',
  path: '/admin/v1/operators/{operator_id}/disable',
  summary: 'Disable an operator',
  description:
    'For good: all sessions end at once, and nobody signs in with it again. The last admin stays: STATE_CONFLICT.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: operatorParams,
    body: Type.Object({ reason }, { title: 'DisableInput', ...closed }),
  },
  data: Operator,
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: operatorExample,
    body: { reason: 'left the team' },
    data: {
      ...exampleOperator,
      disabled_at: exampleOperator.created_at,
      disabled_at_ms: exampleOperator.created_at_ms,
    },
  },
});
