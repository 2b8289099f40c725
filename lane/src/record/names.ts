// Strings that come again and again in a text, kept once: a part cut from a text would keep all of it in memory.
import type { AccountActor } from './order-text.ts';

/** Beyond so many the memory of them begins anew. */
const NAMES_MAX = 100_000;

export class Names {
  readonly #names = new Map<string, string>();
  readonly #actors = new Map<string, AccountActor>();

  /** The same text for the same name. */
  known(part: string): string {
    const name = this.#names.get(part);
    if (name !== undefined) return name;
    const copy = this.copy(part);
    if (this.#names.size >= NAMES_MAX) this.#names.clear();
    this.#names.set(copy, copy);
    return copy;
  }

  /** As a record names it: the account, and after a space the key. */
  account(part: string): AccountActor {
    const known = this.#actors.get(part);
    if (known !== undefined) return known;
    const text = this.copy(part);
    const space = text.indexOf(' ');
    const name = this.known(space === -1 ? text : text.slice(0, space));
    const keyId = space === -1 ? null : this.known(text.slice(space + 1));
    const actor: AccountActor = {
      kind: 'account',
      accountId: name as AccountActor['accountId'],
      keyId,
    };
    if (this.#actors.size >= NAMES_MAX) this.#actors.clear();
    this.#actors.set(text, actor);
    return actor;
  }

  /** A text of its own; short parts are copies anyway. */
  copy(part: string): string {
    if (part.length < SHARED_LENGTH) return part;
    return JSON.parse(JSON.stringify(part)) as string;
  }
}

/** V8 copies parts that are shorter. */
const SHARED_LENGTH = 13;
