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

export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): readonly string[] {
  const texts = rows.map((row) => columns.map((column) => column.of(row)));
  const widths = columns.map(({ head }, at) =>
    Math.max(head.length, ...texts.map((cells) => cells[at]?.length ?? 0)),
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
      .join('  ')
      .trimEnd();
  const head = columns
    .map(({ head: text }, at) => padded(text, at))
    .join('  ')
    .trimEnd();
  return [painter().bold(head), ...texts.map((cells, at) => lineOf(cells, rows[at]!))];
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
