// Second factors: what is enrolled, what is shown once, and how long a proof counts.

import { type Static, Type } from 'typebox';
import { idOf } from '../ids.ts';
import { limits } from '../limits.ts';
import { instant, nullable, nullableInstant, oneOf } from '../primitives.ts';

/** What proves that the person at the page is the user; `password` only where no other factor is enrolled. */
export const factorKinds = ['totp', 'recovery_code', 'passkey', 'password'] as const;
export type FactorKind = (typeof factorKinds)[number];

export const otp = Type.String({
  pattern: `^[0-9]{${limits.factors.otpDigits}}$`,
  'x-expected': 'six digits',
  description: 'The code that the authenticator shows; each counts once.',
});

export const recoveryCode = Type.String({
  pattern: '^[0-9a-zA-Z]{5}-[0-9a-zA-Z]{5}$',
  'x-expected': 'a recovery code such as 7k3vd-q9mxt',
  description:
    'One of the codes that were shown when the first factor was enrolled; each counts once.',
});

export const RecoveryCodes = Type.Array(Type.String(), {
  description: 'For the day on which every other factor is lost; shown once. Each counts once.',
});

export const TotpSeed = Type.Object(
  {
    secret: Type.String({ pattern: '^[A-Z2-7]{32}$', description: 'In base32; shown once.' }),
    uri: Type.String({ pattern: '^otpauth://totp/', description: 'The same with its name.' }),
  },
  { title: 'TotpSeed' },
);

/** The seed as it is shown to whoever goes by the name. */
export function exampleTotpSeed(name: string): Static<typeof TotpSeed> {
  const secret = 'A'.repeat(32);
  const terms = `issuer=Sibyl&secret=${secret}&algorithm=SHA1&digits=6&period=30`;
  return { secret, uri: `otpauth://totp/Sibyl:${encodeURIComponent(name)}?${terms}` };
}

export const Totp = Type.Object(
  { ...instant('confirmed_at', 'When the first code was given.') },
  { title: 'Totp' },
);

export const Passkey = Type.Object(
  {
    passkey_id: idOf('passkey'),
    label: Type.String(),
    is_synced: Type.Boolean({ description: 'Kept on more than one device by its maker.' }),
    ...instant('created_at', 'When it was registered.'),
    ...nullableInstant('last_used_at', 'When it was last used.'),
  },
  { title: 'Passkey' },
);
export type Passkey = Static<typeof Passkey>;

export const examplePasskey: Passkey = {
  passkey_id: 'pk_01J0000000000009',
  label: 'laptop',
  is_synced: false,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
  last_used_at: null,
  last_used_at_ms: null,
};

export const Factors = Type.Object(
  {
    totp: nullable(Totp, 'Null if there is none.'),
    passkeys: Type.Array(Passkey),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
    step_up: Type.Array(oneOf(factorKinds), {
      description: 'What this user can prove a step-up with.',
    }),
    ...nullableInstant('stepped_up_until_at', 'Until when this session counts as stepped up.'),
    ...nullableInstant(
      'withdrawals_held_until_at',
      'Withdrawals wait until then, because the password or a factor was changed.',
    ),
  },
  { title: 'Factors' },
);
export type Factors = Static<typeof Factors>;

export const exampleFactors: Factors = {
  totp: null,
  passkeys: [],
  recovery_codes_left: 0,
  step_up: ['password'],
  stepped_up_until_at: '2026-11-14T12:05:00.000Z',
  stepped_up_until_at_ms: 1_794_657_900_000,
  withdrawals_held_until_at: null,
  withdrawals_held_until_at_ms: null,
};

export const SteppedUp = Type.Object(
  { ...instant('stepped_up_until_at', 'Until when this session counts as stepped up.') },
  { title: 'SteppedUp' },
);

export const exampleRecoveryCodes = Array.from(
  { length: limits.factors.recoveryCodes },
  (_none, index) => `0000${index % 10}-xxxxx`,
);
