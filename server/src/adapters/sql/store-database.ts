// What a store needs of its database, whichever it is: reads, and writes that happen whole or not at all.
import type { CompiledQuery, Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';

/** `quick` outlives the process, yet a power cut may take it; `synced` is on disk when its promise resolves. */
export type Durability = 'synced' | 'quick';

export interface StoreDatabase<Tables> {
  readonly dialect: Dialect;
  /** For reads: they see what is committed. */
  readonly reads: Kysely<Tables>;
  /**
   * One transaction, after every write that was asked for before it. What it reads stays true until it commits, also with
   * other processes at work; where one of them was in the way it runs again, so it changes nothing but the database.
   */
  write<T>(work: (tx: Transaction<Tables>) => Promise<T>, durability?: Durability): Promise<T>;
  /** A statement that depends on nothing else: it is quick, built once, and waits for no other write if it need not. */
  writeOne(statement: Statement<Tables>, parameters: readonly unknown[]): Promise<void>;
  /** A whole copy while in use, as a SQLite file. */
  copyTo(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Built with any values; the real ones take their place, in the order in which they stand in it. */
export type Statement<Tables> = (db: Kysely<Tables>) => CompiledQuery;

/** One after the other, in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
