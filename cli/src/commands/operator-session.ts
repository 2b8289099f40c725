// The session of an operator on this machine: kept in a file that only its owner can read, one for each server.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Unusable } from '../run.ts';
import { isRecord } from '../words.ts';

const OWNER_ONLY = 0o600;

function sessionFile(): string {
  const home = process.env.XDG_CONFIG_HOME?.trim() || path.join(homedir(), '.config');
  return path.join(home, 'sibyl', 'operator-sessions.json');
}

function readAll(): Record<string, unknown> {
  const file = sessionFile();
  if (!existsSync(file)) return {};
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(read) ? { ...read } : {};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Unusable(`${file} cannot be read (${why}): remove it, and sign in again`);
  }
}

export interface SavedSession {
  readonly token: string;
  /** Of whoever signed in; null if an earlier version kept it without. */
  readonly name: string | null;
}

/** Null where nobody has signed in. */
export function savedSession(url: string): SavedSession | null {
  const kept = readAll()[url];
  if (typeof kept === 'string') return { token: kept, name: null };
  if (!isRecord(kept) || typeof kept.token !== 'string') return null;
  return { token: kept.token, name: typeof kept.name === 'string' ? kept.name : null };
}

/** Null forgets it. */
export function saveSession(url: string, session: SavedSession | null): void {
  const all = readAll();
  if (session === null) delete all[url];
  else all[url] = session;
  const file = sessionFile();
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${JSON.stringify(all)}\n`, { mode: OWNER_ONLY });
}
