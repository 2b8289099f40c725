// The errors a call can end with: one base class, one class per code, and two for lost connections.

import type { ErrorCode } from '@sibyl/contract';

/** A code of the catalogue, or one that a newer server has added. */
export type AnyErrorCode = ErrorCode | (string & Record<never, never>);

export type ErrorFacts = {
  readonly code: AnyErrorCode;
  readonly status: number;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;
};

/** The service answered, and said no. */
export class SibylError extends Error {
  override readonly name: string = 'SibylError';
  readonly code: AnyErrorCode;
  readonly status: number;
  /** What the code is about; its keys depend on the code. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Quote it in a ticket. */
  readonly requestId: string | null;
  /** The unchanged request may succeed if it is sent again after a pause. */
  readonly retryable: boolean;
  readonly retryAfterMs: number | null;

  constructor(facts: ErrorFacts) {
    super(`${facts.code}: ${facts.message}`);
    this.code = facts.code;
    this.status = facts.status;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryable = facts.retryable;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/**
 * No answer arrived. A write may have been done all the same: repeat it with the same key, or look
 * the order up by `coid:` and its client_order_id.
 */
export class SibylConnectionError extends Error {
  override readonly name: string = 'SibylConnectionError';
  readonly retryable = true;
  /** The key that was sent; pass it again to repeat the write without doing it twice. */
  readonly idempotencyKey: string | null;

  constructor(message: string, idempotencyKey: string | null, cause: unknown) {
    super(message, { cause });
    this.idempotencyKey = idempotencyKey;
  }
}

/** No answer arrived within timeoutMs. */
export class SibylTimeoutError extends SibylConnectionError {
  override readonly name = 'SibylTimeoutError';
}
