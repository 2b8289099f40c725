// Sessions of operators: sign in, see who one is, see and end one's sessions, another password.

import { Type } from 'typebox';
import { identified, unstoppable } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { otp, recoveryCode } from '../resources/factor.ts';
import {
  exampleOperator,
  exampleOperatorSession,
  OperatorIdentity,
  OperatorSession,
  OperatorSignIn,
} from '../resources/operator-account.ts';
import { closed, operatorReadErrors, plane } from './plane.ts';

const hours = limits.operator.sessionMs / 3_600_000;
const idleMinutes = limits.operator.idleMs / 60_000;
const password = Type.String({ minLength: 1, maxLength: limits.password.lengthMax });
/** About the caller alone: nobody is asked for a reason. */
export const own = { ...plane, role: 'viewer', idempotency: 'none', own: true } as const;
/** What whoever has a second factor proves by, beside the password or in its place. */
const codes = { otp: Type.Optional(otp), recovery_code: Type.Optional(recoveryCode) };
const OwnSessions = Type.Object(
  { sessions: Type.Array(OperatorSession) },
  { title: 'OperatorSessions' },
);

export const openOperatorSession = operation({
  ...plane,
  auth: 'public',
  id: 'openOperatorSession',
  method: 'POST',
  path: '/admin/v1/sessions',
  summary: 'Sign in',
  description: `As an operator, by name and password, for ${hours} hours; ${idleMinutes} minutes without a request end it before. An unknown name is answered as a wrong password is. Whoever has a second factor gives a code of it as well: after the right password STEP_UP_MFA_REQUIRED says in details.factors what would do, and why a code was not taken. With cookie the session is kept by the browser, for the console: no script reads it, and it counts in calls of the console's own pages alone.`,
  idempotency: 'none',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 64 }),
        password,
        ...codes,
        cookie: Type.Optional(
          Type.Boolean({
            description: 'For the console: sets a cookie instead of giving a token.',
          }),
        ),
      },
      { title: 'SignInInput', ...closed },
    ),
  },
  data: OperatorSignIn,
  errors: [...unstoppable, 'PASSWORD_INCORRECT', 'STEP_UP_MFA_REQUIRED'],
  example: {
    body: { name: 'grace', password: 'correct horse battery staple' },
    data: {
      session_token: `${exampleOperatorSession.session_id}_${'0'.repeat(43)}`,
      operator: exampleOperator,
      session: exampleOperatorSession,
    },
  },
});

export const getOperatorIdentity = operation({
  ...own,
  id: 'getOperatorIdentity',
  method: 'GET',
  path: '/admin/v1/session',
  summary: 'Who you are',
  description: 'The operator that the bearer stands for, with its roles and its session.',
  rate: 'account_read',
  input: noInput,
  data: OperatorIdentity,
  errors: [...operatorReadErrors],
  example: {
    data: {
      operator_id: exampleOperator.operator_id,
      name: exampleOperator.name,
      roles: exampleOperator.roles,
      session: exampleOperatorSession,
      must_enrol: false,
      password_issued: false,
      second_factor: false,
      factor_reset_at: null,
      factor_reset_at_ms: null,
    },
  },
});

export const closeOperatorSession = operation({
  ...own,
  id: 'closeOperatorSession',
  method: 'DELETE',
  path: '/admin/v1/session',
  summary: 'Sign out',
  description:
    'Ends the session that asks, and clears its cookie. OPERATOR_TOKEN has none: STATE_CONFLICT.',
  input: noInput,
  data: Type.Object({ signed_out: Type.Boolean() }, { title: 'SignedOut' }),
  errors: [...operatorReadErrors, 'STATE_CONFLICT'],
  example: { data: { signed_out: true } },
});

export const listOperatorSessions = operation({
  ...own,
  id: 'listOperatorSessions',
  method: 'GET',
  path: '/admin/v1/sessions',
  summary: 'Your sessions',
  description: 'Those of your own that are in force, newest first.',
  rate: 'account_read',
  input: noInput,
  data: OwnSessions,
  errors: [...operatorReadErrors],
  example: { data: { sessions: [exampleOperatorSession] } },
});

export const endOperatorSession = operation({
  ...own,
  id: 'endOperatorSession',
  method: 'DELETE',
  path: '/admin/v1/sessions/{session_id}',
  summary: 'End a session',
  description: 'One of your own, at once.',
  input: {
    ...noInput,
    params: Type.Object({ session_id: pathId('operator_session', 'The session.') }),
  },
  data: OwnSessions,
  errors: [...operatorReadErrors, ...identified],
  example: {
    params: { session_id: exampleOperatorSession.session_id },
    data: { sessions: [] },
  },
});

export const stepUpOperatorSession = operation({
  ...own,
  id: 'stepUpOperatorSession',
  method: 'POST',
  path: '/admin/v1/session/step-up',
  summary: 'Confirm the session',
  description: `Proves once more that you are the operator, for what a session alone is not enough: for ${limits.operator.stepUpMs / 60_000} minutes. Give one of the fields: the password counts only where no second factor is enrolled. A code that does not fit, or was used before, is STEP_UP_MFA_REQUIRED with details.reason. OPERATOR_TOKEN needs none: STATE_CONFLICT.`,
  input: {
    ...noInput,
    body: Type.Object(
      { password: Type.Optional(password), ...codes },
      { title: 'OperatorStepUpInput', ...closed },
    ),
  },
  data: OperatorSession,
  errors: [...operatorReadErrors, 'PASSWORD_INCORRECT', 'STEP_UP_MFA_REQUIRED', 'STATE_CONFLICT'],
  example: {
    body: { password: 'correct horse battery staple' },
    data: exampleOperatorSession,
  },
});

export const changeOperatorPassword = operation({
  ...own,
  id: 'changeOperatorPassword',
  method: 'POST',
  path: '/admin/v1/session/password',
  summary: 'Another password',
  description:
    'Of your own account; ends your other sessions. Whoever has a second factor confirms the session first. OPERATOR_TOKEN has none: STATE_CONFLICT.',
  input: {
    ...noInput,
    body: Type.Object(
      { current_password: password, new_password: password },
      { title: 'OperatorPasswordInput', ...closed },
    ),
  },
  data: OwnSessions,
  errors: [
    ...operatorReadErrors,
    'PASSWORD_INCORRECT',
    'PASSWORD_TOO_WEAK',
    'STEP_UP_MFA_REQUIRED',
    'STATE_CONFLICT',
  ],
  example: {
    body: {
      current_password: 'correct horse battery staple',
      new_password: 'plum otter ladder 47 quay',
    },
    data: { sessions: [exampleOperatorSession] },
  },
});
