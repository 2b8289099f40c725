// What a key may do on behalf of others: granted to one key of a partner.

import { Type } from 'typebox';
import { identified } from '../bundles.ts';
import { operation } from '../define.ts';
import { pathId } from '../ids.ts';
import { oneOf } from '../primitives.ts';
import { ApiKey, exampleApiKey } from '../resources/api-key.ts';
import { partnerScopes } from '../scopes.ts';
import { closed, plane, promptErrors, reason } from './plane.ts';

export const setPartnerScopes = operation({
  ...plane,
  since: '0.3',
  id: 'setPartnerScopes',
  stepUp: true,
  role: 'support',
  method: 'POST',
  path: '/admin/v1/keys/{key_id}/partner-scopes',
  summary: 'What a key may do for others',
  description:
    'Sets the partner scopes of one key, at once; an empty list takes them back. With delegation:trade it acts on behalf of accounts that have delegated to its holder. It takes a key of tier partner or institutional (STATE_CONFLICT), and counts for nothing while the key is of a lower one.',
  idempotency: 'optional',
  input: {
    params: Type.Object({ key_id: pathId('key', 'The public id.') }),
    query: null,
    body: Type.Object(
      {
        reason,
        partner_scopes: Type.Array(oneOf(partnerScopes), {
          maxItems: partnerScopes.length,
          uniqueItems: true,
          description: 'All that it has from now on.',
        }),
      },
      { title: 'PartnerScopesInput', ...closed },
    ),
  },
  data: ApiKey,
  errors: [...promptErrors, ...identified, 'STATE_CONFLICT'],
  example: {
    params: { key_id: exampleApiKey.key_id },
    body: { reason: 'contract signed', partner_scopes: ['delegation:trade'] },
    data: { ...exampleApiKey, tier: 'partner', partner_scopes: ['delegation:trade'] },
  },
});
