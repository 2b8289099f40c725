// What keys may do on behalf of others: granted and taken back one by one.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { keyTermsOf } from '../gateway/key-terms.ts';
import { type ApiError, fail, type Reply } from '../handling/handler.ts';
import { isPartnerTier } from '../handling/on-behalf.ts';
import { apiKey } from '../modules/keys/key.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type ScopesInput = InputOf<OperatorOperations['setPartnerScopes']>['body'];
type ApiKey = OutputOf<OperatorOperations['setPartnerScopes']>;

const PUBLIC_ID_LENGTH = 24;

export function partnerScopeActs(parts: OperatorParts): Pick<OperatorHandlers, 'setPartnerScopes'> {
  return {
    setPartnerScopes: (request, { params, body }) =>
      actOnce(parts, request, () =>
        setPartnerScopes(parts, params.key_id.slice(0, PUBLIC_ID_LENGTH), body),
      ),
  };
}

async function setPartnerScopes(
  { platform, clock }: OperatorParts,
  publicId: string,
  { partner_scopes: scopes }: ScopesInput,
): Promise<Reply<ApiKey> | ApiError> {
  const known = await platform.keyById(publicId);
  if (known === null) return fail('NOT_FOUND');
  if (known.revokedAtMs !== null) return fail('STATE_CONFLICT', { status: 'revoked' });
  if (scopes.length > 0 && (known.userId === null || !isPartnerTier(known.tier))) {
    return fail('STATE_CONFLICT', { tier: known.tier }, NO_PARTNER);
  }
  const key = await platform.setPartnerScopes(publicId, scopes);
  if (key === null) return fail('NOT_FOUND');
  return { data: await apiKey(keyTermsOf(platform), key, clock.wallMs()) };
}

const NO_PARTNER =
  'Only a key of tier partner or institutional acts on behalf of others: set-key-tier raises one.';
