// The session as components read it.
import type { SibylClient } from '@sibyl/sdk';
import { useSyncExternalStore } from 'react';
import { type SessionState, sessionStore } from './session-store.ts';

export function useSession(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, () => sessionStore.state);
}

/** Calls in the name of whoever is at the page; another object when that changes. */
export function useClient(): SibylClient {
  return useSyncExternalStore(sessionStore.subscribe, () => sessionStore.client);
}

/** What a query must be kept apart by: the same question has another answer for another person. */
export function useWho(): string {
  const session = useSession();
  return session.status === 'signed_in' ? session.accountId : session.status;
}
