// Signed requests of keys: switched on and off one by one.

import type { InputOf, OperatorOperations, OutputOf } from '@sibyl/contract';
import { type ApiError, fail, type Reply } from '../handling/handler.ts';
import type { OperatorHandlers, OperatorParts } from './parts.ts';
import { actOnce } from './saved-answer.ts';

type SigningInput = InputOf<OperatorOperations['setKeySigning']>['body'];
type KeySigning = OutputOf<OperatorOperations['setKeySigning']>;

const PUBLIC_ID_LENGTH = 24;

export function signingActs(parts: OperatorParts): Pick<OperatorHandlers, 'setKeySigning'> {
  return {
    setKeySigning: (request, { params, body }) =>
      actOnce(parts, request, () =>
        setKeySigning(parts, params.key_id.slice(0, PUBLIC_ID_LENGTH), body),
      ),
  };
}

async function setKeySigning(
  { platform, signing, clock }: OperatorParts,
  publicId: string,
  { enabled }: SigningInput,
): Promise<Reply<KeySigning> | ApiError> {
  const key = await platform.keyById(publicId);
  if (key === null) return fail('NOT_FOUND');
  if (key.revokedAtMs !== null) return fail('STATE_CONFLICT', { status: 'revoked' });
  await signing.store.enable(publicId, enabled, clock.wallMs());
  const record = await signing.store.of(publicId);
  return {
    data: {
      key_id: publicId,
      enabled_by: signing.entitlementOf(key, record),
      has_secret: record !== null && record.secret !== null,
    },
  };
}
