// Who is signed in on this machine: a credential for each server.

import { ServerFile } from '../server-file.ts';
import { isRecord } from '../words.ts';

export interface SavedCredential extends SavedName {
  /** A session or a key; never shown. */
  readonly token: string;
}

/** What is no secret of a saved credential. */
export interface SavedName {
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
  return credentialIn(file.read(url));
}

/** Also from a file that others can read: it is refused for its secrets alone. */
export function savedName(url: string): SavedName | null {
  return credentialIn(file.readPublic(url));
}

function credentialIn(kept: unknown): SavedCredential | null {
  if (!isRecord(kept) || typeof kept.token !== 'string') return null;
  return {
    token: kept.token,
    name: typeof kept.name === 'string' ? kept.name : '',
    isSandbox: kept.isSandbox === true,
  };
}

/** Keys with this prefix work in the sandbox only. */
export function isTestKey(token: string | undefined): boolean {
  return token?.startsWith('sk_test_') === true;
}

/** Null forgets it. */
export function saveCredential(url: string, credential: SavedCredential | null): void {
  file.keep(url, credential);
}
