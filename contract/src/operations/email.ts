// Companion calls over mail: show that an address is one's own, and set a new password without the old one.

import { Type } from 'typebox';
import { common } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { limits } from '../limits.ts';
import { instant, openObject } from '../primitives.ts';
import { otp, recoveryCode } from '../resources/factor.ts';
import { exampleWebhook } from '../resources/webhook.ts';
import {
  closed,
  email,
  PasswordChanged,
  password,
  sessionCall,
  sessionErrors,
} from './session-call.ts';

const token = Type.String({
  pattern: '^[0-9A-Za-z_-]{43}$',
  'x-expected': 'what stands behind # in the link',
  description: 'From the link: what stands behind the #. It counts once.',
});
const { verificationMs, resetMs, perEmail, perAddress } = limits.mail;
const Sent = Type.Object(
  { sent: Type.Boolean({ description: 'That it is on its way, if there is anybody to get it.' }) },
  { title: 'MailSent' },
);

const sendVerification = operation({
  ...sessionCall,
  auth: 'session',
  id: 'sendVerification',
  call: 'email.sendVerification',
  path: '/api/auth/email/verification',
  summary: 'Send the link that verifies your address',
  description: `Once more: registering has sent one. It is good for ${verificationMs / 3_600_000} hours. STATE_CONFLICT if the address is verified already; SERVICE_UNAVAILABLE where the exchange sends no mail; at most ${perEmail} an hour.`,
  input: noInput,
  data: Sent,
  errors: [...common, ...sessionErrors, 'STATE_CONFLICT', 'SCOPE_NOT_ALLOWED'],
  example: { data: { sent: true } },
});

const confirmEmail = operation({
  ...sessionCall,
  id: 'confirmEmail',
  call: 'email.confirm',
  path: '/api/auth/email/confirm',
  summary: 'Verify an address',
  description:
    'Takes what stands in the link, whoever is at the page. A link that is not known, was used or is over is NOT_FOUND.',
  auth: 'public',
  input: { ...noInput, body: Type.Object({ token }, { title: 'EmailConfirmation', ...closed }) },
  data: Type.Object(
    { ...instant('email_verified_at', 'When the address was verified.') },
    { title: 'EmailConfirmed' },
  ),
  errors: [...common, 'NOT_FOUND'],
  example: {
    body: { token: 'x'.repeat(43) },
    data: {
      email_verified_at: '2026-11-14T12:00:00.000Z',
      email_verified_at_ms: 1_794_657_600_000,
    },
  },
});

const requestPasswordReset = operation({
  ...sessionCall,
  id: 'requestPasswordReset',
  call: 'sessions.requestPasswordReset',
  path: '/api/auth/password/forgot',
  summary: 'Ask for a link to set a new password',
  description: `The answer is the same whether anybody has registered with the address. The link is good for ${resetMs / 60_000} minutes and once; a newer one ends it. SERVICE_UNAVAILABLE where the exchange sends no mail: its operator can hand out a link. At most ${perEmail} an hour for an address of mail, ${perAddress} from an address of the network.`,
  auth: 'public',
  input: { ...noInput, body: Type.Object({ email }, { title: 'ForgottenPassword', ...closed }) },
  data: Sent,
  errors: common,
  example: { body: { email: 'ada@example.com' }, data: { sent: true } },
});

const resetPassword = operation({
  ...sessionCall,
  id: 'resetPassword',
  call: 'sessions.resetPassword',
  path: '/api/auth/password/reset',
  summary: 'Set a new password by a link',
  description:
    'Ends every session of the user, revokes every key and pauses every webhook (`password_changed`); withdrawals wait for a day, and destinations added within the last seven days start their delay again. The link does not take the place of a second factor: where one is enrolled, give otp, recovery_code or the answer of a passkey as well, else the answer is STEP_UP_MFA_REQUIRED and the link stays good. One that is not known, was used or is over is NOT_FOUND.',
  auth: 'public',
  bearsSecrets: true,
  input: {
    ...noInput,
    body: Type.Object(
      {
        token,
        new_password: password,
        otp: Type.Optional(otp),
        recovery_code: Type.Optional(recoveryCode),
        passkey: Type.Optional(
          openObject('The answer of a passkey to the challenge of askPasskey.'),
        ),
      },
      { title: 'PasswordResetInput', ...closed },
    ),
  },
  data: PasswordChanged,
  errors: [...common, 'NOT_FOUND', 'PASSWORD_TOO_WEAK', 'STEP_UP_MFA_REQUIRED'],
  example: {
    body: { token: 'x'.repeat(43), new_password: 'correct horse battery staple' },
    data: {
      sessions_ended: 1,
      keys_revoked: 1,
      webhooks_paused: [
        {
          webhook_id: exampleWebhook.webhook_id,
          environment: exampleWebhook.environment,
          url: exampleWebhook.url,
        },
      ],
    },
  },
});

export const emailOperations = Object.freeze({
  sendVerification,
  confirmEmail,
  requestPasswordReset,
  resetPassword,
});
