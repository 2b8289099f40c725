// Whether an act is carried out because a second operator agreed to it.
import type { RequestContext } from '../handling/handler.ts';

/** No request of a client has such a scope: those name a method and a path. */
export const AGREED = 'approval';

/** An act that sometimes needs agreement looks once more when it writes: what the check saw may have changed since. */
export function isAgreed({ idempotency }: Pick<RequestContext, 'idempotency'>): boolean {
  return idempotency?.scope === AGREED;
}
