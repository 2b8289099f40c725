// What every companion call of the page has in common.

import { Type } from 'typebox';
import { idOf } from '../ids.ts';
import { limits } from '../limits.ts';
import { personalText, visibleText } from '../plain-text.ts';
import { oneOf } from '../primitives.ts';
import { environments } from '../resources/api-key.ts';

export const sessionCall = {
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

export const sessionErrors = [
  'AUTH_REQUIRED',
  'AUTH_INVALID',
  'WRONG_ENV_KEY',
  'SCOPE_MISSING',
] as const;

export const closed = { additionalProperties: false };

export const email = Type.String({
  ...personalText,
  minLength: 3,
  maxLength: 254,
  format: 'email',
  'x-expected': 'an email address',
});

/** Of somebody new: nobody registers what looks like the address of another. Who has done so before still logs in. */
export const newEmail = Type.String({
  ...visibleText,
  minLength: 3,
  maxLength: 254,
  format: 'email',
  'x-expected': 'an email address without invisible characters',
});

// The lower bound is judged by the handler: a short new password is PASSWORD_TOO_WEAK.
export const password = Type.String({ minLength: 1, maxLength: limits.password.lengthMax });

export const PasswordChanged = Type.Object(
  {
    sessions_ended: Type.Integer({ minimum: 0 }),
    keys_revoked: Type.Integer({ minimum: 0 }),
    webhooks_paused: Type.Array(
      Type.Object(
        { webhook_id: idOf('webhook'), environment: oneOf(environments), url: Type.String() },
        { title: 'PausedWebhook' },
      ),
      { description: 'Webhooks that send nothing until you check and resume them.' },
    ),
  },
  { title: 'PasswordChanged' },
);

export const cookie = Type.Optional(
  Type.Boolean({
    description:
      'For a page of this server: also sets the session cookie, from which resumeSession finds the session again. Refused to all others (SCOPE_NOT_ALLOWED).',
  }),
);
