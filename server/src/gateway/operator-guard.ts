// The bearer of the operator plane, checked against its stored digest.
import type { IncomingHttpHeaders } from 'node:http';
import { type ApiError, fail, rejected } from '../handling/handler.ts';
import type { Secrets } from '../ports/secrets.ts';

export class OperatorGuard {
  readonly #secrets: Secrets;
  readonly #tokenHash: string;

  /** `tokenHash` is `secrets.digest('operator', token)`. */
  constructor(secrets: Secrets, tokenHash: string) {
    this.#secrets = secrets;
    this.#tokenHash = tokenHash;
  }

  check(headers: IncomingHttpHeaders): ApiError | null {
    const { authorization } = headers;
    if (authorization === undefined) return fail('AUTH_REQUIRED');
    if (authorization.slice(0, 7).toLowerCase() !== 'bearer ') return rejected('malformed');
    const digest = this.#secrets.digest('operator', authorization.slice(7));
    return this.#secrets.isEqual(digest, this.#tokenHash) ? null : rejected('unknown');
  }
}
