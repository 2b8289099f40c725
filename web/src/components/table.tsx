// Rows of figures. Long lists are drawn only where they are seen; on a phone a table scrolls inside its own frame.
import { Suspense } from 'react';
import { later } from './later.ts';
import { Head, Row, scrollable, type TableProps } from './table/table-rows.tsx';

export type { Column } from './table/table-rows.tsx';

/** Fewer rows are simply drawn. */
const LONG_FROM = 60;

/** Its library is loaded with the first list that needs it. */
const LongTable = later(() => import('./table/long-table.tsx'), 'LongTable');

export function Table<Row>(props: TableProps<Row>) {
  const { rows, empty } = props;
  if (rows.length === 0 && empty !== undefined) return empty;
  if (rows.length < LONG_FROM) return <PlainTable {...props} />;
  return (
    <Suspense fallback={<PlainTable {...props} rows={rows.slice(0, LONG_FROM)} />}>
      <LongTable {...props} />
    </Suspense>
  );
}

function PlainTable<Row>(props: TableProps<Row>) {
  return (
    // What is hidden in its cells must scroll with them, or it makes the page wider.
    <section
      className="relative overflow-x-auto max-sm:px-2"
      {...scrollable}
      aria-label={props.label}
    >
      <table className="w-full border-collapse">
        <Head columns={props.columns} />
        <tbody>
          {props.rows.map((row) => (
            <Row key={props.keyOf(row)} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
