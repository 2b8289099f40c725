// A table whose rows are drawn only where they are seen.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Head, Row, scrollable, type TableProps } from './table-rows.tsx';

const ROW_PX = 40;

export function LongTable<Row>(props: TableProps<Row>) {
  const frame = useRef<HTMLElement>(null);
  const { rows, columns, keyOf } = props;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const shown = virtual.getVirtualItems();
  const isAtEnd = (shown.at(-1)?.index ?? 0) >= rows.length - 1;
  const reachEnd = useEffectEvent(() => props.onEnd?.());
  // biome-ignore lint/correctness/useExhaustiveDependencies: more rows that are all shown are another end
  useEffect(() => {
    if (isAtEnd) reachEnd();
  }, [isAtEnd, rows.length]);
  const before = shown[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <section
      ref={frame}
      className="max-h-[32rem] overflow-auto max-sm:px-2"
      {...scrollable}
      aria-label={props.label}
    >
      <table className="w-full border-collapse" aria-rowcount={rows.length}>
        <Head columns={columns} />
        <tbody>
          {before > 0 && <Gap height={before} />}
          {shown.map(({ index }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <Row
                key={keyOf(row)}
                {...props}
                row={row}
                measured={{ ref: virtual.measureElement, 'data-index': index }}
              />
            );
          })}
          {after > 0 && <Gap height={after} />}
        </tbody>
      </table>
    </section>
  );
}

/** The place of rows that are not drawn. */
function Gap({ height }: { readonly height: number }) {
  return (
    <tr>
      <td style={{ height }} />
    </tr>
  );
}
