// Those who operate the exchange: their accounts, their sessions, and what they grant to users.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { operatorRoles, rolesInWords } from '../operator/roles.ts';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { factorKinds, Totp } from './factor.ts';

/** What an admin may grant to a user beside what the tier gives. */
export const userScopes = ['reviewer', 'arbiter'] as const;

export const roles = Type.Array(oneOf(operatorRoles), {
  minItems: 1,
  maxItems: operatorRoles.length,
  uniqueItems: true,
  description: `${rolesInWords}.`,
});

export const Operator = Type.Object(
  {
    operator_id: idOf('operator'),
    name: Type.String(),
    roles,
    ...instant('created_at', 'When the account was made.'),
    ...nullableInstant('disabled_at', 'From when on nobody can sign in with it.'),
    second_factor: Type.Boolean({ description: 'Whether signing in needs one.' }),
    user_id: nullable(idOf('user', 'The user that the operator is on the exchange.')),
  },
  { title: 'Operator' },
);
export type Operator = Static<typeof Operator>;

export const OperatorSession = Type.Object(
  {
    session_id: idOf('operator_session'),
    current: Type.Boolean({ description: 'The one that asks.' }),
    ...instant('created_at', 'When it was begun.'),
    ...instant('used_at', 'When it last asked for something, to the minute.'),
    ...instant('expires_at', 'When it ends, however much it is used.'),
    ...nullableInstant('step_up_ends_at', 'Until when it counts as confirmed.'),
  },
  { title: 'OperatorSession' },
);
export type OperatorSession = Static<typeof OperatorSession>;

export const OperatorSignIn = Type.Object(
  {
    session_token: nullable(
      Type.String({
        description: 'Send it as a bearer; shown once. Null where a cookie holds it.',
      }),
    ),
    operator: Operator,
    session: OperatorSession,
  },
  { title: 'OperatorSignIn' },
);

export const OperatorIdentity = Type.Object(
  {
    operator_id: Type.String({ description: 'opr_…, or token for OPERATOR_TOKEN.' }),
    name: Type.String(),
    roles,
    session: nullable(OperatorSession, 'Null for OPERATOR_TOKEN.'),
    must_enrol: Type.Boolean({
      description: 'Nothing else is open before a second factor is enrolled: OPERATOR_MFA says so.',
    }),
    password_issued: Type.Boolean({
      description: 'The password is one that the exchange made: set one of your own.',
    }),
    second_factor: Type.Boolean({ description: 'Whether signing in needs one.' }),
    ...nullableInstant(
      'factor_reset_at',
      'When somebody else removed your second factor; null once another is enrolled.',
    ),
  },
  { title: 'OperatorIdentity' },
);

export const OperatorFactor = Type.Object(
  {
    totp: nullable(Totp, 'Null if there is none.'),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
    step_up: Type.Array(oneOf(factorKinds), { description: 'What confirms a session.' }),
  },
  { title: 'OperatorFactor' },
);

export const UserScopes = Type.Object(
  {
    user_id: idOf('user'),
    scopes: Type.Array(oneOf(userScopes)),
    granted_by: nullable(Type.String({ description: 'Who last changed them.' })),
    reason: nullable(Type.String()),
    ...nullableInstant('changed_at', 'When they were last changed.'),
  },
  { title: 'UserScopes' },
);

const exampleInstant = '2026-11-14T12:00:00.000Z';
const exampleInstantMs = 1_794_657_600_000;

export const exampleOperator: Operator = {
  operator_id: 'opr_01J0000000000001',
  name: 'grace',
  roles: ['market_manager'],
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
  disabled_at: null,
  disabled_at_ms: null,
  second_factor: false,
  user_id: null,
};

export const exampleOperatorFactor: Static<typeof OperatorFactor> = {
  totp: null,
  recovery_codes_left: 0,
  step_up: ['password'],
};

export const exampleOperatorSession: OperatorSession = {
  session_id: 'ops_01J0000000000002',
  current: true,
  created_at: exampleInstant,
  created_at_ms: exampleInstantMs,
  used_at: exampleInstant,
  used_at_ms: exampleInstantMs,
  expires_at: '2026-11-14T20:00:00.000Z',
  expires_at_ms: 1_794_686_400_000,
  step_up_ends_at: null,
  step_up_ends_at_ms: null,
};

export const exampleUserScopes: Static<typeof UserScopes> = {
  user_id: 'usr_01J0000000000005',
  scopes: ['reviewer'],
  granted_by: 'opr_01J0000000000001',
  reason: 'ticket 4711',
  changed_at: exampleInstant,
  changed_at_ms: exampleInstantMs,
};
