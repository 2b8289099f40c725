// HTML in which everything that is filled in is text: markup comes from templates alone.

/** Markup that was made here, as opposed to a text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Filled = string | Markup | readonly Markup[];

export function html(parts: TemplateStringsArray, ...values: readonly Filled[]): Markup {
  const filled = parts.map((part, index) => `${part}${markupOf(values[index] ?? '')}`);
  return new Markup(filled.join(''));
}

function markupOf(value: Filled): string {
  if (value instanceof Markup) return value.text;
  if (typeof value !== 'string') return value.map(({ text }) => text).join('');
  return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
