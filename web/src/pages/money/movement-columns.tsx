// What rows of money in and of money out have in common.
import type { Column } from '../../components/table.tsx';
import { dateTime } from '../../format/times.ts';
import { useSubaccounts } from '../../live/use-subaccounts.ts';
import { useLocale, useTexts } from '../../texts/use-texts.ts';
import { moneyTexts } from './texts.ts';

export function useTimeColumn<Row extends { readonly created_at_ms: number }>(): Column<Row> {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  return {
    id: 'time',
    title: t('time'),
    isMinor: true,
    cell: (row) => (
      <span className="whitespace-nowrap text-muted">{dateTime(locale, row.created_at_ms)}</span>
    ),
  };
}

/** What its owner calls a subaccount, or its id until that is known. */
export function useSubaccountLabel(): (id: string) => string {
  const { list } = useSubaccounts();
  return (id) => list?.find(({ subaccount_id: known }) => known === id)?.label ?? id;
}
