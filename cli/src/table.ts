// Rows under heads, aligned; and the colours of what people read.

import colors from 'picocolors';

export interface Column<Row> {
  readonly head: string;
  of(row: Row): string;
  /** Numbers stand at the right. */
  readonly align?: 'right';
  /** Put on after the text has its width. */
  color?(text: string, row: Row): string;
}

/** Wider tables are hard to read, on wide terminals too. */
const WIDTH_MAX = 120;
const GAP = '  ';

/** On a terminal long cells go on in further lines, so that a table fits; programs get one line for each row. */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  widthMax = terminalWidth(),
): readonly string[] {
  const texts = rows.map((row) => columns.map((column) => column.of(row)));
  const widths = fitted(
    columns.map(({ head }, at) => [head, ...texts.map((cells) => cells[at] ?? '')]),
    widthMax,
  );
  const padded = (text: string, at: number): string => {
    const width = widths[at] ?? 0;
    return columns[at]?.align === 'right' ? text.padStart(width) : text.padEnd(width);
  };
  const lineOf = (cells: readonly string[], row: Row): string =>
    cells
      .map((text, at) => {
        const isLast = at === cells.length - 1;
        const plain = isLast ? padded(text, at).trimEnd() : padded(text, at);
        return columns[at]?.color?.(plain, row) ?? plain;
      })
      .join(GAP)
      .trimEnd();
  const linesOf = (cells: readonly string[], row: Row): readonly string[] => {
    const wrapped = cells.map((text, at) => wrap(text, widths[at] ?? 0));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      lineOf(
        wrapped.map((lines) => lines[line] ?? ''),
        row,
      ),
    );
  };
  const head = columns
    .map(({ head: text }, at) => padded(text, at))
    .join(GAP)
    .trimEnd();
  return [painter().bold(head), ...texts.flatMap((cells, at) => linesOf(cells, rows[at]!))];
}

function terminalWidth(): number {
  const { isTTY, columns } = process.stdout;
  return isTTY === true ? Math.min(columns ?? WIDTH_MAX, WIDTH_MAX) : Number.POSITIVE_INFINITY;
}

/** The width of each column: the widest ones that have words to break between give way first. */
function fitted(columns: readonly (readonly string[])[], widthMax: number): readonly number[] {
  const widths = columns.map((texts) => Math.max(...texts.map(({ length }) => length)));
  const least = columns.map(([head = '', ...texts]) =>
    Math.max(head.length, ...texts.flatMap((text) => text.split(' ').map(({ length }) => length))),
  );
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - widthMax;
    const widest = widths.reduce(
      (best, width, at) => (width > least[at]! && width > (widths[best] ?? 0) ? at : best),
      -1,
    );
    if (excess <= 0 || widest === -1) return widths;
    widths[widest] = Math.max(least[widest]!, widths[widest]! - excess);
  }
}

/** At spaces; a word alone is never longer than its column. */
function wrap(text: string, width: number): readonly string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

type StateColor = 'green' | 'yellow' | 'red';

/** How a record stands, in the colour of that; what needs no attention is dim. */
export function stateColumn<Row extends { readonly status: string }>(
  colorOf: Readonly<Record<string, StateColor>>,
): Column<Row> {
  return {
    head: 'STATE',
    of: ({ status }) => status,
    color: (text, { status }) => painter()[colorOf[status] ?? 'dim'](text),
  };
}

/** None where standard output is no terminal, or NO_COLOR asks for none; FORCE_COLOR asks for them anywhere. */
export function painter(): ReturnType<typeof colors.createColors> {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  const isWanted = FORCE_COLOR ? true : process.stdout.isTTY === true && TERM !== 'dumb';
  return colors.createColors(isWanted && !NO_COLOR);
}

/** An exact amount with two places at least, and no zeros after them. */
export function amountText(text: string | null | undefined): string {
  if (text === null || text === undefined) return '-';
  return text.replace(/(\.\d{2}\d*?)0+$/, '$1');
}

/** A time to the minute, in UTC. */
export function timeText(iso: string | null | undefined): string {
  return iso === null || iso === undefined ? '-' : `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}
