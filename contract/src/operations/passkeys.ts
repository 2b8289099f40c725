// Companion calls for passkeys: register, rename, remove, and log in with one. WebAuthn's own records travel as they are.

import { Type } from 'typebox';
import { common, identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { personalText } from '../plain-text.ts';
import { openObject } from '../primitives.ts';
import {
  examplePasskey,
  exampleRecoveryCodes,
  Passkey,
  RecoveryCodes,
} from '../resources/factor.ts';
import { exampleSession, Session } from '../resources/session.ts';
import { closed, cookie, sessionCall, sessionErrors } from './session-call.ts';

const ownCall = { ...sessionCall, auth: 'session' } as const;
const guarded = [...common, ...sessionErrors, 'STEP_UP_MFA_REQUIRED'] as const;
const options = Type.Object(
  { options: openObject('As a page hands them to the browser, in the JSON of WebAuthn.') },
  { title: 'PasskeyOptions' },
);
const params = Type.Object({ passkey_id: pathId('passkey', 'The passkey.') });
const label = Type.String({ ...personalText, minLength: 1, maxLength: 64 });
const usedPasskey = {
  ...examplePasskey,
  label: 'telephone',
  last_used_at: '2026-11-14T13:00:00.000Z',
  last_used_at_ms: 1_794_661_200_000,
};
const { challengeMs, passkeysMax } = limits.factors;

const beginPasskey = operation({
  ...ownCall,
  id: 'beginPasskey',
  call: 'passkeys.begin',
  path: '/api/auth/passkeys/options',
  summary: 'Begin a passkey',
  description: `What a browser needs to make a passkey for this user, good for ${challengeMs / 60_000} minutes. The first second factor of a user takes a step-up by the password after the login.`,
  input: noInput,
  data: options,
  errors: [...guarded, 'SCOPE_NOT_ALLOWED'],
  example: { data: { options: { challenge: 'x'.repeat(43) } } },
});

const addPasskey = operation({
  ...ownCall,
  id: 'addPasskey',
  call: 'passkeys.add',
  path: '/api/auth/passkeys',
  summary: 'Add a passkey',
  description: `Takes what the browser made. A user has at most ${passkeysMax}. The other sessions are over. The recovery codes are shown once; none if there are some already. What cannot be verified is VALIDATION_FAILED.`,
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      { label, response: openObject('The answer of the browser.') },
      { title: 'PasskeyInput', ...closed },
    ),
  },
  data: Type.Object({ passkey: Passkey, recovery_codes: RecoveryCodes }, { title: 'PasskeyAdded' }),
  errors: [...guarded, 'ALREADY_EXISTS', 'STATE_CONFLICT'],
  example: {
    body: { label: examplePasskey.label, response: { id: 'x' } },
    data: { passkey: examplePasskey, recovery_codes: exampleRecoveryCodes },
  },
});

const renamePasskey = operation({
  ...ownCall,
  id: 'renamePasskey',
  call: 'passkeys.rename',
  method: 'PATCH',
  path: '/api/auth/passkeys/{passkey_id}',
  summary: 'Rename a passkey',
  description: 'The name is for its owner to tell it from others.',
  input: { ...noInput, params, body: Type.Object({ label }, { title: 'PasskeyName', ...closed }) },
  data: Passkey,
  errors: [...common, ...sessionErrors, ...identified],
  example: {
    params: { passkey_id: examplePasskey.passkey_id },
    body: { label: 'telephone' },
    data: usedPasskey,
  },
});

const removePasskey = operation({
  ...ownCall,
  id: 'removePasskey',
  call: 'passkeys.remove',
  method: 'DELETE',
  path: '/api/auth/passkeys/{passkey_id}',
  summary: 'Remove a passkey',
  description:
    'With the last factor go the recovery codes. Withdrawals are held as after every change.',
  input: { ...noInput, params },
  data: Passkey,
  errors: [...guarded, ...identified],
  example: {
    params: { passkey_id: examplePasskey.passkey_id },
    data: usedPasskey,
  },
});

const askPasskey = operation({
  ...sessionCall,
  id: 'askPasskey',
  call: 'passkeys.ask',
  path: '/api/auth/passkey/options',
  summary: 'Ask for a passkey',
  description: `A challenge for any passkey of this exchange, to log in or to step up with; good once and for ${challengeMs / 60_000} minutes.`,
  auth: 'public',
  input: noInput,
  data: options,
  errors: common,
  example: { data: { options: { challenge: 'x'.repeat(43) } } },
});

const logInWithPasskey = operation({
  ...sessionCall,
  id: 'logInWithPasskey',
  call: 'passkeys.logIn',
  path: '/api/auth/passkey',
  summary: 'Log in with a passkey',
  description:
    'A passkey says who somebody is and is unlocked by them, so neither a password nor a code is asked for. One that is unknown or does not fit is PASSWORD_INCORRECT, as every login that fails.',
  auth: 'public',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      { response: openObject('The answer of the browser.'), cookie },
      { title: 'PasskeyLoginInput', ...closed },
    ),
  },
  data: Session,
  errors: [...common, 'PASSWORD_INCORRECT', 'SCOPE_NOT_ALLOWED'],
  example: { body: { response: { id: 'x' } }, data: exampleSession },
});

export const passkeyOperations = Object.freeze({
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  askPasskey,
  logInWithPasskey,
});
