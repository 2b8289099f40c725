// The values that an ICU message asks for.
import type { IntlMessageFormat } from 'intl-messageformat';

export type ArgumentKind = 'text' | 'number';

type Ast = ReturnType<IntlMessageFormat['getAst']>;

/** Kinds of elements, as the parser numbers them. */
const ARGUMENT = 1;
const NUMBER = 2;
const SELECT = 5;
const PLURAL = 6;

/** By name; what is counted or shown as a number anywhere is a number. */
export function argumentsOf(ast: Ast): ReadonlyMap<string, ArgumentKind> {
  const found = new Map<string, ArgumentKind>();
  collect(ast, found);
  return found;
}

function collect(ast: Ast, found: Map<string, ArgumentKind>): void {
  for (const element of ast) {
    const { type } = element;
    if (type === NUMBER || type === PLURAL) found.set(element.value, 'number');
    else if ((type === ARGUMENT || type === SELECT) && !found.has(element.value)) {
      found.set(element.value, 'text');
    }
    if (type === PLURAL || type === SELECT) {
      for (const option of Object.values(element.options)) collect(option.value, found);
    }
  }
}
