// Recorded answers to writes of platform records: found by Idempotency-Key, saved without secrets.
import { limits } from '@sibyl/contract';
import { type ApiError, fail, type Reply, type RequestContext } from '../../gateway/handler.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PlatformStore, SavedAnswer } from '../../ports/platform.ts';

/** The answer to the first request with this key; null if there was none within the window. */
export async function replayOf<Data>(
  parts: { readonly platform: PlatformStore; readonly clock: Clock },
  { idempotency }: RequestContext,
): Promise<Reply<Data> | ApiError | null> {
  if (idempotency === undefined) return null;
  const sinceMs = parts.clock.wallMs() - limits.idempotency.windowMs;
  const { scope, key, bodyHash } = idempotency;
  const saved = await parts.platform.savedAnswer(scope, key, sinceMs);
  if (saved === null) return null;
  if (saved.bodyHash !== bodyHash) return fail('IDEMPOTENCY_BODY_MISMATCH');
  // Written by `savedAs` for the same operation, which its scope names.
  return { data: JSON.parse(saved.answer) as Data, replayed: true };
}

/** What is to be saved with the write itself; undefined without a key. */
export function savedAs(
  { idempotency }: RequestContext,
  clock: Clock,
  answer: object,
): SavedAnswer | undefined {
  if (idempotency === undefined) return undefined;
  return { ...idempotency, answer: JSON.stringify(answer), atMs: clock.wallMs() };
}
