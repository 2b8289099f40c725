// Where a text stops being JSON: JSON.parse tells that of some faults only.

const SPACE = /[ \t\n\r]*/y;
const STRING = /[ \t\n\r]*"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const PLAIN = /[ \t\n\r]*(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const COLON = /[ \t\n\r]*:/y;
const COMMA = /[ \t\n\r]*,/y;
const OBJECT = { open: /[ \t\n\r]*\{/y, close: /[ \t\n\r]*\}/y };
const LIST = { open: /[ \t\n\r]*\[/y, close: /[ \t\n\r]*\]/y };

/**
 * The place of the first character that JSON does not allow, counted from 0; of a string, where that begins. The length if
 * the text only ends too early. For text that is not JSON and whose nesting is bounded.
 */
export function jsonFaultAt(text: string): number {
  const reader = new Reader(text);
  reader.takesValue();
  reader.takes(SPACE);
  return reader.at;
}

class Reader {
  readonly #text: string;
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  takes(token: RegExp): boolean {
    token.lastIndex = this.at;
    if (!token.test(this.#text)) return false;
    this.at = token.lastIndex;
    return true;
  }

  takesValue(): boolean {
    if (this.takes(STRING) || this.takes(PLAIN)) return true;
    if (this.takes(LIST.open)) return this.#takesRest(() => this.takesValue(), LIST.close);
    return this.takes(OBJECT.open) && this.#takesRest(() => this.#takesEntry(), OBJECT.close);
  }

  #takesEntry(): boolean {
    return this.takes(STRING) && this.takes(COLON) && this.takesValue();
  }

  #takesRest(takesItem: () => boolean, close: RegExp): boolean {
    if (this.takes(close)) return true;
    do {
      if (!takesItem()) return false;
    } while (this.takes(COMMA));
    return this.takes(close);
  }
}
