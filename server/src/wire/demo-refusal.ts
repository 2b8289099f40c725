// What a visitor without an account of their own is not given.
import { type ApiError, fail, type RequestContext } from '../handling/handler.ts';

/** Null unless it is a demo session that asks. */
export function demoRefusal(
  { credential }: RequestContext,
  what: 'keys' | 'webhooks' | 'second factors' | 'profiles' | 'destinations' | 'connected apps',
): ApiError | null {
  if (credential?.kind !== 'session' || !credential.isDemo) return null;
  const message = `A demo account has no ${what}. Register to get some.`;
  return fail('SCOPE_NOT_ALLOWED', { reason: `demo accounts have no ${what}` }, message);
}
