// Signing of requests by a key: its secret, shown once, and whether it may have one.

import { type Static, Type } from 'typebox';
import { instant, nullable, oneOf } from '../primitives.ts';
import { publicId } from './api-key.ts';

export const SigningSecret = Type.Object(
  {
    key_id: publicId,
    secret: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'The key of the HMAC, as this text; shown once.',
      }),
    ),
    passphrase: nullable(Type.String({ description: 'For variant B; shown once.' })),
    secrets_withheld: Type.Boolean({
      description: 'True on an idempotent replay: a secret is shown once.',
    }),
    ...instant('created_at', 'When it was drawn.'),
  },
  { title: 'SigningSecret' },
);
export type SigningSecret = Static<typeof SigningSecret>;

export const KeySigning = Type.Object(
  {
    key_id: publicId,
    enabled_by: nullable(
      oneOf(['operator', 'tier']),
      'By whom requests of the key may be signed; null if they may not.',
    ),
    has_secret: Type.Boolean({ description: 'Whether its holder has drawn a secret.' }),
  },
  { title: 'KeySigning' },
);
export type KeySigning = Static<typeof KeySigning>;

export const exampleSigningSecret: SigningSecret = {
  key_id: 'sk_test_EXAMPLEexample00',
  secret: '0'.repeat(64),
  passphrase: 'EXAMPLEexample00',
  secrets_withheld: false,
  created_at: '2026-11-14T12:00:00.000Z',
  created_at_ms: 1_794_657_600_000,
};
