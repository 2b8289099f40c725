// A request becomes a command of its lane.
import type { CommandBody, Outcome } from '@sibyl/engine';
import type { RequestContext } from './handler.ts';
import { journaledNonce } from './journaled-request.ts';

/** In the name of whoever asks, and once for the Idempotency-Key if there is one. */
export function submit(
  { lane, actor, idempotency, requestId, spentNonce }: RequestContext,
  body: CommandBody,
): Promise<Outcome> {
  const nonce = journaledNonce(spentNonce, actor);
  return lane.submit(
    idempotency === undefined
      ? { body, actor, requestId, nonce }
      : { body, actor, requestId, nonce, key: idempotency },
  );
}
