// A user as operators see one before they help: who it is and how it signs in, and nothing that anybody could sign in with.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { instant, moneyOf, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { environments } from './api-key.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

const UserAccount = Type.Object(
  {
    lane: oneOf(environments),
    account_id: idOf('account'),
    frozen: Type.Boolean(),
    frozen_by_operator: Type.Boolean(),
    frozen_message: nullable(
      Type.String({ description: 'What the owner reads of it; the reason is in the audit log.' }),
    ),
    ...nullableInstant('closed_at', 'When it was closed.'),
  },
  { title: 'UserAccount' },
);

const UserFactor = Type.Object(
  {
    kind: oneOf(['totp', 'passkey']),
    ...instant('since_at', 'When it was enrolled.'),
    ...nullableInstant(
      'last_used_at',
      'When it was last used, a code to the half minute; null if it never was since it was enrolled.',
    ),
  },
  { title: 'UserFactor' },
);

export const FoundUser = Type.Object(
  {
    user_id: idOf('user'),
    email_masked: Type.String({ description: 'The first letter and the domain.' }),
    email_verified: Type.Boolean(),
    ...instant('created_at', 'When the user registered.'),
    declared_country: nullable(Type.String()),
    accounts: Type.Array(UserAccount, { description: 'Those of the lanes that run now.' }),
    factors: Type.Array(UserFactor, { description: 'Second factors, the authenticator first.' }),
    recovery_codes_left: count('Not used yet.'),
    ...nullableInstant(
      'last_sign_in_at',
      'When a session was last begun; null if that is longer ago than sessions are kept.',
    ),
    sessions_open: count('Sessions that are open.'),
    withdrawals_open: nullable(
      count('Withdrawals of live that are asked for, held or sent.'),
      'Null while live does not run.',
    ),
    withdrawals_open_amount: nullable(moneyOf('What those come to.')),
    ...nullableInstant(
      'withdrawals_held_until_at',
      'Withdrawals wait until then, since the password or a factor was changed.',
    ),
  },
  { title: 'FoundUser' },
);
export type FoundUser = Static<typeof FoundUser>;

const exampleAt = '2026-11-14T12:00:00.000Z';
const exampleAtMs = 1_794_657_600_000;

export const exampleFoundUser: FoundUser = {
  user_id: 'usr_01J0000000000005',
  email_masked: 'a***@example.com',
  email_verified: true,
  created_at: exampleAt,
  created_at_ms: exampleAtMs,
  declared_country: null,
  accounts: [
    {
      lane: 'live',
      account_id: 'acc_01J0000000000004',
      frozen: false,
      frozen_by_operator: false,
      frozen_message: null,
      closed_at: null,
      closed_at_ms: null,
    },
  ],
  factors: [
    {
      kind: 'totp',
      since_at: exampleAt,
      since_at_ms: exampleAtMs,
      last_used_at: null,
      last_used_at_ms: null,
    },
  ],
  recovery_codes_left: 10,
  last_sign_in_at: exampleAt,
  last_sign_in_at_ms: exampleAtMs,
  sessions_open: 1,
  withdrawals_open: 0,
  withdrawals_open_amount: '0.000000',
  withdrawals_held_until_at: null,
  withdrawals_held_until_at_ms: null,
};
