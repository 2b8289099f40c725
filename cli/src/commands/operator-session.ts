// The session of an operator on this machine, one for each server.

import { ServerFile } from '../server-file.ts';
import { isRecord } from '../words.ts';

export interface SavedSession {
  readonly token: string;
  /** Of whoever signed in; null if an earlier version kept it without. */
  readonly name: string | null;
}

const file = new ServerFile('operator-sessions.json');

/** Null where nobody has signed in. */
export function savedSession(url: string): SavedSession | null {
  const kept = file.read(url);
  if (typeof kept === 'string') return { token: kept, name: null };
  if (!isRecord(kept) || typeof kept.token !== 'string') return null;
  return { token: kept.token, name: typeof kept.name === 'string' ? kept.name : null };
}

/** Null forgets it. */
export function saveSession(url: string, session: SavedSession | null): void {
  file.keep(url, session);
}
