// Shares of fees: earned, paid out and still to come; by day as a chart, and by role, app or day as a table.
import type { ReactNode } from 'react';
import { Amount } from '../../../components/amount.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Figure } from '../../../components/figure.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { type Column, Table } from '../../../components/table.tsx';
import { money } from '../../../format/amounts.ts';
import { useLocale, useTexts } from '../../../texts/use-texts.ts';
import { wordOf } from '../word-of.ts';
import { AppName } from './app-name.tsx';
import { DayColumns } from './day-columns.tsx';
import { Breakdown, DaysCard } from './days-card.tsx';
import { revenueTexts } from './texts.ts';
import { Told, useDayColumn, useTradesColumn, useTradesFact } from './told.tsx';
import { EarnedFile } from './trades-file.tsx';
import {
  type Days,
  type RevenueRow,
  revenueKey,
  type Span,
  useRevenueDays,
  useRevenueParts,
} from './use-earnings.ts';

export function Earned({ span }: { readonly span: Span }) {
  const t = useTexts(revenueTexts);
  return (
    <DaysCard
      title={t('earned')}
      file={<EarnedFile span={span} />}
      query={useRevenueDays(span)}
      isNothing={isNothing}
      nothing={<NothingEarned />}
    >
      {({ total, days }) => (
        <>
          <Earnings total={total} days={days} />
          <Breakdown
            parts={[
              { value: 'actor', label: t('byRole') },
              { value: 'app', label: t('byApp') },
            ]}
            partTable={(by) => <PartTable key={by} by={by} span={span} />}
            dayTable={<DayTable days={days} />}
          />
        </>
      )}
    </DaysCard>
  );
}

/** Neither in these days nor waiting from before them. */
function isNothing({ fills, accrued, credited, returned, pending }: RevenueRow): boolean {
  const isZero = (amount: string | null): boolean => Number(amount) === 0;
  return fills === 0 && [accrued, credited, returned, pending].every(isZero);
}

function NothingEarned() {
  const t = useTexts(revenueTexts);
  const link = 'text-accent underline underline-offset-2';
  return (
    <Empty
      title={t('nothing')}
      action={
        <div className="flex flex-wrap justify-center gap-x-5 gap-y-2">
          <PageLink to="/create" className={link}>
            {t('toCreate')}
          </PageLink>
          <PageLink to="/developers/apps" className={link}>
            {t('toApps')}
          </PageLink>
          <PageLink to="/account" className={link}>
            {t('toInvite')}
          </PageLink>
        </div>
      }
    >
      {t('nothingText')}
    </Empty>
  );
}

function Earnings({ total, days }: Days<RevenueRow>) {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const amount = (exact: string): string => money(locale, exact);
  return (
    <div className="flex flex-col gap-4 p-4">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure label={t('accrued')}>{amount(total.accrued)}</Figure>
        <Figure label={t('paid')}>{amount(total.credited)}</Figure>
        <Figure label={t('returned')}>{amount(total.returned)}</Figure>
        <Figure label={t('pending')}>{amount(total.pending ?? '0')}</Figure>
      </dl>
      <p className="text-muted">{t('howPaid')}</p>
      <DayColumns
        label={t('byDay')}
        amount={amount}
        most={(text) => t('most', { amount: text })}
        series={[
          { label: t('accrued'), colour: 'bg-accent' },
          { label: t('paid'), colour: 'bg-gain' },
        ]}
        days={days.map(({ day, accrued, credited }) => ({
          day: day ?? '',
          amounts: [accrued, credited],
        }))}
      />
    </div>
  );
}

function PartTable({ by, span }: { readonly by: 'actor' | 'app'; readonly span: Span }) {
  const t = useTexts(revenueTexts);
  const { rows, ...list } = useRevenueParts(by, span);
  const factsOf = useFacts();
  const columns = useRevenueColumns({
    id: 'who',
    title: t(by === 'app' ? 'app' : 'role'),
    cell: (row) => (
      <Told facts={factsOf(row)}>
        <Earner row={row} by={by} />
      </Told>
    ),
  });
  return (
    <ListTable
      label={t('earned')}
      columns={columns}
      rows={rows}
      keyOf={revenueKey}
      list={list}
      empty={<Empty title={t('nothingOfApps')}>{t('nothingOfAppsText')}</Empty>}
    />
  );
}

/** Days on which nothing happened are seen in the chart. */
function DayTable({ days }: { readonly days: readonly RevenueRow[] }) {
  const t = useTexts(revenueTexts);
  const columns = useRevenueColumns(useDayColumn(useFacts()));
  const rows = days.filter((row) => !isNothing(row)).toReversed();
  return (
    <Table
      label={t('earned')}
      columns={columns.filter(({ id }) => id !== 'pending')}
      rows={rows}
      keyOf={revenueKey}
      empty={<Empty title={t('nothingInSpan')} />}
    />
  );
}

function useFacts(): (row: RevenueRow) => readonly string[] {
  const t = useTexts(revenueTexts);
  const locale = useLocale();
  const trades = useTradesFact();
  return (row) => [
    trades(row),
    `${t('returned')} ${money(locale, row.returned)}`,
    ...(row.pending === null ? [] : [`${t('pending')} ${money(locale, row.pending)}`]),
  ];
}

function Earner({ row, by }: { readonly row: RevenueRow; readonly by: 'actor' | 'app' }) {
  const t = useTexts(revenueTexts);
  const { role, app_id: appId, account_id: accountId } = row;
  if (by === 'app') return appId === null ? null : <AppName appId={appId} />;
  return (
    <span className="flex flex-col">
      <span>{wordOf(t, revenueTexts, role ?? '')}</span>
      {appId !== null && (
        <span className="text-xs text-muted">
          <AppName appId={appId} />
        </span>
      )}
      {accountId?.startsWith('sub_') === true && (
        <code className="font-mono text-xs text-muted">{accountId}</code>
      )}
    </span>
  );
}

function useRevenueColumns(first: Column<RevenueRow>): readonly Column<RevenueRow>[] {
  const t = useTexts(revenueTexts);
  const sum = (amount: string | null): ReactNode =>
    amount === null ? '–' : <Amount amount={amount} />;
  const figure = { isFigure: true } as const;
  return [
    first,
    useTradesColumn(),
    { id: 'accrued', title: t('accrued'), cell: (row) => sum(row.accrued), ...figure },
    { id: 'paid', title: t('paid'), cell: (row) => sum(row.credited), ...figure },
    {
      id: 'returned',
      title: t('returned'),
      cell: (row) => sum(row.returned),
      ...figure,
      isMinor: true,
    },
    {
      id: 'pending',
      title: t('pending'),
      cell: (row) => sum(row.pending),
      ...figure,
      isMinor: true,
    },
  ];
}
