// Companion calls of the page: register, log in, try it out, resume, log out, change the password. Not counted.

import { Type } from 'typebox';
import { common } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { limits } from '../limits.ts';
import { personalText } from '../plain-text.ts';
import { nullable } from '../primitives.ts';
import { country } from '../resources/compliance.ts';
import { otp, recoveryCode } from '../resources/factor.ts';
import { exampleSession, Session } from '../resources/session.ts';
import {
  closed,
  cookie,
  email,
  newEmail,
  PasswordChanged,
  password,
  sessionCall,
  sessionErrors,
} from './session-call.ts';

const register = operation({
  ...sessionCall,
  id: 'register',
  call: 'sessions.register',
  path: '/api/auth/register',
  summary: 'Register',
  description:
    'Opens a user with an account in each lane and logs in. With demo_token, a demo account becomes the sandbox account of the user. An email that is registered gets the answer of a login: a session with the right password, PASSWORD_INCORRECT with any other. One whose account was closed during an exclusion of its owner is COMPLIANCE_GATE_BLOCKED (rule_id self_exclusion) until that is over.',
  auth: 'public',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        email: newEmail,
        password,
        display_name: Type.Optional(Type.String({ ...personalText, minLength: 1, maxLength: 64 })),
        referral_code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
        country: Type.Optional(country),
        demo_token: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 256,
            description:
              'The session_token of a demo account. It becomes the sandbox account of the new user, with its money, orders and positions, and all sessions of the demo end. Without it the sandbox account is new and empty.',
          }),
        ),
        cookie,
      },
      { title: 'RegisterInput', ...closed },
    ),
  },
  data: Session,
  errors: [
    ...common,
    'PASSWORD_INCORRECT',
    'PASSWORD_TOO_WEAK',
    'STEP_UP_MFA_REQUIRED',
    'SCOPE_NOT_ALLOWED',
    'ANTI_ABUSE_BLOCKED',
    'JURISDICTION_BLOCKED',
    'COMPLIANCE_GATE_BLOCKED',
  ],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery staple' },
    data: exampleSession,
  },
});

const logIn = operation({
  ...sessionCall,
  id: 'logIn',
  call: 'sessions.logIn',
  path: '/api/auth/login',
  summary: 'Log in',
  description:
    'An unknown email gets the same answer as a wrong password. A user with a second factor gives otp or recovery_code as well; without it the answer is STEP_UP_MFA_REQUIRED, whose details.factors say what would do.',
  auth: 'public',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        email,
        password,
        otp: Type.Optional(otp),
        recovery_code: Type.Optional(recoveryCode),
        cookie,
      },
      { title: 'LoginInput', ...closed },
    ),
  },
  data: Session,
  errors: [...common, 'PASSWORD_INCORRECT', 'STEP_UP_MFA_REQUIRED', 'SCOPE_NOT_ALLOWED'],
  example: {
    body: { email: 'ada@example.com', password: 'correct horse battery staple' },
    data: exampleSession,
  },
});

const openDemo = operation({
  ...sessionCall,
  id: 'openDemo',
  call: 'sessions.demo',
  path: '/api/auth/demo',
  summary: 'Open a demo account',
  description: `For a visitor who wants to try it out: a fresh account of the sandbox with ${limits.demo.balance} test USDT, and a session for it. It trades below /sandbox only, has no keys and no webhooks, and is closed when nothing has happened in it for ${limits.demo.idleMs / 86_400_000} days. An address may open ${limits.demo.perHour} an hour and ${limits.demo.perDay} a day, an IPv6 network (/48) ${limits.demo.networkPerHour} and ${limits.demo.networkPerDay}; all visitors together as many an hour as the operator allows.`,
  auth: 'public',
  bearsSecrets: true,
  input: { ...noInput, body: Type.Object({ cookie }, { title: 'DemoInput', ...closed }) },
  data: Session,
  errors: [...common, 'SCOPE_NOT_ALLOWED'],
  example: { body: {}, data: { ...exampleSession, mode: 'demo' } },
});

const resumeSession = operation({
  ...sessionCall,
  id: 'resumeSession',
  call: 'sessions.resume',
  path: '/api/auth/session',
  summary: 'Resume the session of the cookie',
  description:
    'What a page of this server calls when it is loaded: gives the session whose cookie the browser holds, or null if there is none that is still in force. The cookie opens nothing else. Calls from other pages, and cookies sent by programs, are refused (SCOPE_NOT_ALLOWED).',
  auth: 'public',
  // Every load of a page asks, also those of visitors behind one address.
  rate: 'read',
  bearsSecrets: true,
  input: noInput,
  data: Type.Object({ session: nullable(Session) }, { title: 'ResumedSession' }),
  errors: [...common, 'SCOPE_NOT_ALLOWED'],
  example: { data: { session: exampleSession } },
});

const logOut = operation({
  ...sessionCall,
  id: 'logOut',
  call: 'sessions.logOut',
  path: '/api/auth/logout',
  summary: 'Log out',
  description:
    'Ends this session at once, and clears the session cookie of the page. A demo session ends at either address.',
  auth: 'session',
  input: noInput,
  data: Type.Object({ logged_out: Type.Boolean() }, { title: 'LoggedOut' }),
  errors: [...common, ...sessionErrors],
  example: { data: { logged_out: true } },
});

const changePassword = operation({
  ...sessionCall,
  id: 'changePassword',
  call: 'sessions.changePassword',
  path: '/api/auth/password',
  summary: 'Change the password',
  description:
    'Ends every other session of the user and revokes every key, but for those that this session minted. Webhooks that neither this session nor such a key registered are paused (`password_changed`). Withdrawals wait for a day. With a second factor enrolled, the session must be stepped up.',
  auth: 'session',
  input: {
    ...noInput,
    body: Type.Object(
      { current_password: password, new_password: password },
      { title: 'PasswordInput', ...closed },
    ),
  },
  data: PasswordChanged,
  errors: [
    ...common,
    ...sessionErrors,
    'PASSWORD_INCORRECT',
    'PASSWORD_TOO_WEAK',
    'STEP_UP_MFA_REQUIRED',
  ],
  example: {
    body: {
      current_password: 'correct horse battery staple',
      new_password: 'staple battery horse correct',
    },
    data: { sessions_ended: 0, keys_revoked: 0, webhooks_paused: [] },
  },
});

export const sessionOperations = Object.freeze({
  register,
  logIn,
  openDemo,
  resumeSession,
  logOut,
  changePassword,
});
