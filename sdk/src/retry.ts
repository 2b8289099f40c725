// Decides whether a failed attempt is repeated and how long to wait before that.

import { SibylConnectionError, SibylError } from './errors.ts';

export type Attempted = {
  readonly failure: unknown;
  /** How many attempts were made, this one included. */
  readonly attempts: number;
  readonly repeatable: boolean;
  readonly retriesMax: number;
  readonly retryWaitMsMax: number;
};

/** Milliseconds until the next attempt, or null if the failure is final. */
export function nextAttemptInMs(attempted: Attempted, random: () => number): number | null {
  if (!attempted.repeatable || attempted.attempts > attempted.retriesMax) return null;
  const { failure } = attempted;
  const backoff = backoffMs(attempted.attempts, random);
  if (failure instanceof SibylConnectionError) return backoff;
  if (!(failure instanceof SibylError)) return null;
  // Our own first attempt is still being carried out: its answer will be replayed to us.
  if (failure.code === 'IDEMPOTENCY_IN_FLIGHT' && attempted.attempts > 1) return backoff;
  if (!failure.retryable) return null;
  const waitMs = failure.retryAfterMs === null ? backoff : Math.max(failure.retryAfterMs, backoff);
  return waitMs > attempted.retryWaitMsMax ? null : waitMs;
}

const backoffStartMs = 100;
const backoffMaxMs = 5_000;

/** Doubling, with jitter over the upper half so that many clients do not come back together. */
function backoffMs(attempts: number, random: () => number): number {
  const ceiling = Math.min(backoffMaxMs, backoffStartMs * 2 ** (attempts - 1));
  return ceiling / 2 + (ceiling / 2) * random();
}
