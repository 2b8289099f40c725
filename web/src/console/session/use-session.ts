// The session for components, and what can be done with it.
import type { OperatorRole } from '@sibyl/contract/console';
import { mayAct, whoMayAct } from '@sibyl/contract/console';
import { useSyncExternalStore } from 'react';
import type { LoginProof } from '../../session/session-store.ts';
import { call } from '../plane.ts';
import {
  currentSession,
  hasSignedIn,
  type Identity,
  nobodyHere,
  onSession,
  type Session,
  sessionKnown,
} from './session-store.ts';

export function useSession(): Session {
  return useSyncExternalStore(onSession, currentSession);
}

/** Whoever is signed in; only below the frame, which is there for nobody else. */
export function useIdentity(): Identity {
  const session = useSession();
  return session.status === 'known' ? session.identity : NOBODY;
}

const NOBODY: Identity = {
  operator_id: '',
  name: '',
  roles: [],
  session: null,
  must_enrol: false,
  password_issued: false,
  second_factor: true,
  factor_reset_at: null,
  factor_reset_at_ms: null,
};

/** Why somebody with these roles may not do it, in words; null if they may. */
export function roleRefusal(
  roles: readonly OperatorRole[],
  needed: OperatorRole | null,
): string | null {
  if (needed === null || mayAct(roles, needed)) return null;
  return `Needs the role ${whoMayAct(needed)}.`;
}

export async function resume(): Promise<void> {
  if (!hasSignedIn()) {
    nobodyHere();
    return;
  }
  // A session that is over is noticed where it is refused.
  await call('getOperatorIdentity', {}).then(sessionKnown, () => undefined);
}

export async function signIn(
  name: string,
  password: string,
  proof: LoginProof | null,
): Promise<void> {
  await call('openOperatorSession', { body: { name, password, cookie: true, ...proof } });
  await readIdentity();
}

/** Again after a change of what the operator may do. */
export async function readIdentity(): Promise<void> {
  sessionKnown(await call('getOperatorIdentity', {}));
}

export async function signOut(): Promise<void> {
  await call('closeOperatorSession', {}).catch(() => undefined);
  nobodyHere();
}
