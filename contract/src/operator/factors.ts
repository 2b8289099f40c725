// The second factor of an operator: enrolled, confirmed and removed by its own, and reset by an admin for whoever has lost it.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { orApproval } from '../resources/approval.ts';
import {
  exampleRecoveryCodes,
  exampleTotpSeed,
  otp,
  RecoveryCodes,
  TotpSeed,
} from '../resources/factor.ts';
import {
  exampleOperator,
  exampleOperatorFactor,
  Operator,
  OperatorFactor,
} from '../resources/operator-account.ts';
import { closed, operatorReadErrors, plane, reason } from './plane.ts';
import { own } from './sessions.ts';

const ownErrors = [...operatorReadErrors, 'STATE_CONFLICT'] as const;

export const getOperatorFactor = operation({
  ...own,
  id: 'getOperatorFactor',
  method: 'GET',
  path: '/admin/v1/session/factor',
  summary: 'Your second factor',
  description:
    'Whether there is one, and what confirms a session. OPERATOR_TOKEN has none: STATE_CONFLICT.',
  rate: 'account_read',
  input: noInput,
  data: OperatorFactor,
  errors: [...ownErrors],
  example: { data: exampleOperatorFactor },
});

export const enrolOperatorTotp = operation({
  ...own,
  id: 'enrolOperatorTotp',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/session/totp',
  summary: 'Begin an authenticator of your own',
  description:
    'Gives the seed for an authenticator, as text and as an otpauth URI to be shown as a QR code; shown once. Nothing changes until confirmOperatorTotp is given a code of it; beginning again replaces it. STATE_CONFLICT if there is one already, and for OPERATOR_TOKEN.',
  bearsSecrets: true,
  input: noInput,
  data: TotpSeed,
  errors: [...ownErrors],
  example: { data: exampleTotpSeed(exampleOperator.name) },
});

export const confirmOperatorTotp = operation({
  ...own,
  id: 'confirmOperatorTotp',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/session/totp/confirm',
  summary: 'Confirm your authenticator',
  description:
    'From now on signing in and confirming a session need a code. The recovery codes are shown once. A code that does not fit is VALIDATION_FAILED.',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object({ otp }, { title: 'OperatorTotpConfirmation', ...closed }),
  },
  data: Type.Object({ recovery_codes: RecoveryCodes }, { title: 'OperatorTotpConfirmed' }),
  errors: [...ownErrors],
  example: { body: { otp: '000000' }, data: { recovery_codes: exampleRecoveryCodes } },
});

export const removeOperatorTotp = operation({
  ...own,
  id: 'removeOperatorTotp',
  stepUp: true,
  method: 'DELETE',
  path: '/admin/v1/session/totp',
  summary: 'Remove your authenticator',
  description: 'With it go the recovery codes. STATE_CONFLICT if there is none.',
  input: noInput,
  data: OperatorFactor,
  errors: [...ownErrors],
  example: { data: exampleOperatorFactor },
});

export const renewOperatorRecoveryCodes = operation({
  ...own,
  id: 'renewOperatorRecoveryCodes',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/session/recovery-codes',
  summary: 'New recovery codes of your own',
  description:
    'They take the place of all earlier ones. STATE_CONFLICT if no second factor is enrolled.',
  bearsSecrets: true,
  input: noInput,
  data: Type.Object({ recovery_codes: RecoveryCodes }, { title: 'OperatorRecoveryCodes' }),
  errors: [...ownErrors],
  example: { data: { recovery_codes: exampleRecoveryCodes } },
});

export const resetOperatorFactor = operation({
  ...plane,
  id: 'resetOperatorFactor',
  role: 'admin',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/operators/{operator_id}/reset-factor',
  summary: 'Reset the second factor of an operator',
  description:
    'For whoever has lost it: removes it with its recovery codes and ends all of their sessions; the password counts alone until they enrol another. Another admin has to agree. STATE_CONFLICT if there is none.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: Type.Object({ operator_id: pathId('operator', 'The operator.') }),
    body: Type.Object({ reason }, { title: 'ResetFactorInput', ...closed }),
  },
  data: orApproval(Operator),
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: { operator_id: exampleOperator.operator_id },
    body: { reason: 'lost the telephone, called back' },
    data: exampleOperator,
  },
});
