// Signed requests: the companion call by which a key gets its signing secret. Not counted.

import { Type } from 'typebox';
import { newSecret } from '../bundles.ts';
import { noInput, operation, tradeWrite } from '../define.ts';
import { pathId } from '../ids.ts';
import { exampleSigningSecret, SigningSecret } from '../resources/signing.ts';

const drawSigningSecret = operation({
  id: 'drawSigningSecret',
  call: 'keys.drawSigningSecret',
  method: 'POST',
  path: '/v1/keys/{key_id}/signing-secret',
  group: 'Keys',
  auth: 'credential',
  ...tradeWrite,
  scope: null,
  rate: 'account_write',
  counted: false,
  since: '0.3',
  bearsSecrets: true,
  summary: 'Draw a signing secret',
  description:
    'A secret and a passphrase by which requests of the key are signed, in the place of those before; shown once. By a session that is stepped up, or by the key itself if such a session minted it. STATE_CONFLICT unless the operator has switched signing on for the key or its tier.',
  input: {
    ...noInput,
    params: Type.Object({ key_id: pathId('key', 'The public id.') }),
  },
  data: SigningSecret,
  errors: [...newSecret],
  example: { params: { key_id: exampleSigningSecret.key_id }, data: exampleSigningSecret },
});

export const signingOperations = Object.freeze({ drawSigningSecret });
