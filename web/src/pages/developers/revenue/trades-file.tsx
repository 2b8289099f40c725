// What was earned and brought in the days that are shown, as files: trade by trade, exactly.
import { CsvButton } from '../../../components/csv-button.tsx';
import { useClient } from '../../../session/use-session.ts';
import { type Span, sinceOf } from './use-earnings.ts';

export function EarnedFile({ span }: { readonly span: Span }) {
  const client = useClient();
  return (
    <TradesFile
      name="revenue"
      span={span}
      fields={['role', 'account_id', 'app_id', 'market_id', 'accrued']}
      read={(query) => client.revenue.rows(query)}
    />
  );
}

export function BroughtFile({ span }: { readonly span: Span }) {
  const client = useClient();
  return (
    <TradesFile
      name="attribution"
      span={span}
      fields={['app_id', 'market_id', 'volume', 'accrued']}
      read={(query) => client.attribution.rows(query)}
    />
  );
}

const PAGE_ROWS = 500;

interface Props<Field extends string> {
  readonly name: string;
  readonly span: Span;
  /** What is told of a trade beside its time and id. */
  readonly fields: readonly Field[];
  readonly read: (query: FileQuery) => {
    pages(): AsyncIterable<{
      readonly items: readonly (TradeRow & Record<Field, string | null>)[];
    }>;
  };
}

interface FileQuery {
  readonly group_by: 'fill';
  readonly limit: number;
  readonly from_ms: number;
}

interface TradeRow {
  readonly kind: string;
  readonly ts_ms: number | null;
  readonly trade_id: string | null;
}

function TradesFile<Field extends string>({ name, span, fields, read }: Props<Field>) {
  return (
    <CsvButton
      name={name}
      header={['time', 'trade_id', ...fields]}
      rows={async function* () {
        const query = { group_by: 'fill', limit: PAGE_ROWS, ...sinceOf(span) } as const;
        for await (const { items } of read(query).pages()) {
          yield items
            .filter(({ kind }) => kind === 'part')
            .map((row) => [
              row.ts_ms === null ? '' : new Date(row.ts_ms).toISOString(),
              row.trade_id ?? '',
              ...fields.map((field) => row[field] ?? ''),
            ]);
        }
      }}
    />
  );
}
