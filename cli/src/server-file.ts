// A file on this machine with something for each server, for its owner alone.

import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Unusable } from './run.ts';
import { isRecord } from './words.ts';

const OWNER_ONLY = 0o600;

export class ServerFile {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  get path(): string {
    const home = process.env.XDG_CONFIG_HOME?.trim() || path.join(homedir(), '.config');
    return path.join(home, 'sibyl', this.#name);
  }

  /** Undefined where nothing is kept for the server. Refuses a file that others can read. */
  read(url: string): unknown {
    this.#demandOwnerOnly();
    return this.#all()[url];
  }

  /** The same from a file that others can read too, for values that are no secrets. */
  readPublic(url: string): unknown {
    return this.#all()[url];
  }

  /** Null forgets it. Written aside and moved, so that the file is never half written and never readable by others. */
  keep(url: string, value: object | null): void {
    this.#demandOwnerOnly();
    const all = this.#all();
    if (value === null) delete all[url];
    else all[url] = value;
    const file = this.path;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, `${JSON.stringify(all)}\n`, { mode: OWNER_ONLY });
    renameSync(aside, file);
  }

  #demandOwnerOnly(): void {
    const file = this.path;
    if (process.platform === 'win32' || !existsSync(file)) return;
    const found = statSync(file);
    if (found.isFile() && (found.mode & 0o077) !== 0) {
      throw new Unusable(`${file} can be read by others: chmod 600 it`);
    }
  }

  #all(): Record<string, unknown> {
    const file = this.path;
    if (!existsSync(file)) return {};
    try {
      const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
      return isRecord(read) ? { ...read } : {};
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new Unusable(`${file} cannot be read (${why}): remove it, and sign in again`);
    }
  }
}
