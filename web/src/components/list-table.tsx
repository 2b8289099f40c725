// A table of a long list in all its states: loading, failed, empty, and with more to come.
import type { ReactNode } from 'react';
import type { List } from '../live/use-list.ts';
import { useTexts } from '../texts/use-texts.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Skeleton } from './skeleton.tsx';
import { type Column, Table } from './table.tsx';
import { componentTexts } from './texts.ts';

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | null;
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
  readonly onOpen?: (row: Row) => void;
  readonly list: Omit<List<unknown>, 'rows'>;
}

export function ListTable<Row>({ list, ...table }: Props<Row>) {
  const t = useTexts(componentTexts);
  const { rows } = table;
  return (
    <>
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} onRetry={list.reload} />
        </div>
      )}
      {rows !== null && <Table {...table} rows={rows} onEnd={list.more} />}
      {rows === null && list.error === null && <RowOutlines />}
      {list.hasMore && (
        <div className="flex justify-center border-t border-line p-2">
          <Button kind="quiet" isBusy={list.isBusy} onClick={list.more}>
            {t('showMore')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Rows that are about to come. */
export function RowOutlines() {
  return (
    <div className="flex flex-col gap-5 p-4" aria-busy="true">
      {['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5', 'w-1/3'].map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}
