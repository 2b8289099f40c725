// The session as components read it.
import type { SibylClient } from '@sibyl/sdk';
import { useContext, useMemo, useSyncExternalStore } from 'react';
import { ScopeContext } from './scope.ts';
import { type SessionState, sessionStore } from './session-store.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, () => sessionStore.state);
}

/** Calls in the name of whoever is at the page; another object when that changes. Below a scope they are about its subaccount. */
export function useClient(): SibylClient {
  const own = useSyncExternalStore(sessionStore.subscribe, () => sessionStore.client);
  const scope = useContext(ScopeContext);
  return useMemo(() => (scope === null ? own : own.forSubaccount(scope)), [own, scope]);
}

/** What a query must be kept apart by: the same question has another answer for another person. */
export function useWho(): string {
  const session = useSession();
  const scope = useContext(ScopeContext);
  if (scope !== null) return scope;
  return session.status === 'signed_in' ? session.userId : session.status;
}
