// Whether an app may act for somebody: what its review and its owner say.
import type { AppRecord } from '../ports/apps.ts';
import type { GrantRecord } from '../ports/grants.ts';
import { type ApiError, fail, type LaneName } from './handler.ts';

/** Null if the user may connect it in the lane: an app that is not approved works in the sandbox for its owner alone. */
export function connectRefusal(app: AppRecord, userId: string, lane: LaneName): ApiError | null {
  const { status, ownerId } = app;
  if (status === 'disabled') return fail('APP_DISABLED');
  if (status === 'approved') return null;
  const isTried = ownerId === userId && lane === 'sandbox';
  return isTried ? null : fail('APP_NOT_APPROVED', { status }, NOT_APPROVED);
}

const NOT_APPROVED =
  'The app is not approved: until it is, its owner alone can connect it, and in the sandbox.';

/** Null if those who have connected it stay connected; while a change is reviewed they do. */
export function renewalRefusal(app: AppRecord, userId: string, lane: LaneName): ApiError | null {
  return app.status === 'in_review' ? null : connectRefusal(app, userId, lane);
}

/** Whether it works no longer for those who have connected it: it was disabled, or its owner took it back to draw it up anew. */
export function isStopped(app: AppRecord, userId: string, lane: LaneName): boolean {
  return renewalRefusal(app, userId, lane) !== null;
}

/** What the user allowed and the app still asks for: a scope that it gave up is gone from what was allowed before. */
export function scopesInForce(
  { scopes }: Pick<GrantRecord, 'scopes'>,
  { allowedScopes }: Pick<AppRecord, 'allowedScopes'>,
): readonly string[] {
  return scopes.filter((scope) => allowedScopes.includes(scope));
}
