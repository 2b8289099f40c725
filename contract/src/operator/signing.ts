// Whether requests of a key may be signed: switched on for one key.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { KeySigning } from '../resources/signing.ts';
import { closed, plane, promptErrors, reason } from './plane.ts';

export const setKeySigning = operation({
  ...plane,
  id: 'setKeySigning',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/keys/{key_id}/signing',
  summary: 'Signing by a key',
  description:
    'Switches signed requests (HMAC) on or off for one key. Its holder then draws a secret, which nobody else is shown; switching it off destroys the secret.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ key_id: pathId('key', 'The public id.') }),
    query: null,
    body: Type.Object({ reason, enabled: Type.Boolean() }, { title: 'KeySigningInput', ...closed }),
  },
  data: KeySigning,
  errors: [...promptErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: { key_id: 'sk_test_EXAMPLEexample00' },
    body: { reason: 'a partner that signs', enabled: true },
    data: { key_id: 'sk_test_EXAMPLEexample00', enabled_by: 'operator', has_secret: false },
  },
});
