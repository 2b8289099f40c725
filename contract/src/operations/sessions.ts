// Companion calls of the page: register, log in, log out, change the password. Not counted.

import { Type } from 'typebox';
import { common } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { limits } from '../limits.ts';
import { personalText } from '../plain-text.ts';
import { exampleSession, Session } from '../resources/session.ts';

const sessionCall = {
  method: 'POST',
  group: 'Sessions',
  permission: null,
  scope: null,
  rate: 'account_write',
  idempotency: 'none',
  // People must get in and out while trading is paused.
  readOnlyMode: 'allowed',
  counted: false,
  since: '0.2',
  list: false,
  selfView: true,
} as const;

const sessionErrors = [
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'WRONG_ENV_KEY',
  'TOKEN_EXPIRED',
  'TOKEN_REVOKED',
  'SCOPE_MISSING',
] as const;

const closed = { additionalProperties: false };
const email = Type.String({
  ...personalText,
  minLength: 3,
  maxLength: 254,
  format: 'email',
  'x-expected': 'an email address',
});
// The lower bound is judged by the handler: a short new password is PASSWORD_TOO_WEAK.
const password = Type.String({ minLength: 1, maxLength: limits.password.lengthMax });

export const register = operation({
  ...sessionCall,
  id: 'register',
  path: '/api/auth/register',
  summary: 'Register',
  description:
    'Opens a user with an account in each lane and logs in. An email that is registered gets the answer of a login: a session with the right password, PASSWORD_INCORRECT with any other.',
  auth: 'public',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        email,
        password,
        display_name: Type.Optional(Type.String({ ...personalText, minLength: 1, maxLength: 64 })),
        referral_code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      },
      { title: 'RegisterInput', ...closed },
    ),
  },
  data: Session,
  errors: [...common, 'PASSWORD_INCORRECT', 'PASSWORD_TOO_WEAK'],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery staple' },
    data: exampleSession,
  },
});

export const logIn = operation({
  ...sessionCall,
  id: 'logIn',
  path: '/api/auth/login',
  summary: 'Log in',
  description: 'An unknown email gets the same answer as a wrong password.',
  auth: 'public',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        email,
        password,
        otp: Type.Optional(
          Type.String({
            pattern: '^[0-9]{6}$',
            'x-expected': 'six digits',
            description: 'For users with a second factor.',
          }),
        ),
      },
      { title: 'LoginInput', ...closed },
    ),
  },
  data: Session,
  errors: [...common, 'PASSWORD_INCORRECT', 'STEP_UP_MFA_REQUIRED'],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery staple' },
    data: exampleSession,
  },
});

export const logOut = operation({
  ...sessionCall,
  id: 'logOut',
  path: '/api/auth/logout',
  summary: 'Log out',
  description: 'Ends this session at once.',
  auth: 'session',
  input: noInput,
  data: Type.Object({ logged_out: Type.Boolean() }, { title: 'LoggedOut' }),
  errors: [...common, ...sessionErrors],
  example: { data: { logged_out: true } },
});

export const changePassword = operation({
  ...sessionCall,
  id: 'changePassword',
  path: '/api/auth/password',
  summary: 'Change the password',
  description:
    'Ends every other session of the user and revokes every key, but for those that this session minted.',
  auth: 'session',
  input: {
    ...noInput,
    body: Type.Object(
      { current_password: password, new_password: password },
      { title: 'PasswordInput', ...closed },
    ),
  },
  data: Type.Object(
    {
      sessions_ended: Type.Integer({ minimum: 0 }),
      keys_revoked: Type.Integer({ minimum: 0 }),
    },
    { title: 'PasswordChanged' },
  ),
  errors: [...common, ...sessionErrors, 'PASSWORD_INCORRECT', 'PASSWORD_TOO_WEAK'],
  example: {
    body: {
      current_password: 'correct horse battery staple',
      new_password: 'staple battery horse correct',
    },
    data: { sessions_ended: 0, keys_revoked: 0 },
  },
});
