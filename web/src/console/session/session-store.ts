// Who is at the console. The session itself is in a cookie that no script can read; this knows whose it is.
import type { OperatorOperations, OutputOf } from '@sibyl/contract/console';

export type Identity = OutputOf<OperatorOperations['getOperatorIdentity']>;

/** A session that was here and is over, with the exchange's own words why; null where it has none. */
export interface EndedSession {
  readonly why: string | null;
}

export type Session =
  | { readonly status: 'unknown' }
  | { readonly status: 'nobody'; readonly ended: EndedSession | null }
  | { readonly status: 'known'; readonly identity: Identity };

/** That somebody has signed in here before, so that a first visit asks for nothing that it would be refused. */
const SIGNED_IN = 'sibyl.console.signed-in';

let session: Session = { status: 'unknown' };
const listeners = new Set<() => void>();

export function currentSession(): Session {
  return session;
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function hasSignedIn(): boolean {
  return localStorage.getItem(SIGNED_IN) !== null;
}

export function sessionKnown(identity: Identity): void {
  localStorage.setItem(SIGNED_IN, 'yes');
  change({ status: 'known', identity });
}

/** Signed out, or never in. */
export function nobodyHere(): void {
  localStorage.removeItem(SIGNED_IN);
  change({ status: 'nobody', ended: null });
}

/** The exchange no longer knows the session that was here. */
export function sessionEnded(why: string | null): void {
  // Several calls may be refused at once: the first one tells.
  const wasHere = session.status === 'known' || hasSignedIn();
  const before = session.status === 'nobody' ? session.ended : null;
  localStorage.removeItem(SIGNED_IN);
  change({ status: 'nobody', ended: wasHere ? { why } : before });
}

function change(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}
