// The colours of the page for a drawing that cannot read them from a style sheet.

const names = ['text', 'muted', 'line', 'surface', 'accent', 'gain', 'loss'] as const;

export type Colours = Readonly<Record<(typeof names)[number], string>> & {
  readonly outcomes: readonly string[];
};

/** As the theme has them now. */
export function readColours(beside: HTMLElement): Colours {
  const probe = document.createElement('span');
  beside.append(probe);
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const entries = names.map((name) => [name, read(name)] as const);
  const outcomes = [1, 2, 3, 4, 5, 6].map((number) => read(`outcome-${number}`));
  probe.remove();
  return { ...(Object.fromEntries(entries) as Record<(typeof names)[number], string>), outcomes };
}
