// Who is signed in on this machine: a credential for each server, in a file that its owner alone can read.

import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Unusable } from '../run.ts';
import { isRecord } from '../words.ts';

export interface SavedCredential {
  /** A session or a key; never shown. */
  readonly token: string;
  /** The address that signed in, or the public part of a key. */
  readonly name: string;
  /** Commands go to the sandbox unless told otherwise. */
  readonly isSandbox: boolean;
}

const OWNER_ONLY = 0o600;

export function credentialsFile(): string {
  const home = process.env.XDG_CONFIG_HOME?.trim() || path.join(homedir(), '.config');
  return path.join(home, 'sibyl', 'credentials.json');
}

/** Null where nobody has signed in. */
export function savedCredential(url: string): SavedCredential | null {
  const kept = readAll()[url];
  if (!isRecord(kept) || typeof kept.token !== 'string') return null;
  return {
    token: kept.token,
    name: typeof kept.name === 'string' ? kept.name : '',
    isSandbox: kept.isSandbox === true,
  };
}

/** Null forgets it. Written aside and moved, so that the file is never half written and never readable by others. */
export function saveCredential(url: string, credential: SavedCredential | null): void {
  const all = readAll();
  if (credential === null) delete all[url];
  else all[url] = credential;
  const file = credentialsFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, `${JSON.stringify(all)}\n`, { mode: OWNER_ONLY });
  renameSync(aside, file);
}

function readAll(): Record<string, unknown> {
  const file = credentialsFile();
  if (!existsSync(file)) return {};
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new Unusable(`${file} can be read by others: chmod 600 it`);
  }
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(read) ? { ...read } : {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unusable(`${file} cannot be read (${why}): remove it, and sign in again`);
  }
}
