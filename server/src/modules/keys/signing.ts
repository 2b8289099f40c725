// Drawing a signing secret: for a key whose requests may be signed, by its holder alone.
import type { OperationOutput } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import {
  type ApiError,
  fail,
  isoTime,
  type Reply,
  type RequestContext,
} from '../../handling/handler.ts';
import { isSeenBy } from '../../handling/held-keys.ts';
import { stepUpRefusal } from '../../handling/step-up.ts';
import type { PlatformStore } from '../../ports/platform.ts';
import type { SigningOffice } from '../../ports/signing.ts';
import { savedAs } from '../../wire/answer-once.ts';
import { publicIdOf } from './key.ts';

type SigningSecret = OperationOutput<'drawSigningSecret'>;

export interface SigningParts {
  readonly platform: PlatformStore;
  readonly signing: SigningOffice;
  readonly clock: Clock;
}

export async function drawSigningSecret(
  parts: SigningParts,
  request: RequestContext,
  reference: string,
): Promise<Reply<SigningSecret> | ApiError> {
  const { platform, signing, clock } = parts;
  const { credential: caller } = request;
  if (caller === null) return fail('AUTH_REQUIRED');
  const key = await platform.keyById(publicIdOf(reference));
  if (key === null || key.holderId !== caller.holderId || !isSeenBy(caller, key)) {
    return fail('NOT_FOUND');
  }
  if (caller.kind === 'key' && caller.publicId !== key.publicId) {
    const message = 'A key draws its own signing secret; that of another is drawn by a session.';
    return fail('SCOPE_MISSING', { required: 'session' }, message);
  }
  const unproved = await stepUpRefusal(parts, request);
  if (unproved !== null) return unproved;
  if (key.revokedAtMs !== null) return fail('STATE_CONFLICT', { status: 'revoked' });
  const record = await signing.store.of(key.publicId);
  if (signing.entitlementOf(key, record) === null) return notEnabled();
  const nowMs = clock.wallMs();
  const drawn = signing.draw();
  const answer: SigningSecret = {
    key_id: key.publicId,
    ...drawn,
    secrets_withheld: false,
    created_at: isoTime(nowMs),
    created_at_ms: nowMs,
  };
  const shown = { ...answer, secret: null, passphrase: null, secrets_withheld: true };
  await signing.keep(key.publicId, drawn, nowMs, savedAs(request, nowMs, shown));
  return { data: answer };
}

function notEnabled(): ApiError {
  const message =
    'Signing is not switched on for this key: ask the operator, or send the key as a bearer.';
  return fail('STATE_CONFLICT', { reason: 'signing_off' }, message);
}
