// Companion calls for who a user is, and where they are logged in.

import { Type } from 'typebox';
import { common, identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import {
  exampleOpenSession,
  exampleProfile,
  OpenSession,
  Profile,
  ProfileInput,
} from '../resources/profile.ts';
import { sessionCall, sessionErrors } from './session-call.ts';

const ownCall = { ...sessionCall, auth: 'session' } as const;
const ownRead = { ...ownCall, method: 'GET', rate: 'account_read' } as const;
const ownErrors = [...common, ...sessionErrors] as const;
const SessionsEnded = Type.Object(
  { sessions_ended: Type.Integer({ minimum: 0 }) },
  { title: 'SessionsEnded' },
);

const getProfile = operation({
  ...ownRead,
  id: 'getProfile',
  call: 'profile.get',
  path: '/api/auth/profile',
  summary: 'Your profile',
  description: 'What you have said of yourself; nobody else is shown it.',
  input: noInput,
  data: Profile,
  errors: ownErrors,
  example: { data: { ...exampleProfile, country: null, language: null } },
});

const updateProfile = operation({
  ...ownCall,
  id: 'updateProfile',
  call: 'profile.update',
  method: 'PATCH',
  path: '/api/auth/profile',
  summary: 'Change your profile',
  description:
    'Fields that are left out stay; null clears one. A country that an operator has set, and what a list of sanctions or countries matched by, only an operator changes.',
  input: { ...noInput, body: ProfileInput },
  data: Profile,
  errors: [
    ...ownErrors,
    'SCOPE_NOT_ALLOWED',
    'JURISDICTION_BLOCKED',
    'SANCTIONS_HIT',
    'COMPLIANCE_GATE_BLOCKED',
  ],
  example: { body: { country: 'DE', language: 'de' }, data: exampleProfile },
});

const listSessions = operation({
  ...ownRead,
  id: 'listSessions',
  call: 'sessions.list',
  path: '/api/auth/sessions',
  summary: 'Where you are logged in',
  description: 'Every session that is open, the newest first.',
  input: noInput,
  data: Type.Object({ sessions: Type.Array(OpenSession) }, { title: 'OpenSessions' }),
  errors: ownErrors,
  example: { data: { sessions: [exampleOpenSession] } },
});

const endSession = operation({
  ...ownCall,
  id: 'endSession',
  call: 'sessions.end',
  method: 'DELETE',
  path: '/api/auth/sessions/{session_id}',
  summary: 'End a session',
  description: 'At once, on every connection. One that is over, or of somebody else, is NOT_FOUND.',
  input: { ...noInput, params: Type.Object({ session_id: pathId('session', 'The session.') }) },
  data: SessionsEnded,
  errors: [...ownErrors, ...identified],
  example: {
    params: { session_id: exampleOpenSession.session_id },
    data: { sessions_ended: 1 },
  },
});

const endOtherSessions = operation({
  ...ownCall,
  id: 'endOtherSessions',
  call: 'sessions.endOthers',
  path: '/api/auth/sessions/end-others',
  summary: 'End every other session',
  description: 'All but the one that asks.',
  input: noInput,
  data: SessionsEnded,
  errors: ownErrors,
  example: { data: { sessions_ended: 0 } },
});

export const profileOperations = Object.freeze({
  getProfile,
  updateProfile,
  listSessions,
  endSession,
  endOtherSessions,
});
