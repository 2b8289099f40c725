// Companion calls for the user's own security: second factors, and the step-up of a session.

import { Type } from 'typebox';
import { common } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { limits } from '../limits.ts';
import { openObject } from '../primitives.ts';
import {
  exampleFactors,
  exampleRecoveryCodes,
  exampleTotpSeed,
  Factors,
  otp,
  RecoveryCodes,
  recoveryCode,
  SteppedUp,
  TotpSeed,
} from '../resources/factor.ts';
import { closed, password, sessionCall, sessionErrors } from './session-call.ts';

const ownCall = { ...sessionCall, auth: 'session' } as const;
const minutes = limits.factors.stepUpMs / 60_000;
const guarded = [...common, ...sessionErrors, 'STEP_UP_MFA_REQUIRED'] as const;

const stepUp = operation({
  ...ownCall,
  id: 'stepUp',
  call: 'sessions.stepUp',
  path: '/api/auth/step-up',
  summary: 'Step up a session',
  description: `Proves once more who is at the page, for what a session alone is not enough: for ${minutes} minutes after it, as after a login. Give one of the fields. The password counts only where no second factor is enrolled. A code that does not fit, or was used before, is STEP_UP_MFA_REQUIRED with details.reason.`,
  input: {
    ...noInput,
    body: Type.Object(
      {
        otp: Type.Optional(otp),
        recovery_code: Type.Optional(recoveryCode),
        passkey: Type.Optional(
          openObject('The answer of a passkey to the challenge of askPasskey.'),
        ),
        password: Type.Optional(password),
      },
      { title: 'StepUpInput', ...closed },
    ),
  },
  data: SteppedUp,
  errors: [...guarded, 'PASSWORD_INCORRECT'],
  example: {
    body: { password: 'correct horse battery staple' },
    data: {
      stepped_up_until_at: '2026-11-14T12:05:00.000Z',
      stepped_up_until_at_ms: 1_794_657_900_000,
    },
  },
});

const listFactors = operation({
  ...ownCall,
  id: 'listFactors',
  call: 'factors.list',
  method: 'GET',
  path: '/api/auth/factors',
  rate: 'account_read',
  summary: 'Your second factors',
  description:
    'What is enrolled, how long this session is stepped up, and what waits because of a change.',
  input: noInput,
  data: Factors,
  errors: [...common, ...sessionErrors],
  example: { data: exampleFactors },
});

const enrolTotp = operation({
  ...ownCall,
  id: 'enrolTotp',
  call: 'factors.enrolTotp',
  path: '/api/auth/totp',
  summary: 'Begin an authenticator',
  description:
    'Gives the seed for an authenticator, as text and as an otpauth URI to be shown as a QR code; shown once. Nothing changes until confirmTotp is given a code of it; beginning again replaces it. The first second factor of a user takes a step-up by the password after the login. STATE_CONFLICT if there is one already.',
  bearsSecrets: true,
  input: noInput,
  data: TotpSeed,
  errors: [...guarded, 'STATE_CONFLICT', 'SCOPE_NOT_ALLOWED'],
  example: { data: exampleTotpSeed('ada@example.com') },
});

const confirmTotp = operation({
  ...ownCall,
  id: 'confirmTotp',
  call: 'factors.confirmTotp',
  path: '/api/auth/totp/confirm',
  summary: 'Confirm the authenticator',
  description: `From now on a login needs a second factor, the other sessions are over, and withdrawals wait ${limits.factors.withdrawalHoldMs / 3_600_000} hours. The recovery codes are shown once; none if there are some already. A code that does not fit is VALIDATION_FAILED.`,
  bearsSecrets: true,
  input: { ...noInput, body: Type.Object({ otp }, { title: 'TotpConfirmation', ...closed }) },
  data: Type.Object({ recovery_codes: RecoveryCodes }, { title: 'TotpConfirmed' }),
  errors: [...guarded, 'STATE_CONFLICT'],
  example: { body: { otp: '000000' }, data: { recovery_codes: exampleRecoveryCodes } },
});

const removeTotp = operation({
  ...ownCall,
  id: 'removeTotp',
  call: 'factors.removeTotp',
  method: 'DELETE',
  path: '/api/auth/totp',
  summary: 'Remove the authenticator',
  description:
    'With it go the recovery codes, if no other factor is left. Withdrawals are held as after every change.',
  input: noInput,
  data: Factors,
  errors: [...guarded, 'STATE_CONFLICT'],
  example: {
    data: {
      ...exampleFactors,
      withdrawals_held_until_at: '2026-11-15T12:00:00.000Z',
      withdrawals_held_until_at_ms: 1_794_744_000_000,
    },
  },
});

const renewRecoveryCodes = operation({
  ...ownCall,
  id: 'renewRecoveryCodes',
  call: 'factors.renewRecoveryCodes',
  path: '/api/auth/recovery-codes',
  summary: 'New recovery codes',
  description: 'They take the place of all earlier ones. STATE_CONFLICT if no factor is enrolled.',
  bearsSecrets: true,
  input: noInput,
  data: Type.Object({ recovery_codes: RecoveryCodes }, { title: 'NewRecoveryCodes' }),
  errors: [...guarded, 'STATE_CONFLICT'],
  example: { data: { recovery_codes: exampleRecoveryCodes } },
});

export const factorOperations = Object.freeze({
  stepUp,
  listFactors,
  enrolTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
});
