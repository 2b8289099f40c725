// What became of the attempts to deliver webhooks, counted for the operator.
import type { AttemptRecord } from '../ports/webhooks.ts';

export class DeliveryCounts {
  /** By what came of them: `2xx` to `5xx`, or the failure that kept an answer away. */
  readonly attempts = new Map<string, number>();
  /** Attempts that were not the first of their delivery. */
  retries = 0;
  /** Deliveries given up after their last attempt. */
  exhausted = 0;
  /** Endpoints switched off for failing or being gone. */
  disabled = 0;

  add({ number, httpStatus, failure }: AttemptRecord, isGivenUp: boolean): void {
    const result =
      httpStatus === null ? (failure ?? 'failed') : `${Math.floor(httpStatus / 100)}xx`;
    this.attempts.set(result, (this.attempts.get(result) ?? 0) + 1);
    if (number > 1) this.retries += 1;
    if (isGivenUp) this.exhausted += 1;
  }
}
