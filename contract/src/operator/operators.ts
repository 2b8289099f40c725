// Who operates the exchange and as what, and which scopes users have from them.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { email } from '../operations/session-call.ts';
import { instant, oneOf } from '../primitives.ts';
import { orApproval } from '../resources/approval.ts';
import {
  exampleOperator,
  exampleUserScopes,
  Operator,
  roles,
  UserScopes,
  userScopes,
} from '../resources/operator-account.ts';
import { closed, operatorReadErrors, plane, reason } from './plane.ts';

const operatorParams = Type.Object({ operator_id: pathId('operator', 'The operator.') });
const operatorExample = { operator_id: exampleOperator.operator_id };
const userParams = Type.Object({ user_id: pathId('user', 'The user.') });
const userExample = { user_id: exampleUserScopes.user_id };

export const listOperators = operation({
  ...plane,
  id: 'listOperators',
  role: 'viewer',
  method: 'GET',
  path: '/admin/v1/operators',
  summary: 'Operators',
  description: 'All of them, also those that are disabled, in the order in which they came.',
  rate: 'account_read',
  idempotency: 'none',
  input: noInput,
  data: Type.Object({ operators: Type.Array(Operator) }, { title: 'Operators' }),
  errors: [...operatorReadErrors],
  example: { data: { operators: [exampleOperator] } },
});

export const addOperator = operation({
  ...plane,
  id: 'addOperator',
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

export const getUserScopes = operation({
  ...plane,
  id: 'getUserScopes',
  role: 'viewer',
  method: 'GET',
  path: '/admin/v1/users/{user_id}/scopes',
  summary: 'Scopes of a user',
  description: 'Whether the user reviews what others propose, or rules on disputes.',
  rate: 'account_read',
  idempotency: 'none',
  input: { ...noInput, params: userParams },
  data: UserScopes,
  errors: [...operatorReadErrors, ...identified],
  example: { params: userExample, data: exampleUserScopes },
});

export const setUserScopes = operation({
  ...plane,
  id: 'setUserScopes',
  role: 'admin',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/users/{user_id}/scopes',
  summary: 'Grant scopes to a user',
  description:
    'In place of those of before: reviewer looks over what others propose, arbiter rules on disputes. Another admin has to agree to more than before; less counts at once.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object(
      { reason, scopes: Type.Array(oneOf(userScopes), { maxItems: 2, uniqueItems: true }) },
      { title: 'UserScopesInput', ...closed },
    ),
  },
  data: orApproval(UserScopes),
  errors: [...operatorReadErrors, ...identified],
  example: {
    params: userExample,
    body: { reason: 'ticket 4711', scopes: ['reviewer'] },
    data: exampleUserScopes,
  },
});

export const createResetLink = operation({
  ...plane,
  id: 'createResetLink',
  role: 'support',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/users/{user_id}/reset-link',
  summary: 'A link to set a new password',
  description: `For a user whom no mail reaches: hand it over once you know who asks. It is good once and for ${limits.mail.resetMs / 60_000} minutes, is shown here only, and does not take the place of a second factor.`,
  idempotency: 'none',
  bearsSecrets: true,
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object({ reason }, { title: 'ResetLinkInput', ...closed }),
  },
  data: Type.Object(
    { url: Type.String(), ...instant('expires_at', 'When it is over.') },
    { title: 'ResetLink' },
  ),
  errors: [...operatorReadErrors, ...identified],
  example: {
    params: userExample,
    body: { reason: 'ticket 4711' },
    data: {
      url: `https://sibyl.example/reset#${'x'.repeat(43)}`,
      expires_at: '2026-11-14T13:00:00.000Z',
      expires_at_ms: 1_794_661_200_000,
    },
  },
});

export const findUser = operation({
  ...plane,
  id: 'findUser',
  role: 'support',
  method: 'GET',
  path: '/admin/v1/users',
  summary: 'Find a user by the address of mail',
  description: 'Who has registered with it; NOT_FOUND if nobody has.',
  rate: 'account_read',
  idempotency: 'none',
  input: { ...noInput, query: Type.Object({ email }, { ...closed }) },
  data: Type.Object(
    { user_id: idOf('user'), ...instant('created_at', 'When the user registered.') },
    { title: 'FoundUser' },
  ),
  errors: [...operatorReadErrors, 'NOT_FOUND'],
  example: {
    query: { email: 'ada@example.com' },
    data: {
      ...userExample,
      created_at: '2026-11-14T12:00:00.000Z',
      created_at_ms: 1_794_657_600_000,
    },
  },
});
