// Writes that no journal remembers, of keys, webhooks and the service itself: the store that they write to keeps their answers.
import { errors, limits } from '@sibyl/contract';
import type { Clock } from '@sibyl/lane';
import { ApiError, fail, type Reply, type RequestContext } from '../handling/handler.ts';
import type { PlatformStore, SavedAnswer } from '../ports/platform.ts';
import { readAnswer, writeAnswer } from './kept-answer.ts';

/** Where the answers of a group are kept. */
export interface KeptAnswers {
  readonly store: Pick<PlatformStore, 'savedAnswer' | 'saveAnswer'>;
  readonly clock: Clock;
}

type Keyed = Pick<RequestContext, 'idempotency'>;

/**
 * Gives a repeated key the first answer. Work that is done saves its answer, as `savedAs` makes it, together with what it
 * writes; a refusal is saved here.
 */
export async function answerOnce<Data>(
  { store, clock }: KeptAnswers,
  request: Keyed,
  work: () => Promise<Reply<Data> | ApiError>,
): Promise<Reply<Data> | ApiError> {
  const { idempotency } = request;
  if (idempotency === undefined) return work();
  const { scope, key, bodyHash } = idempotency;
  const sinceMs = clock.wallMs() - limits.idempotency.windowMs;
  const saved = await store.savedAnswer(scope, key, sinceMs);
  if (saved !== null) {
    if (saved.bodyHash !== bodyHash) return fail('IDEMPOTENCY_BODY_MISMATCH');
    return readAnswer<Data>(saved.answer);
  }
  const answer = await work();
  if (!(answer instanceof ApiError) || !isDecided(answer)) return answer;
  await store.saveAnswer({ ...idempotency, answer: writeAnswer(answer), atMs: clock.wallMs() });
  return answer;
}

/** Nothing was where the input is wrong, unless it is only too much, or where the same may go well after a pause. */
function isDecided({ code, details = {} }: ApiError): boolean {
  // The same is asked again once its holder has proved who they are.
  if (code === 'STEP_UP_MFA_REQUIRED') return false;
  // Nobody comes back with a credential that ended meanwhile, and of somebody who has left nothing is kept.
  if (code === 'AUTH_INVALID') return false;
  if (code === 'VALIDATION_FAILED') return 'limit' in details;
  return !errors[code].retryable;
}

/** What is to be saved with the write itself; undefined without a key. */
export function savedAs(
  { idempotency }: Keyed,
  atMs: number,
  data: object,
): SavedAnswer | undefined {
  if (idempotency === undefined) return undefined;
  return { ...idempotency, answer: writeAnswer({ data }), atMs };
}
