// What can go wrong on the way to an answer, as one of the contract's errors.
import { LaneUnavailable } from '@sibyl/lane';
import { ApiError, fail } from '../handling/handler.ts';
import { StoreUnavailable, StoreUnwritable } from '../ports/store-unavailable.ts';
import { errorText } from '../texts/texts.ts';

/** The codes by which Fastify refuses a body; all of them mean that it could not be read. */
const UNREADABLE = new Map([
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'the body must be application/json'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'Content-Length is not the length of the body'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'the body is empty'],
  ['FST_ERR_BAD_URL', 'the URL is not valid'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'a part of the path is too long'],
]);

/** Null for a defect: it is answered as INTERNAL_ERROR, and somebody must look at it. Operators are told what to do. */
export function apiErrorOf(
  error: unknown,
  bodyBytesMax: number,
  isForOperators: boolean,
): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnwritable) return writeError(error, isForOperators);
  if (error instanceof LaneUnavailable) return laneError(error);
  if (error instanceof StoreUnavailable) return storeError();
  const code = codeOf(error);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return fail('BAD_REQUEST', { limit_bytes: bodyBytesMax, reason: 'the body is too large' });
  }
  const reason = UNREADABLE.get(code);
  if (reason !== undefined) return fail('BAD_REQUEST', { reason });
  // The client hung up in the middle of its body; there is nobody to tell more.
  return code === 'ECONNRESET' ? fail('BAD_REQUEST') : null;
}

/** What exactly ails the lane is for its operator; the client is told the kind of it, and to ask again with the same key. */
function laneError({ code, reason }: LaneUnavailable): ApiError {
  const headers = { 'retry-after': '5' };
  if (code === 'READ_ONLY_MODE') return new ApiError(code, { headers });
  return new ApiError(code, { message: errorText('en', code, { reason }), headers });
}

/** The database of users and keys is away: what was asked for may have been done, so the same key asks again. */
function storeError(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: 'Users and keys cannot be read now. Ask again, with the same Idempotency-Key.',
    headers: { 'retry-after': '5' },
  });
}

/** Which disk is nobody's business but the operators'. */
function writeError(
  { message, reason, folder }: StoreUnwritable,
  isForOperators: boolean,
): ApiError {
  const ask = 'Ask again afterwards, with the same Idempotency-Key.';
  return new ApiError('SERVICE_UNAVAILABLE', {
    message: isForOperators
      ? `Nothing can be written: ${message}. ${ask}`
      : 'Nothing can be written now. Ask again, with the same Idempotency-Key.',
    details: { reason, ...(isForOperators && { folder }) },
    headers: { 'retry-after': '60' },
  });
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}
