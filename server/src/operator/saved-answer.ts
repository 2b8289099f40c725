// Acts on platform records have no journal of commands to remember them: their answers are saved beside.

import { limits } from '@sibyl/contract';
import { ApiError, fail, type Reply, type RequestContext } from '../gateway/handler.ts';
import type { OperatorParts } from './parts.ts';

/** Answers a repeated key with the first answer; everything that the work writes must bear being written twice. */
export async function answerOnce<Data>(
  { platform, clock }: Pick<OperatorParts, 'platform' | 'clock'>,
  { idempotency }: RequestContext,
  work: () => Promise<Reply<Data> | ApiError>,
): Promise<Reply<Data> | ApiError> {
  if (idempotency === undefined) return work();
  const { scope, key, bodyHash } = idempotency;
  const sinceMs = clock.wallMs() - limits.idempotency.windowMs;
  const saved = await platform.savedAnswer(scope, key, sinceMs);
  if (saved !== null) {
    if (saved.bodyHash !== bodyHash) return fail('IDEMPOTENCY_BODY_MISMATCH');
    // Written below for the same operation, which the scope names.
    return { data: JSON.parse(saved.answer) as Data, replayed: true };
  }
  const reply = await work();
  if (reply instanceof ApiError) return reply;
  const answer = JSON.stringify(reply.data);
  await platform.saveAnswer({ scope, key, bodyHash, answer, atMs: clock.wallMs() });
  return reply;
}
