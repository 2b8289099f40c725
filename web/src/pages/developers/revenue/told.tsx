// What a row is about, with what a phone has no columns for.
import type { ReactNode } from 'react';
import type { Column } from '../../../components/table.tsx';
import { dayName } from '../../../format/times.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { revenueTexts } from './texts.ts';

interface Props {
  readonly facts: readonly string[];
  readonly children: ReactNode;
}

export function Told({ facts, children }: Props) {
  return (
    <span className="flex flex-col max-sm:py-2">
      {children}
      <span className="text-xs text-muted sm:hidden">{facts.join(' · ')}</span>
    </span>
  );
}

/** The first column of a table by day. */
export function useDayColumn<Row extends { readonly day: string | null }>(
  factsOf: (row: Row) => readonly string[],
): Column<Row> {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  return {
    id: 'day',
    title: t('day'),
    cell: (row) => (
      <Told facts={factsOf(row)}>
        <span className="whitespace-nowrap">{dayName(locale, row.day ?? '')}</span>
      </Told>
    ),
  };
}

interface WithTrades {
  readonly fills: number;
}

/** How many trades there were: a column where there is room, else a fact of the row. */
export function useTradesColumn(): Column<WithTrades> {
  const t = useTexts(revenueTexts);
  const count = useTradeCount();
  return { id: 'fills', title: t('trades'), cell: count, isFigure: true, isMinor: true };
}

export function useTradesFact(): (row: WithTrades) => string {
  const t = useTexts(revenueTexts);
  const count = useTradeCount();
  return (row) => `${t('trades')} ${count(row)}`;
}

function useTradeCount(): (row: WithTrades) => string {
  const locale = useLocale();
  return ({ fills }) => fills.toLocaleString(locale);
}
