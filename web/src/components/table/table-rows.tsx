// The parts that tables are made of, whether all of their rows are drawn or only those that are seen.
import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly title: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right, so that their digits do. */
  readonly isFigure?: boolean;
  /** Left out on a phone; what it says must be found elsewhere in the row there. */
  readonly isMinor?: boolean;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly onOpen?: (row: Row) => void;
  /** Shown instead of the rows when there are none. */
  readonly empty?: ReactNode;
  /** Somebody has scrolled nearly to the last row of a long list. */
  readonly onEnd?: () => void;
}

/** What scrolls must be reachable by keyboard. */
export const scrollable = { tabIndex: 0 } as const;

/** Cells keep to the line of the headings around; a phone has the edge outside, as its first column may be left out. */
const EDGES = 'px-3 max-sm:px-2 sm:first:pl-4 sm:last:pr-4';

export function Head<Row>({ columns }: Pick<TableProps<Row>, 'columns'>) {
  return (
    <thead className="sticky top-0 bg-surface">
      <tr className="text-left text-xs text-muted">
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            className={`h-9 font-normal whitespace-nowrap ${EDGES} ${column.isFigure ? 'text-right' : ''} ${seen(column)}`}
          >
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function seen<Row>({ isMinor = false }: Column<Row>): string {
  return isMinor ? 'max-sm:hidden' : '';
}

interface RowProps<Row> extends TableProps<Row> {
  readonly row: Row;
  /** How a long list learns the height of a row that it has drawn. */
  readonly measured?: {
    readonly ref: (row: HTMLTableRowElement | null) => void;
    readonly 'data-index': number;
  };
}

export function Row<Row>({ columns, row, onOpen, measured }: RowProps<Row>) {
  return (
    <tr
      {...measured}
      className={`h-10 border-t border-line ${onOpen === undefined ? '' : 'cursor-pointer hover:bg-accent-soft'}`}
      onClick={onOpen === undefined ? undefined : () => onOpen(row)}
    >
      {columns.map((column) => (
        <td
          key={column.id}
          className={`${EDGES} ${column.isFigure ? 'text-right whitespace-nowrap' : ''} ${seen(column)}`}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}
