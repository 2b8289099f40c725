// How an answer is stored, so that it can be given again to a request with the same Idempotency-Key.
import type { ErrorCode } from '@sibyl/contract';
import { ApiError, type ErrorDetails, type Reply } from '../handling/handler.ts';

/** What is kept of an answer; `code` tells a refusal. */
interface Kept<Data> {
  readonly data?: Data;
  readonly meta?: Reply['meta'];
  readonly code?: ErrorCode;
  readonly message?: string;
  readonly details?: ErrorDetails | undefined;
}

export function writeAnswer<Data>(answer: Reply<Data> | ApiError): string {
  const kept: Kept<Data> =
    answer instanceof ApiError
      ? { code: answer.code, message: answer.message, details: answer.details }
      : { data: answer.data, meta: answer.meta };
  return JSON.stringify(kept);
}

export function readAnswer<Data>(text: string): Reply<Data> | ApiError {
  // Written by `writeAnswer` for the same operation, which the scope names.
  const { data, meta, code, message, details } = JSON.parse(text) as Kept<Data>;
  if (code !== undefined) return new ApiError(code, { message, details, replayed: true });
  return { data: data as Data, meta, replayed: true };
}
