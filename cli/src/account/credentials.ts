// Who is signed in on this machine: a credential for each server.

import { ServerFile } from '../server-file.ts';
import { isRecord } from '../words.ts';

export interface SavedCredential {
  /** A session or a key; never shown. */
  readonly token: string;
  /** The address that signed in, or the public part of a key. */
  readonly name: string;
  /** Commands go to the sandbox unless told otherwise. */
  readonly isSandbox: boolean;
}

const file = new ServerFile('credentials.json');

export function credentialsFile(): string {
  return file.path;
}

/** Null where nobody has signed in. */
export function savedCredential(url: string): SavedCredential | null {
  const kept = file.read(url);
  if (!isRecord(kept) || typeof kept.token !== 'string') return null;
  return {
    token: kept.token,
    name: typeof kept.name === 'string' ? kept.name : '',
    isSandbox: kept.isSandbox === true,
  };
}

/** Null forgets it. */
export function saveCredential(url: string, credential: SavedCredential | null): void {
  file.keep(url, credential);
}
