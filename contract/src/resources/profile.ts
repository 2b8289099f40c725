// What a user says of themselves, and the sessions that they have open; nobody else is shown either.

import { type Static, Type } from 'typebox';
import { countryCodes } from '../countries.ts';
import { idOf } from '../ids.ts';
import { personalText } from '../plain-text.ts';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';
import { locales } from '../texts/locales.ts';

const name = Type.String({ ...personalText, minLength: 1, maxLength: 64 });
const wallet = Type.String({
  pattern: '^0x[0-9a-fA-F]{40}$',
  'x-expected': '0x and 40 hexadecimal digits',
  description:
    'The EVM address of your wallet. Markets that you create show it to everybody as their creator_address; withdrawals go to destinations.',
});
const country = Type.Unsafe<string>({
  type: 'string',
  enum: [...countryCodes],
  description: 'Two letters of ISO 3166-1, such as DE.',
});
const phone = Type.String({
  pattern: '^\\+[1-9][0-9]{6,14}$',
  'x-expected': 'a number with + and the code of its country, such as +4930123456',
});
const language = oneOf(locales, { description: 'What mail is written in.' });

export const ProfileInput = Type.Object(
  {
    display_name: Type.Optional(nullable(name)),
    wallet_address: Type.Optional(nullable(wallet)),
    country: Type.Optional(nullable(country)),
    phone: Type.Optional(nullable(phone)),
    language: Type.Optional(nullable(language)),
  },
  { title: 'ProfileInput', additionalProperties: false, minProperties: 1 },
);

export const Profile = Type.Object(
  {
    user_id: idOf('user'),
    email: Type.String(),
    ...nullableInstant('email_verified_at', "When it was shown that the address is the user's."),
    links_mailed: Type.Boolean({
      description:
        'Whether links to verify the address or for a new password come by mail; where they do not, the operator hands them out.',
    }),
    display_name: nullable(name),
    wallet_address: nullable(wallet),
    country: nullable(country),
    phone: nullable(phone),
    language: nullable(language),
    last_login_ip: nullable(Type.String(), 'Where your last session began.'),
  },
  { title: 'Profile' },
);
export type Profile = Static<typeof Profile>;

export const exampleProfile: Profile = {
  user_id: 'usr_01J0000000000005',
  email: 'ada@example.com',
  email_verified_at: null,
  email_verified_at_ms: null,
  links_mailed: true,
  display_name: null,
  wallet_address: null,
  country: 'DE',
  phone: null,
  language: 'de',
  last_login_ip: '203.0.113.7',
};

export const OpenSession = Type.Object(
  {
    session_id: idOf('session'),
    is_current: Type.Boolean(),
    network: Type.String({ description: 'Where it was begun, coarsely.' }),
    device: Type.String({ description: 'What it was begun with, coarsely.' }),
    ...instant('created_at', 'When it was begun.'),
    ...instant('last_seen_at', 'When it was last used, to some minutes.'),
    ...instant('expires_at', 'When it ends by itself.'),
  },
  { title: 'OpenSession' },
);
export type OpenSession = Static<typeof OpenSession>;

export const exampleOpenSession: OpenSession = {
  session_id: 'ses_EXAMPLEexample00',
  is_current: true,
  network: '127.0.0.0/24',
  device: '',
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  last_seen_at: '2026-11-14T12:00:00.000Z',
  last_seen_at_ms: 1_794_657_600_000,
  expires_at: '2026-11-15T00:00:00.000Z',
  expires_at_ms: 1_794_700_800_000,
};
