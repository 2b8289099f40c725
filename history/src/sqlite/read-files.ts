// The files of a lane's read model: which one serves, and how another takes its place.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { NextStore, ReadStore, ReadStores } from '../store/read-store.ts';
import { SqliteReadStore } from './read-store.ts';

const FIRST = 'read-model.db';
const FILE_FORM = /^read-model(-\d+)?\.db$/;
/** Names the file that serves once there has been another than the first. */
const POINTER = 'read-model.current';

export class ReadFiles implements ReadStores {
  readonly #folder: string;
  damaged: (error: Error) => void = () => undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** It can be made anew at any time: one that does not open, or is of another version, is thrown away. */
  current(): ReadStore {
    this.tidy();
    try {
      return this.#open(this.#serving());
    } catch {
      return this.anew();
    }
  }

  anew(): ReadStore {
    rmSync(path.join(this.#folder, POINTER), { force: true });
    this.#remove(() => true);
    return this.#open(FIRST);
  }

  next(): NextStore {
    const numbers = this.#files().map((file) => Number(/\d+/.exec(file)?.[0] ?? 0));
    const file = `read-model-${Math.max(0, ...numbers) + 1}.db`;
    return {
      store: this.#open(file),
      adopt: () => this.#serve(file),
      tidy: () => this.tidy(),
    };
  }

  /** Nothing but the file that serves is kept. */
  tidy(): void {
    const serving = this.#serving();
    this.#remove((file) => file !== serving);
  }

  #open(file: string): ReadStore {
    return new SqliteReadStore(path.join(this.#folder, file), (error) => this.damaged(error));
  }

  #serving(): string {
    try {
      const name = readFileSync(path.join(this.#folder, POINTER), 'utf8').trim();
      return FILE_FORM.test(name) ? name : FIRST;
    } catch {
      return FIRST;
    }
  }

  /** In one step: whoever starts after a crash finds the one or the other, each of them whole. */
  #serve(file: string): void {
    const pointer = path.join(this.#folder, POINTER);
    writeFileSync(`${pointer}.next`, `${file}\n`, { mode: 0o600 });
    renameSync(`${pointer}.next`, pointer);
  }

  #files(): readonly string[] {
    try {
      return readdirSync(this.#folder).filter((file) => FILE_FORM.test(file));
    } catch {
      return [];
    }
  }

  #remove(isUnwanted: (file: string) => boolean): void {
    for (const file of this.#files().filter(isUnwanted)) {
      for (const suffix of ['', '-wal', '-shm', '-sums']) {
        rmSync(path.join(this.#folder, `${file}${suffix}`), { force: true });
      }
    }
  }
}
