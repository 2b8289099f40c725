// Users whom operators help: found by the address of mail, granted scopes, handed links, and freed of second factors that they lost.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { noInput, operation } from '../define.ts';
import { idOf, pathId } from '../ids.ts';
import { limits } from '../limits.ts';
import { email } from '../operations/session-call.ts';
import { instant, nullable, oneOf } from '../primitives.ts';
import { orApproval } from '../resources/approval.ts';
import { exampleFoundUser, FoundUser } from '../resources/found-user.ts';
import { exampleUserScopes, UserScopes, userScopes } from '../resources/operator-account.ts';
import { closed, looking, operatorReadErrors, plane, reason } from './plane.ts';

const userParams = Type.Object({ user_id: pathId('user', 'The user.') });
const userExample = { user_id: exampleUserScopes.user_id };

export const getUserScopes = operation({
  ...looking,
  id: 'getUserScopes',
  path: '/admin/v1/users/{user_id}/scopes',
  summary: 'Scopes of a user',
  description: 'Whether the user reviews what others propose, or rules on disputes.',
  input: { ...noInput, params: userParams },
  data: UserScopes,
  errors: [...operatorReadErrors, ...identified],
  example: { params: userExample, data: exampleUserScopes },
});

export const setUserScopes = operation({
  ...plane,
  id: 'setUserScopes',
  role: 'admin',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/users/{user_id}/scopes',
  summary: 'Grant scopes to a user',
  description:
    'In place of those of before: reviewer looks over what others propose, arbiter rules on disputes. Another admin has to agree to more than before; less counts at once.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object(
      { reason, scopes: Type.Array(oneOf(userScopes), { maxItems: 2, uniqueItems: true }) },
      { title: 'UserScopesInput', ...closed },
    ),
  },
  data: orApproval(UserScopes),
  errors: [...operatorReadErrors, ...identified],
  example: {
    params: userExample,
    body: { reason: 'ticket 4711', scopes: ['reviewer'] },
    data: exampleUserScopes,
  },
});

const linkFields = {
  url: nullable(Type.String({ description: 'To be handed over; null where it was mailed.' })),
  mailed: Type.Boolean({
    description:
      'Whether it went to the address of the user: where mail is sent nobody else sees it.',
  }),
  ...instant('expires_at', 'When it is over.'),
};

export const createResetLink = operation({
  ...plane,
  id: 'createResetLink',
  role: 'support',
  stepUp: true,
  approval: 'sometimes',
  method: 'POST',
  path: '/admin/v1/users/{user_id}/reset-link',
  summary: 'A link to set a new password',
  description: `For an exchange that sends no mail: hand it over once you know who asks. Where mail is sent, it goes to the address of the user, and nobody sees it here (mailed), at most ${limits.mail.perEmail} times an hour for one user (RATE_LIMITED). It is good once and for ${limits.mail.resetMs / 60_000} minutes, and does not take the place of a second factor. If the live accounts of the user are worth more than DEPOSIT_APPROVAL_ABOVE, another operator with the role has to agree; the answer to that operator then has the link (outcome), once.`,
  idempotency: 'none',
  bearsSecrets: true,
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object({ reason }, { title: 'ResetLinkInput', ...closed }),
  },
  data: orApproval(Type.Object(linkFields, { title: 'ResetLink' })),
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: userExample,
    body: { reason: 'ticket 4711' },
    data: {
      url: `https://sibyl.example/reset#${'x'.repeat(43)}`,
      mailed: false,
      expires_at: '2026-11-14T13:00:00.000Z',
      expires_at_ms: 1_794_661_200_000,
    },
  },
});

export const createVerificationLink = operation({
  ...plane,
  since: '0.3',
  id: 'createVerificationLink',
  role: 'support',
  stepUp: true,
  method: 'POST',
  path: '/admin/v1/users/{user_id}/verification-link',
  summary: 'A link that verifies an address of mail',
  description: `For an exchange that sends no mail: hand it over in a way that reaches the owner of the address alone, since whoever opens it counts as that. Where mail is sent, it goes to that address, and nobody sees it here (mailed), at most ${limits.mail.perEmail} times an hour for one user (RATE_LIMITED). It is good once and for ${limits.mail.verificationMs / 3_600_000} hours. STATE_CONFLICT if the address is verified already.`,
  idempotency: 'none',
  bearsSecrets: true,
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object({ reason }, { title: 'VerificationLinkInput', ...closed }),
  },
  data: Type.Object(linkFields, { title: 'VerificationLink' }),
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: userExample,
    body: { reason: 'ticket 4711' },
    data: {
      url: `https://sibyl.example/verify#${'x'.repeat(43)}`,
      mailed: false,
      expires_at: '2026-11-15T12:00:00.000Z',
      expires_at_ms: 1_794_744_000_000,
    },
  },
});

export const findUser = operation({
  ...plane,
  id: 'findUser',
  role: 'support',
  method: 'GET',
  path: '/admin/v1/users',
  summary: 'Find a user by the address of mail',
  description:
    'Who has registered with it, and what there is to know before anybody is helped: the address in part, whether it is verified, accounts, second factors, sessions and withdrawals. NOT_FOUND if nobody has.',
  rate: 'account_read',
  idempotency: 'none',
  input: { ...noInput, query: Type.Object({ email }, { ...closed }) },
  data: FoundUser,
  errors: [...operatorReadErrors, 'NOT_FOUND'],
  example: {
    query: { email: 'ada@example.com' },
    data: exampleFoundUser,
  },
});

export const removeUserFactors = operation({
  ...plane,
  since: '0.3',
  id: 'removeUserFactors',
  role: 'admin',
  stepUp: true,
  approval: 'always',
  method: 'POST',
  path: '/admin/v1/users/{user_id}/remove-factors',
  summary: 'Remove the second factors of a user',
  description:
    'For whoever has lost the authenticator, all passkeys and the recovery codes, once you know who asks: removes all of them and ends every session of the user; the password counts alone until another factor is enrolled. Withdrawals are held for 24 hours, keys stay, and the user is told by mail. Another admin has to agree, also where no live lane is run: users are the same in both. STATE_CONFLICT if there is none.',
  idempotency: 'none',
  input: {
    ...noInput,
    params: userParams,
    body: Type.Object({ reason }, { title: 'RemoveFactorsInput', ...closed }),
  },
  data: orApproval(
    Type.Object(
      {
        user_id: idOf('user'),
        totp_removed: Type.Boolean({ description: 'Whether there was an authenticator.' }),
        passkeys_removed: Type.Integer({ minimum: 0 }),
        sessions_ended: Type.Integer({ minimum: 0 }),
        ...instant('withdrawals_held_until_at', 'Withdrawals of the user wait until then.'),
        mailed: Type.Boolean({
          description:
            'Whether a letter tells the user; where no mail is sent, tell them yourself.',
        }),
      },
      { title: 'RemovedFactors' },
    ),
  ),
  errors: [...operatorReadErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: userExample,
    body: { reason: 'lost the telephone, called back' },
    data: {
      ...userExample,
      totp_removed: true,
      passkeys_removed: 0,
      sessions_ended: 1,
      withdrawals_held_until_at: '2026-11-15T12:00:00.000Z',
      withdrawals_held_until_at_ms: 1_794_744_000_000,
      mailed: true,
    },
  },
});
