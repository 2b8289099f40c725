// Names that stand in the read model as numbers: given out in memory, stored with the next batch.
import type { Database, Statement } from 'better-sqlite3';
import type { NameKind } from '../store/read-store.ts';
import type { NewName } from './read-file.ts';

export class ReadNames {
  readonly #numbers = new Map<string, number>();
  readonly #names = new Map<number, string>();
  readonly #kind: NameKind;
  #pending: NewName[] = [];
  readonly #byName: Statement<[string], number>;
  readonly #byNumber: Statement<[number], string>;
  #last: number;
  /** Most lookups ask for the name that was asked for just before. */
  #recentName = '';
  #recentNumber = 0;

  constructor(database: Database, kind: NameKind) {
    const table = `${kind}_name`;
    this.#kind = kind;
    this.#byName = database
      .prepare<[string], number>(`SELECT number FROM ${table} WHERE name = ?`)
      .pluck();
    this.#byNumber = database
      .prepare<[number], string>(`SELECT name FROM ${table} WHERE number = ?`)
      .pluck();
    const last = database
      .prepare<[], number | null>(`SELECT max(number) FROM ${table}`)
      .pluck()
      .get();
    this.#last = last ?? 0;
  }

  number(name: string): number {
    if (name === this.#recentName) return this.#recentNumber;
    const number = this.find(name) ?? this.#assign(name);
    this.#recentName = name;
    this.#recentNumber = number;
    return number;
  }

  #assign(name: string): number {
    this.#last += 1;
    this.#remember(this.#last, name);
    this.#pending.push({ kind: this.#kind, number: this.#last, name });
    return this.#last;
  }

  find(name: string): number | null {
    const cached = this.#numbers.get(name);
    if (cached !== undefined) return cached;
    const stored = this.#byName.get(name);
    if (stored === undefined) return null;
    this.#remember(stored, name);
    return stored;
  }

  name(number: number): string | null {
    const cached = this.#names.get(number);
    if (cached !== undefined) return cached;
    const stored = this.#byNumber.get(number);
    if (stored === undefined) return null;
    this.#remember(number, stored);
    return stored;
  }

  /** Those given out since the last call: they go with the next batch. */
  takeNew(): readonly NewName[] {
    const taken = this.#pending;
    this.#pending = [];
    return taken;
  }

  #remember(number: number, name: string): void {
    this.#numbers.set(name, number);
    this.#names.set(number, name);
  }
}
