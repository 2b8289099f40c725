// Who can be a builder: a person with an account of their own, or a key of theirs that is bound to no subaccount.
import type { PlatformStore, UserRecord } from '../ports/platform.ts';
import { boundTo } from './credentials.ts';
import { type ApiError, fail, type RequestContext } from './handler.ts';

/** Null for anonymous keys, keys of subaccounts and visitors. */
export async function builderUser(
  { platform }: { readonly platform: Pick<PlatformStore, 'userById'> },
  { credential }: Pick<RequestContext, 'credential'>,
): Promise<UserRecord | null> {
  if (credential === null || credential.userId === null || boundTo(credential) !== null)
    return null;
  if (credential.kind === 'session' && credential.isDemo) return null;
  return platform.userById(credential.userId);
}

/** What those are told who ask for more than reading. */
export function nobodyRefusal(what: 'apply' | 'apps'): ApiError {
  const words = what === 'apply' ? 'apply for nothing' : 'have no apps';
  const reason = `anonymous keys, keys of subaccounts and demo accounts ${words}`;
  return fail('SCOPE_NOT_ALLOWED', { reason });
}

export async function isReadOnly({ lane }: Pick<RequestContext, 'lane'>): Promise<boolean> {
  return lane.status().state === 'read_only' || (await lane.read((state) => state.readOnly));
}
